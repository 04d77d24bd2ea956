"""Checks of the chapter *Workers* (WRK)."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import PROGRAM, Check, Found, judged, part, register
from bindproof.suites.relay.observation.outcomes import marks_of
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.boundaries import OUTCOME_SCHEMA
from bindproof.suites.relay.scenario.workers import LIMIT, read, sent, states_twice

CHECKS: dict[str, Check] = {}

ANSWER: Json = {"ok": True}
"""What the provider of each call answers."""

LEFT = ("sent", "events", "marks")
"""What is measured of a call that has begun."""

OTHER = "a schema of another name"
MALFORMED = "no well-formed outcome"
NO_OUTCOME = "no outcome"
LARGE = "more than a message holds"
FOREIGN = "an outcome with members that it does not have"
WHOLE = "an outcome"


def answer_of(reading: Reading, act: Act) -> str | None:
    """Return what a worker answers to a call, in one of the words above; None where it answers nothing, or an error."""
    step = act.step
    if step["result"] == "error" or not _answers(reading, act):
        return None
    if step["result"] != "outcome":
        return NO_OUTCOME
    if len(sent(step)) > LIMIT:
        return LARGE
    if step["schema"] != OUTCOME_SCHEMA:
        return OTHER
    return _outcome(reading, sent(step))


def _answers(reading: Reading, act: Act) -> bool:
    return act.step["how"] not in ("never", "ends") and act not in _forsaken(reading)


def _outcome(reading: Reading, text: bytes) -> str:
    try:
        value = read(text)
    except ValueError:
        return MALFORMED
    if states_twice(text):
        return MALFORMED
    known = stated(reading, value)
    if not reading.forms["outcome"].accepts(known):
        return MALFORMED
    return WHOLE if same(known, value) else FOREIGN


def stated(reading: Reading, value: Json) -> Json:
    """Return an outcome less the members that an outcome and its marks do not have."""
    if not isinstance(value, dict):
        return value
    known = _less(value, reading.forms["outcome"].keys)
    if isinstance(known.get("pending_marks"), list):
        known["pending_marks"] = [_less(mark, reading.forms["pending-mark"].keys) for mark in known["pending_marks"]]
    return known


def _less(value: Json, names: frozenset[str]) -> Json:
    return {name: one for name, one in value.items() if name in names} if isinstance(value, dict) else value


def _calls(reading: Reading) -> list[Act]:
    return reading.transcript.of_kind("worker")


def _forsaken(reading: Reading) -> list[Act]:
    """Return the calls that come after the worker's end."""
    calls = _calls(reading)
    ended = next((at for at, act in enumerate(calls) if act.step["how"] == "ends"), len(calls))
    return calls[ended + 1 :]


def _must_fail(reading: Reading, of: Callable[[Act], bool], why: str, kind: str = "") -> Found:
    return must_fail([act for act in _calls(reading) if of(act)], f"the worker answers {why}", kind)


def must_fail(found: list[Act], why: str, kind: str = "") -> Found:
    """Judge steps that have to fail, with an error of this kind where one is named. why: what happens in each."""
    return judged([_lapse(act, why, kind) for act in found if not _failed(act, kind)], found)


def _failed(act: Act, kind: str) -> bool:
    return act.error is not None and kind in ("", act.error.get("kind"))


def _lapse(act: Act, why: str, kind: str) -> Evidence:
    passed = act.error is None
    return Evidence(
        PROGRAM,
        f"{why}, yet it succeeds" if passed else f"{why}, named otherwise",
        act.done,
        {"error": kind or "any"},
        {"value": act.value} if passed else {"error": act.error},
        also=(act.measured,) if passed and act.measured is not None else (),
    )


@register(CHECKS, "WRK-001")
def another_schema_is_refused(reading: Reading) -> Found:
    """An outcome whose envelope names another schema is refused."""
    return _must_fail(reading, lambda act: answer_of(reading, act) == OTHER, OTHER, "outcome_malformed")


@register(CHECKS, "WRK-002")
def a_malformed_outcome_is_refused(reading: Reading) -> Found:
    """What is no outcome in JSON is refused."""
    return _must_fail(reading, lambda act: answer_of(reading, act) == MALFORMED, MALFORMED, "outcome_malformed")


@register(CHECKS, "WRK-003")
def another_answer_is_refused(reading: Reading) -> Found:
    """What is no answer of a request intercept is refused."""
    return _must_fail(reading, lambda act: answer_of(reading, act) == NO_OUTCOME, NO_OUTCOME, "outcome_malformed")


@register(CHECKS, "WRK-004")
def the_caller_is_told_the_workers_error(reading: Reading) -> Found:
    """Where a worker answers with an error the call fails, with its message."""
    return tells_message([act for act in _calls(reading) if act.step["result"] == "error" and _answers(reading, act)])


def tells_message(found: list[Act]) -> Found:
    """Judge calls whose error has to have the message that their step states."""
    return judged(
        [
            Evidence(
                PROGRAM,
                "the call's error has the plugin's message",
                act.done,
                {"message": act.step["message"]},
                {"value": act.value} if act.error is None else {"error": act.error},
                also=(act.measured,) if act.error is None and act.measured is not None else (),
            )
            for act in found
            if act.step["message"] not in str(part(act.error, "message"))
        ],
        found,
    )


@register(CHECKS, "WRK-005")
def without_its_worker_a_call_fails(reading: Reading) -> Found:
    """A call fails whose worker has ended."""
    forsaken = _forsaken(reading)
    return _must_fail(reading, lambda act: act.step["how"] == "ends" or act in forsaken, "nothing, as it has ended")


@register(CHECKS, "WRK-006")
def a_worker_is_told_of_a_cancelled_call(reading: Reading) -> Found:
    """A worker that has not answered yet is told that its call is cancelled, and of no other call that it is."""
    found = [(act, int(_is_cancelled(reading, act))) for act in _calls(reading)]
    return must_be_counted(found, "cancelled", "the worker is told once that the call is cancelled, if it is")


def _is_cancelled(reading: Reading, act: Act) -> bool:
    """Tell whether the program cancels a call that its worker was asked in."""
    return act.step["how"] == "never" and act not in _forsaken(reading)


def must_be_counted(found: list[tuple[Act, int]], name: str, text: str) -> Found:
    """Judge what is measured of steps under a name: each with how often it has to be."""
    return judged(
        [
            Evidence(PROGRAM, text, act.measured, times, seen, at=f"/value/{name}")
            for act, times in found
            if not same(times, seen := part(act.facts, name))
        ],
        found,
    )


@register(CHECKS, "WRK-010")
def what_is_too_large_is_refused(reading: Reading) -> Found:
    """A call fails whose worker answers more than a message holds."""
    return _must_fail(reading, lambda act: answer_of(reading, act) == LARGE, LARGE)


@register(CHECKS, "WRK-007")
def a_failed_call_has_not_begun(reading: Reading) -> Found:
    """Of a call whose interception failed nothing is sent or told."""
    return has_not_begun(_calls(reading))


def has_not_begun(calls: list[Act]) -> Found:
    """Judge of calls those that failed."""
    found = [act for act in calls if act.error is not None and act.facts is not None]
    return judged(
        [
            Evidence(
                PROGRAM, f"a call that failed has no {name}", act.measured, [], act.facts.get(name), at=f"/value/{name}"
            )
            for act in found
            for name in LEFT
            if act.facts.get(name) != []
        ],
        found,
    )


@register(CHECKS, "WRK-008")
def an_outcome_has_its_effect(reading: Reading) -> Found:
    """What a worker's outcome states is sent, and its marks are told between the start and the end of the call."""
    return _effects(reading, WHOLE)


@register(CHECKS, "WRK-009")
def other_members_change_nothing(reading: Reading) -> Found:
    """An outcome has the same effect with members that it does not have."""
    return _effects(reading, FOREIGN)


def _effects(reading: Reading, wanted: str) -> Found:
    """Judge what came of the outcomes of a sort."""
    found = [act for act in _calls(reading) if answer_of(reading, act) == wanted]
    outcomes = [(act, stated(reading, read(sent(act.step)))) for act in found]
    return judged([evidence for act, outcome in outcomes for evidence in effect(act, outcome)], found)


def effect(act: Act, outcome: Json) -> list[Evidence]:
    """Return where a call is otherwise than an outcome, less what it does not have, leads one to expect."""
    if act.error is not None:
        also = () if act.measured is None else (act.measured,)
        return [Evidence(PROGRAM, "the plugin's outcome is taken", act.done, {"ok": True}, act.error, also=also)]
    value = [] if same(act.value, ANSWER) else [Evidence(PROGRAM, "the provider's answer", act.done, ANSWER, act.value)]
    marks = marks_of(outcome)
    due = {
        "sent": [outcome["request"]["content"]],
        "events": ["start", *("mark" for _ in marks), "end"],
        "marks": [
            {name: mark.get(name) for name in ("name", "category", "category_profile", "data")} for mark in marks
        ],
    }
    return value + [
        Evidence(PROGRAM, f"the outcome's {name}", act.measured, wanted, seen, at=f"/value/{name}")
        for name, wanted in due.items()
        if not same(wanted, seen := part(act.facts, name))
    ]


@register(CHECKS, "WRK-011")
def a_worker_is_asked_again(reading: Reading) -> Found:
    """Each call asks a worker that is there once, whatever it answered to those before."""
    forsaken = _forsaken(reading)
    found = [(act, int(act not in forsaken)) for act in _calls(reading)]
    return must_be_counted(found, "asked", "each call asks the worker once that is there")
