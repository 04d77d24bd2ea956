"""The forms of what a log's records hold. An adapter makes them of the typed values of the library: nothing else comes.

| record | of | holds |
|-|-|-|
| `enter` | a layer or an operation | `given`: a request of the domain of the call that is going on |
| | an approval's check | `given`: a tool's request |
| `leave` | a layer, an operation or a handler | `reply`: a result of its domain |
| | an approval's check | `reply`: a decision |
| `done` | a call | `value`: a result of its domain, or what a registry answers |
| | a step `all` | `value`: a list of what a registry answers, one for each of its calls |
| | any other step | `value`: null |
| `measure` | a shared layer | `value`: how often it was `entered` |

Steps are done in the order of the program. More members are no matter of form.

Enters: a complete scenario, a log whose records are well formed. Leaves: what is wrong with one. Must not know what is
lawful.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from bindproof.core.model import Json
from bindproof.suites.interceptors.forms import decision
from bindproof.suites.interceptors.scenario import origin

Form: TypeAlias = Callable[[Json], object]
"""Takes a value; raises ValueError for one that has another form."""


class LlmGiven(msgspec.Struct, frozen=True):
    """A request to a model as a layer sees it."""

    messages: list[str]
    tools: list[str]


class ToolGiven(msgspec.Struct, frozen=True):
    """A tool's request as a layer sees it."""

    name: str
    call_id: str
    arguments: Any


class SeenError(msgspec.Struct, frozen=True):
    """An error as a layer sees it; of which kind it is may be the library's own matter."""

    kind: str
    message: str | UnsetType = UNSET
    retryable: bool | UnsetType = UNSET
    elapsed_ms: int | UnsetType = UNSET
    current: int | UnsetType = UNSET
    limit: int | UnsetType = UNSET


class LlmReply(msgspec.Struct, frozen=True):
    """What a call to a model came back with."""

    text: str | UnsetType = UNSET
    error: SeenError | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse both, and neither."""
        if (self.text is UNSET) == (self.error is UNSET):
            raise ValueError("a result has either a text or an error")


class ToolReply(msgspec.Struct, frozen=True):
    """What a tool came back with."""

    content: str
    is_error: bool


class Answer(ToolReply, frozen=True):
    """What a registry answers."""

    tool_call_id: str


class Entered(msgspec.Struct, frozen=True):
    """How often a shared layer was entered."""

    entered: int


def _form(kind: Any) -> Form:
    return lambda value: msgspec.convert(value, kind)


_GIVEN: Final[Mapping[str, Form]] = {"llm": _form(LlmGiven), "tool": _form(ToolGiven)}
_REPLY: Final[Mapping[str, Form]] = {"llm": _form(LlmReply), "tool": _form(ToolReply)}
_ANSWER: Final = _form(Answer)
_ANSWERS: Final = _form(list[Answer])
_NOTHING: Final = _form(None)
_COUNT: Final = _form(Entered)
_ANYTHING: Final = _form(Any)


def problem_of(full: Json, log: list[Json]) -> str | None:
    """Say which record cannot stand where it does, or holds something of another form; None when none is like that."""
    reader = _Reader(full)
    for index, record in enumerate(log):
        problem = reader.problem(record)
        if problem is not None:
            return f"log record {index} ({record['fact']}): {problem}"
    return None


class _Reader:
    """Reads a log along the steps of its scenario: what a layer is given depends on the call that is going on."""

    def __init__(self, full: Json) -> None:
        self._steps = {step["as"]: step for step in full["steps"]}
        self._due = list(full["steps"])
        self._decides = set(_decides(full))

    def problem(self, record: Json) -> str | None:
        """Say what is wrong with the next record, or nothing."""
        fact = record["fact"]
        if fact == "done":
            return self._done(record)
        if fact == "measure":
            return _misfit("value", _COUNT, record)
        if fact == "enter":
            return _misfit("given", self._given(record["callback"]), record)
        return _misfit("reply", self._reply(record["callback"]), record) if fact == "leave" else None

    def _place(self) -> Json | None:
        """Return the stack or registry of the call that is going on."""
        step = self._due[0] if self._due else None
        return origin(self._steps[step["on"]], self._steps) if step is not None and "on" in step else None

    def _given(self, callback: str) -> Form:
        place = self._place()
        if place is None or callback in _handlers(place):
            return _ANYTHING
        return _GIVEN["tool" if callback in self._decides else place.get("domain", "tool")]

    def _reply(self, callback: str) -> Form:
        place = self._place()
        if place is None:
            return _ANYTHING
        return decision if callback in self._decides else _REPLY[place.get("domain", "tool")]

    def _done(self, record: Json) -> str | None:
        step = self._due[0] if self._due else None
        if step is None or record["step"] != step["as"]:
            wanted = "no step is left" if step is None else f"{step['as']!r}, which comes first, is not"
            return f"step {record['step']!r} is done, and {wanted}"
        place = self._place()
        self._due.pop(0)
        if "error" in record:
            return None
        if step["step"] == "all":
            calls = len(step["inputs"])
            problem = _misfit("value", _ANSWERS, record)
            return problem or (
                None if len(record["value"]) == calls else f"'value': {calls} calls have as many results"
            )
        if place is None:
            return _misfit("value", _NOTHING, record)
        return _misfit("value", _REPLY[place["domain"]] if place["step"] == "stack" else _ANSWER, record)


def _decides(full: Json) -> Iterator[str]:
    """Yield the ids of approvals, whose checks are entered."""
    for step in full["steps"]:
        for layer in step.get("layers", ()):
            if layer["layer"] == "approval":
                yield layer["as"]


def _handlers(place: Json) -> set[str]:
    return {f"{place['as']}.{tool['name']}" for tool in place.get("tools", ())}


def _misfit(member: str, form: Form, record: Json) -> str | None:
    try:
        form(record[member])
    except ValueError as error:
        return f"{member!r}: {error}"
    return None
