"""Checks of the chapter *Handles of streams* (HDL)."""

from __future__ import annotations

from bindproof.suite_api import Json
from bindproof.suites.interaction.checks.common import Check, Found, goes, register
from bindproof.suites.interaction.streams import Streamed

CHECKS: dict[str, Check] = {}


def _kinds(acts: list[Json], numbers: list[int]) -> list[Json]:
    """Return what came of some acts: the kind of an error, or None."""
    return [acts[at]["error"]["kind"] if "error" in acts[at] else None for at in numbers if at < len(acts)]


def _said(record: Json) -> Json:
    """Return what a record tells: the kind of an error, or a value; of a reader, None where all is well."""
    return record["error"]["kind"] if "error" in record else record.get("value")


@register(CHECKS, "HDL-001", Streamed)
def one_consumer(seen: Streamed) -> Found:
    """A second consumer is refused."""
    more = seen.course.readers[1:]
    if not more:
        return None
    return goes("a second consumer is refused", ["taken"] * len(more), _kinds(seen.acts, more))


@register(CHECKS, "HDL-002", Streamed)
def all_events(seen: Streamed) -> Found:
    """What is sent arrives, in its order."""
    if not seen.course.readers or not seen.course.delivered:
        return None
    found = [[record["what"], record["text"]] for record in seen.of("got")]
    return goes("what the provider sends arrives in its order", seen.course.delivered, found)


def _all_told(seen: Streamed, text: str, due: Json, *kinds: str) -> Found:
    """Judge what all are told, who were told anything."""
    if seen.course.kind not in kinds or not seen.told:
        return None
    return goes(text, [due] * len(seen.told), [_said(record) for record in seen.told])


@register(CHECKS, "HDL-003", Streamed)
def no_completion(seen: Streamed) -> Found:
    """A stream without a completion is invalid."""
    return _all_told(seen, "a stream without a completion is invalid", "invalid", "none")


@register(CHECKS, "HDL-004", Streamed)
def two_completions(seen: Streamed) -> Found:
    """A stream with a second completion is invalid."""
    return _all_told(seen, "a stream with two completions is invalid", "invalid", "two")


@register(CHECKS, "HDL-005", Streamed)
def result(seen: Streamed) -> Found:
    """Who waits is given what the completion has."""
    if seen.course.kind != "completed" or not seen.told:
        return None
    due = [{"text": seen.course.result}] * len(seen.of("awaited")) + [None] * len(seen.of("closed"))
    return goes("who waits is given the completion", due, [_said(record) for record in seen.told])


def _nobody_waits(seen: Streamed, kind: str) -> Found:
    """Judge whether all are told something."""
    if seen.course.kind != kind or not (seen.course.waiters or seen.course.readers):
        return None
    stuck = [record["of"] for record in seen.of("stuck")]
    return goes(f"whoever has a handle that is {kind} is told", [], stuck)


@register(CHECKS, "HDL-006", Streamed)
def cancelled(seen: Streamed) -> Found:
    """Nobody waits for ever for a handle that is cancelled."""
    return _nobody_waits(seen, "cancelled")


@register(CHECKS, "HDL-007", Streamed)
def interrupted(seen: Streamed) -> Found:
    """Nobody waits for ever for a handle that is interrupted."""
    return _nobody_waits(seen, "interrupted")


@register(CHECKS, "HDL-008", Streamed)
def cannot(seen: Streamed) -> Found:
    """What cannot be interrupted says so."""
    numbers = seen.course.unsupported
    if not numbers:
        return None
    text = "an interruption that the provider does not support is refused"
    return goes(text, ["unsupported"] * len(numbers), _kinds(seen.acts, numbers))


@register(CHECKS, "HDL-009", Streamed)
def stopped(seen: Streamed) -> Found:
    """Who waits for a handle that is stopped is given nothing, and who reads is told how it was."""
    kind = seen.course.kind
    if kind not in ("cancelled", "interrupted") or not seen.told:
        return None
    due = [None] * len(seen.of("awaited")) + [kind] * len(seen.of("closed"))
    return goes("who waits is given nothing, and who reads is told", due, [_said(record) for record in seen.told])


@register(CHECKS, "HDL-010", Streamed)
def too_late(seen: Streamed) -> Found:
    """To stop what is over is no error."""
    late = seen.course.late
    if not late:
        return None
    return goes("to stop what is over is no error", [None] * len(late), _kinds(seen.acts, late))


@register(CHECKS, "HDL-011", Streamed)
def broken(seen: Streamed) -> Found:
    """The provider's error is what all are told."""
    return _all_told(seen, "the provider's error is what all are told", "failed", "broken")
