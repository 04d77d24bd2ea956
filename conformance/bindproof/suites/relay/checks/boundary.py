"""Checks of the chapter *C boundary* (CFF)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import PROGRAM, Check, Found, part, register
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.raw import octets

CHECKS: dict[str, Check] = {}

NULL, NOT_UTF8, NOT_JSON = "null", "not UTF-8", "not JSON of its shape"

TEXTS = ("name", "model")
JSON_TEXTS = ("request", "annotated_request", "pending_marks")
REQUIRED = {
    "call": ("name", "request", "provider", "out"),
    "helper": ("request", "out"),
    "register_intercept": ("name", "callback"),
    "register_subscriber": ("name", "callback"),
    "outcome": ("handle", "out"),
}
REFUSALS = ("NULL_POINTER", "INVALID_JSON", "INVALID_UTF8", "INVALID_ARG", "ALREADY_EXISTS")
"""Statuses that a function answers with before it does anything."""


def flaws(reading: Reading, raw: Act) -> list[tuple[str, str]]:
    """Return what is wrong with a step's arguments: `[(argument, flaw)]`."""
    return [
        (name, flaw)
        for name, cell in raw.step["with"].items()
        if (flaw := _flaw(reading, raw.step["function"], name, cell))
    ]


def _flaw(reading: Reading, function: str, name: str, cell: Json) -> str | None:
    found = octets(cell)
    if found is None:
        return NULL if name in REQUIRED.get(function, ()) else None
    try:
        text = found.decode()
    except UnicodeDecodeError:
        return NOT_UTF8
    return NOT_JSON if name in JSON_TEXTS and not _shaped(reading, name, text) else None


def _shaped(reading: Reading, name: str, text: str) -> bool:
    try:
        value = json.loads(text)
    except ValueError:
        return False
    if name == "request":
        return reading.forms["llm-request"].accepts(value)
    if name == "annotated_request":
        return value is None or isinstance(value, dict)
    return isinstance(value, list) and all(map(reading.forms["pending-mark"].accepts, value))


def _with_flaw(reading: Reading, wanted: str) -> list[tuple[Act, str]]:
    """Return the steps whose only flaw is of this kind, with the argument."""
    found = [(raw, flaws(reading, raw)) for raw in reading.raw_steps]
    return [(raw, wrong[0][0]) for raw, wrong in found if len(wrong) == 1 and wrong[0][1] == wanted]


def _answered(reading: Reading, flaw: str, statuses: Callable[[str], tuple[str, ...]]) -> Found:
    """Return evidence for each step with such a flaw that is not answered with one of its argument's statuses."""
    found = _with_flaw(reading, flaw)
    if not found:
        return None
    return [
        Evidence(
            PROGRAM,
            f"{name} is {flaw}",
            raw.done,
            statuses(name),
            raw.error or {"value": raw.value},
            also=_measured(reading, raw),
            accepted=_accepted(raw),
        )
        for raw, name in found
        if raw.code not in statuses(name)
    ]


def _accepted(raw: Act) -> tuple[str, ...]:
    """Return the step where it goes on, though its function had to fail."""
    return (raw.step["as"],) if raw.error is None else ()


def _measured(reading: Reading, raw: Act) -> tuple[int, ...]:
    """Return the records of what was measured of a step that goes on, and of the intercepts that it then asks."""
    asked = (
        [one for one in reading.raw_steps if one.step["function"] == "register_intercept"] if raw.error is None else []
    )
    return tuple([one.measured for one in (raw, *asked) if one.measured is not None])


def _all_gone(raw_steps: Iterable[Act], kind: str) -> Found:
    """Return evidence for each step that crossed the boundary with things of a kind that are not all freed."""
    found = [raw for raw in raw_steps if part(raw.facts, kind, "given")]
    if not found:
        return None
    return [
        Evidence(PROGRAM, f"{kind} are freed once", raw.measured, counted["given"], counted.get("freed"))
        for raw in found
        if (counted := raw.facts[kind]).get("freed") != counted["given"]
    ]


@register(CHECKS, "CFF-001")
def an_outcomes_text_is_freed_once(reading: Reading) -> Found:
    """The library has freed each outcome's text that it was given."""
    return _all_gone((raw for raw in reading.raw_steps if raw.step["function"] == "register_intercept"), "texts")


@register(CHECKS, "CFF-012")
def a_replys_text_is_freed_once(reading: Reading) -> Found:
    """The library has freed each text that it was given by the callbacks of a call."""
    return _all_gone((raw for raw in reading.raw_steps if raw.step["function"] == "call"), "texts")


@register(CHECKS, "CFF-013")
def an_event_is_freed(reading: Reading) -> Found:
    """The library has freed each event that a subscriber was given."""
    return _all_gone(reading.raw_steps, "events")


@register(CHECKS, "CFF-014")
def a_requests_handle_is_freed(reading: Reading) -> Found:
    """The library has freed each handle of a request that a callback was given."""
    return _all_gone(reading.raw_steps, "handles")


@register(CHECKS, "CFF-002")
def malformed_json_is_refused(reading: Reading) -> Found:
    """JSON that is malformed or of the wrong shape is answered with INVALID_JSON."""
    return _answered(reading, NOT_JSON, lambda _: ("INVALID_JSON",))


@register(CHECKS, "CFF-003")
def a_failed_function_leaves_null(reading: Reading) -> Found:
    """Where a function fails, its output is null."""
    text = "a failed function leaves null in its output"
    found = [raw for raw in reading.raw_steps if raw.error is not None and part(raw.facts, "output") is not None]
    if not found:
        return None
    return [
        Evidence(PROGRAM, text, raw.measured, "null", raw.facts["output"], at="/value/output")
        for raw in found
        if raw.facts["output"] != "null"
    ]


def _freed(raw: Act) -> list[tuple[str, Json]]:
    freed = part(raw.facts, "freed")
    return list(freed.items()) if isinstance(freed, dict) else []


@register(CHECKS, "CFF-004")
def user_data_is_freed_once(reading: Reading) -> Found:
    """What a function took over is freed once."""
    return _all_freed(
        [raw for raw in reading.raw_steps if raw.code not in REFUSALS], "user data taken over is freed once"
    )


@register(CHECKS, "CFF-005")
def user_data_of_a_refused_function_is_freed_once(reading: Reading) -> Found:
    """What a function was handed that refused its arguments is freed once."""
    return _all_freed(
        [raw for raw in reading.raw_steps if raw.code in REFUSALS], "user data is freed where a function refuses"
    )


def _all_freed(raw_steps: list[Act], text: str) -> Found:
    found = [(raw, name, count) for raw in raw_steps for name, count in _freed(raw)]
    if not found:
        return None
    return [
        Evidence(PROGRAM, text, raw.measured, {name: 1}, {name: n}, at=f"/value/freed/{name}")
        for raw, name, n in found
        if n != 1
    ]


@register(CHECKS, "CFF-006")
def text_that_is_not_utf8_is_refused(reading: Reading) -> Found:
    """A text that is not UTF-8 is answered with INVALID_UTF8; a JSON text may be answered with INVALID_JSON."""
    return _answered(
        reading, NOT_UTF8, lambda name: ("INVALID_UTF8",) if name in TEXTS else ("INVALID_UTF8", "INVALID_JSON")
    )


def _replies(reading: Reading, flawed: Callable[[bytes | None], bool]) -> Iterator[tuple[Act, str]]:
    """Yield the calls and helpers for which a callback's reply is flawed, with the callback."""
    outcomes: list[Json] = []
    for raw in reading.raw_steps:
        replies = raw.step["replies"]
        if raw.step["function"] == "register_intercept":
            outcomes += [replies["outcome"]] if raw.error is None and "outcome" in replies else []
        elif raw.step["function"] in ("call", "helper"):
            found = [*replies.items(), *[("intercept", outcome) for outcome in outcomes]]
            yield from ((raw, name) for name, cell in found if flawed(octets(cell)))


def _fail_for(reading: Reading, flawed: Callable[[bytes | None], bool], flaw: str) -> Found:
    found = list(_replies(reading, flawed))
    if not found:
        return None
    return [
        Evidence(PROGRAM, text, raw.done, "an error", raw.value, also=_measured(reading, raw), accepted=_accepted(raw))
        for raw, name in found
        for text in [f"the reply of {name} is {flaw}, yet the call succeeded"]
        if raw.error is None
    ]


def _not_utf8(reply: bytes | None) -> bool:
    try:
        (reply or b"").decode()
    except UnicodeDecodeError:
        return True
    return False


@register(CHECKS, "CFF-007")
def a_reply_that_is_not_utf8_fails_the_call(reading: Reading) -> Found:
    """A call fails when a callback answers with bytes that are not UTF-8."""
    return _fail_for(reading, _not_utf8, NOT_UTF8)


@register(CHECKS, "CFF-008")
def a_null_argument_is_refused(reading: Reading) -> Found:
    """A null where none may be is answered with NULL_POINTER; where JSON is wanted it may be INVALID_JSON."""
    return _answered(
        reading, NULL, lambda name: ("NULL_POINTER", "INVALID_JSON") if name in JSON_TEXTS else ("NULL_POINTER",)
    )


@register(CHECKS, "CFF-009")
def a_null_reply_fails_the_call(reading: Reading) -> Found:
    """A call fails when a callback answers with null."""
    return _fail_for(reading, lambda reply: reply is None, NULL)


@register(CHECKS, "CFF-010")
def the_last_error_is_the_threads_own(reading: Reading) -> Found:
    """Right after a failure the thread has its message, and another thread has none."""
    found = list(zip(reading.raw_steps, reading.raw_steps[1:], strict=False))
    asked = [
        (before, raw) for before, raw in found if raw.step["function"] == "last_error" and before.error is not None
    ]
    if not asked:
        return None
    return [evidence for _, raw in asked for evidence in _message(raw)]


def _message(raw: Act) -> Iterator[Evidence]:
    other = raw.step["with"].get("thread", "own") == "other"
    if other and raw.value is not None:
        yield Evidence(PROGRAM, "a thread that did not fail has no last error", raw.done, None, raw.value)
    if not other and not isinstance(raw.value, str):
        yield Evidence(PROGRAM, "the thread that failed has the last error", raw.done, "a text", raw.value)


@register(CHECKS, "CFF-011")
def functions_answer_inside_callbacks(reading: Reading) -> Found:
    """A function that a callback calls answers as it does elsewhere."""
    found = [
        raw for raw in reading.raw_steps if raw.step["inside"] is not None and part(raw.facts, "inside") is not None
    ]
    if not found:
        return None
    return [
        Evidence(PROGRAM, f"a {raw.step['inside']} inside a callback is answered", raw.measured, "OK", seen)
        for raw in found
        if (seen := part(raw.facts, "inside")) != "OK"
    ]
