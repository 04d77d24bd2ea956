"""What a program expects: the lanes of a prediction, without what the program itself decides.

Enters: a prediction, and the patterns of a dialect's errors. Leaves: lanes of entries `[who, what, value]`, in which
`FunctionCall` stands for a matcher. Must not know any language.

| fact | entry |
|-|-|
| `enter`, `next`, `answer` | `is given`, `goes on with`, `is answered` (or `is answered by` an error) |
| `wait`, `resume`, `cancelled` | `waits at`, `goes on`, `is cancelled` |
| `chunk`, `over`, `read` | `hands over`, `is over`, `reads` |
| `done` | `gives` a value, where the step is one that gives something, or `fails` with an error |
| `event` | `is told` |
| `measure` | `is measured` |
| `leave`, `refused`, `settled` | none: what a callback replies the program decides |

Where something is measured, an error is told with its status.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bindproof.core.model import Json
from bindproof.suites.relay.observation.normalise import CODEC
from bindproof.suites.relay.scenario.callbacks import callback_named
from bindproof.suites.relay.scenario.no_json import lacks_json

_GIVING = (
    "call",
    "helper",
    "deregister",
    "ungate",
    "list",
    "current",
    "handle",
    "capture",
    "build",
    "decode",
    "encode",
    "read",
)


def gives(step: Json) -> bool:
    """Tell whether a program shows the value of a step: that of others is null, also of a call that opens a stream."""
    if step["step"] == "raw":
        return not step["function"].startswith("register")
    return step["step"] in _GIVING and step.get("kind") != "llm_stream"


class FunctionCall(Struct, frozen=True):
    """A call of one of the program's own functions."""

    function: str
    arguments: tuple[Json, ...] = ()
    """Values, in which calls may stand; the last ones may be missing."""


class Errors(Struct, frozen=True):
    """How the errors of a dialect are told apart."""

    patterns: Sequence[tuple[str, str]]
    """(kind, expression), in the words of RE2."""
    raised: Mapping[str, str]
    """Marker text → the callback that raises it."""
    statuses: bool = False
    """Whether an error is told with its status."""

    def told(self, error: Json) -> Json:
        """Return how an error is told that is expected."""
        return {"status": told(error["code"]), "error": self.of(error)} if self.statuses else self.of(error)

    def of(self, error: Json) -> FunctionCall:
        """Return what stands for an error that is expected."""
        kind, message, whose = error["kind"], error["message"], error["same_as"]
        found = [pattern for one, pattern in self.patterns if one == kind]
        if kind in ("callback_raised", "codec_failed"):
            found += [re.escape(text) for text, who in self.raised.items() if self._may_be(kind, who)]
        text = message["$text"] if isinstance(message, dict) and "$text" in message else ""
        pattern = "|".join(f"({one})" if len(found) > 1 else one for one in found)
        return FunctionCall(
            "failure", (FunctionCall("pattern", (pattern,)), text, whose if isinstance(whose, str) else None)
        )

    def _may_be(self, kind: str, who: str) -> bool:
        return (callback_named(who).part in CODEC) == (kind == "codec_failed")


def expected(prediction: Json, giving: frozenset[str], errors: Errors) -> dict[str, list[Json]]:
    """Return lane → entries; `giving`: the ids of the steps whose value is shown. A lane without any is not there."""
    measures = any(record.get("fact") == "measure" for records in prediction["lanes"].values() for record in records)
    errors = replace(errors, statuses=measures)
    lanes = {
        lane: [entry for record in records for entry in _entries(record, giving, errors)]
        for lane, records in prediction["lanes"].items()
    }
    return {lane: entries for lane, entries in lanes.items() if entries}


def _entries(record: Json, giving: frozenset[str], errors: Errors) -> list[Json]:
    if "$maybe" in record:
        inner = [entry for one in record["$maybe"] for entry in _entries(one, giving, errors)]
        more = (record["counts"],) if record.get("counts") else ()
        return [FunctionCall("Maybe", (inner, record["of"], *more))] if inner else []
    if "$one_of" in record:
        options = [_entries(one, giving, errors) for one in record["$one_of"]]
        return [FunctionCall("one_of", tuple(entry for option in options for entry in option))] if all(options) else []
    return [_entry(record, errors)] if _is_shown(record, giving) else []


def _is_shown(record: Json, giving: frozenset[str]) -> bool:
    match record["fact"]:
        case "leave" | "refused" | "settled":
            return False
        case "done":
            return "error" in record or record["step"] in giving
    return True


def _entry(record: Json, errors: Errors) -> list[Json]:
    fact = record["fact"]
    if fact == "event":
        return [record["subscriber"], "is told", told(record["event"])]
    if fact == "measure":
        return [record["name"], "is measured", told(record["value"])]
    who = record["callback"] if "callback" in record else record["step"]
    if "error" in record:
        return [who, "is answered by" if fact == "answer" else "fails", errors.told(record["error"])]
    if fact == "over":
        return [who, "is over", record["how"] if "how" in record else told(record["raised"])]
    if fact == "chunk" and lacks_json(record["value"]):
        return [who, "hands over", told({"$any": True})]  # what the language has for it is not compared
    words, member = _WORDS[fact]
    return [who, words, told(record[member]) if member else None]


_WORDS = {
    "enter": ("is given", "given"),
    "next": ("goes on with", "given"),
    "answer": ("is answered", "value"),
    "done": ("gives", "value"),
    "wait": ("waits at", "latch"),
    "resume": ("goes on", ""),
    "cancelled": ("is cancelled", ""),
    "chunk": ("hands over", "value"),
    "read": ("reads", "value"),
}
"""Fact → what it is in an entry, and the member that is its value."""


def told(value: Json) -> Json:
    """Return an expected value with a call in the place of each matcher."""
    if isinstance(value, list):
        return [told(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        name, argument = next(iter(value.items()))
        if name in _MATCHERS:
            return _MATCHERS[name](argument)
    return {name: told(item) for name, item in value.items()}


def _time(argument: Json) -> FunctionCall:
    given = [argument.get(name) for name in ("as", "of", "equal", "at_least", "at")]
    while given and given[-1] is None:
        given.pop()
    return FunctionCall("time", tuple(given))


def _trace(argument: Json) -> FunctionCall:
    if "trace" not in argument:
        return FunctionCall("text_with", ("",))
    return FunctionCall("trace_of", (argument["trace"], argument["span"]))


_MATCHERS = {
    "$any": lambda argument: FunctionCall("ANY"),
    "$literal": lambda argument: argument,
    "$one_of": lambda argument: FunctionCall("one_of", tuple(map(told, argument))),
    "$contains": lambda argument: FunctionCall("contains", (told(argument),)),
    "$unordered": lambda argument: FunctionCall("unordered", tuple(map(told, argument))),
    "$numeric": lambda argument: FunctionCall("number_like", (argument,)),
    "$text": lambda argument: FunctionCall("text_with", (argument,)),
    "$number": lambda argument: FunctionCall("number", (argument["as"], argument["at_least"])),
    "$counted": lambda argument: FunctionCall("counted", (argument["all"], argument["of"])),
    "$id": lambda argument: FunctionCall("id_of", (argument,)),
    "$trace": _trace,
    "$time": _time,
}
