"""Faults of the chapter *Handles of streams* (HDL)."""

from __future__ import annotations

from bindproof.suite_api import Fault, Json
from bindproof.suites.interaction.faults.planting import planting
from bindproof.suites.interaction.faults.spoiled import PLANTED
from bindproof.suites.interaction.streams import Streamed, streamed

FAULTS: dict[str, Fault] = {}


plant = planting(FAULTS, "stream", streamed, due=lambda found: not found.of("stuck"))


def _act(found: Streamed, numbers: list[int], **told: Json) -> bool:
    """Have an act come to something else."""
    if not numbers:
        return False
    at = [place for place, record in enumerate(found.log) if record["fact"] == "act"][numbers[-1]]
    found.log[at] = {"fact": "act", "act": found.log[at]["act"], **told}
    return True


def _awaited(found: Streamed, **told: Json) -> bool:
    """Have the first who waits be told something else."""
    at = next((at for at, record in enumerate(found.log) if record["fact"] == "awaited"), None)
    if at is None:
        return False
    found.log[at] = {"fact": "awaited", "waiter": found.log[at]["waiter"], **told}
    return True


def _sticks(found: Streamed) -> bool:
    """Have the first who waits be told nothing."""
    at = next((at for at, record in enumerate(found.log) if record["fact"] == "awaited"), None)
    if at is None:
        return False
    found.log[at] = {"fact": "stuck", "of": f"waiter {found.log[at]['waiter']}"}
    return True


@plant("two_consumers", "a second consumer is let in", "HDL-001")
def _(found: Streamed) -> bool:
    return len(found.course.readers) > 1 and _act(found, found.course.readers[1:])


@plant("loses_an_event", "an event of the stream is lost", "HDL-002")
def _(found: Streamed) -> bool:
    got = found.of("got")
    if got:
        found.log.remove(got[0])
    return bool(got)


@plant("needs_no_completion", "a stream without a completion has a result", "HDL-003")
def _(found: Streamed) -> bool:
    return found.course.kind == "none" and _awaited(found, value={"text": "planted"})


@plant("takes_the_second", "a stream with two completions has a result", "HDL-004")
def _(found: Streamed) -> bool:
    return found.course.kind == "two" and _awaited(found, value={"text": "planted"})


@plant("other_result", "another result than the completion's is given", "HDL-005")
def _(found: Streamed) -> bool:
    return found.course.kind == "completed" and _awaited(found, value={"text": "planted"})


@plant("cancelled_for_ever", "who waits for a handle that is cancelled waits for ever", "HDL-006")
def _(found: Streamed) -> bool:
    return found.course.kind == "cancelled" and _sticks(found)


@plant("interrupted_for_ever", "who waits for a handle that is interrupted waits for ever", "HDL-007")
def _(found: Streamed) -> bool:
    return found.course.kind == "interrupted" and _sticks(found)


@plant("pretends_to_interrupt", "an interruption that is not supported is no error", "HDL-008")
def _(found: Streamed) -> bool:
    return _act(found, found.course.unsupported)


@plant("stopped_with_a_result", "who waits for a handle that is stopped is given something", "HDL-009")
def _(found: Streamed) -> bool:
    return found.course.kind in ("cancelled", "interrupted") and _awaited(found, value={"text": "planted"})


@plant("too_late_to_stop", "to stop what is over is an error", "HDL-010")
def _(found: Streamed) -> bool:
    return _act(found, found.course.late, error=PLANTED)


@plant("broken_otherwise", "who waits is not told of the provider's error", "HDL-011")
def _(found: Streamed) -> bool:
    return found.course.kind == "broken" and _awaited(found, value=None)
