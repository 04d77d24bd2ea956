"""Checks of the chapter *Timeout* (TMO)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from bindproof.core.model import Evidence, Json
from bindproof.suites.interceptors.checks.common import Check, Found, differs, each, gave, register
from bindproof.suites.interceptors.rates import exact
from bindproof.suites.interceptors.reading import Passage, Reading, Visit

CHECKS: dict[str, Check] = {}

UNITS: Final = (("s", 1000), ("ms", 1), ("µs", 0.001))


def deadline(one: Passage) -> int:
    """Return the instant at which the time of a passage is over."""
    return one.outer.began + math.ceil(exact(one.layer["duration"]))


def _inner(reading: Reading) -> list[tuple[Passage, Visit]]:
    """Return the passages that ran the rest and came to their end, each with its run."""
    return [(p, p.inner[0]) for p in reading.complete("timeout") if p.inner and p.inner[0].left is not None]


def _cut_off(reading: Reading, domain: str) -> list[Passage]:
    return [p for p, inner in _inner(reading) if inner.dropped and p.call.domain == domain]


@register(CHECKS, "TMO-001")
def in_time_nothing_changes(reading: Reading) -> Found:
    """What ends before the deadline is handed back unchanged and at once."""
    return each([p for p, inner in _inner(reading) if inner.finished and _end(inner) < deadline(p)], _handed_back)


def _end(visit: Visit) -> int:
    return -1 if visit.ended is None else visit.ended


def _handed_back(one: Passage) -> Iterator[Evidence]:
    inner = one.inner[0]
    yield from gave(one.call, "what is ready in time is handed back", one.outer, inner.reply, one.outer.reply)
    yield from differs(one.call, "what is ready is handed back at once", one.outer.left, inner.ended, one.outer.ended)


@register(CHECKS, "TMO-002")
def at_the_deadline_it_ends(reading: Reading) -> Found:
    """What has not ended at the deadline is dropped then, with all inside it, and the timeout ends."""
    return each([p for p, inner in _inner(reading) if inner.dropped or _end(inner) > deadline(p)], _dropped)


def _dropped(one: Passage) -> Iterator[Evidence]:
    limit = deadline(one)
    for visit in one.inner[0].all():
        end = visit.ended
        if visit.began > limit or end is None or end > limit or (visit is one.inner[0] and end != limit):
            text = "nothing inside a timeout goes on after its deadline"
            also = (*one.inner[0].records(), *one.call.ends(one.outer))
            yield Evidence(one.call.lane, text, visit.left, limit, end, also=also)
            return
    yield from differs(one.call, "the timeout ends at its deadline", one.outer.left, limit, one.outer.ended)


@register(CHECKS, "TMO-003")
def a_model_call_gets_a_timeout_error(reading: Reading) -> Found:
    """The result is an error of kind timeout that tells the configured time in whole milliseconds."""

    def judge(one: Passage) -> Iterator[Evidence]:
        expected = {"error": {"kind": "timeout", "elapsed_ms": int(exact(one.layer["duration"]))}}
        yield from gave(one.call, "the result is the timeout's error", one.outer, expected, one.outer.reply)

    return each(_cut_off(reading, "llm"), judge)


@register(CHECKS, "TMO-004")
def a_tool_gets_an_error_response(reading: Reading) -> Found:
    """The result is an error response with a message."""

    def judge(one: Passage) -> Iterator[Evidence]:
        reply = one.outer.reply if isinstance(one.outer.reply, dict) else {}
        if reply.get("is_error") is not True or not reply.get("content"):
            text, also = "the result is an error response", one.call.ends(one.outer)
            yield Evidence(one.call.lane, text, one.outer.left, {"is_error": True}, reply, also=also)

    return each(_cut_off(reading, "tool"), judge)


@register(CHECKS, "TMO-005")
def the_message_tells_the_duration(reading: Reading) -> Found:
    """The message is `Tool execution timed out after`, and the duration in its largest unit."""

    def judge(one: Passage) -> Iterator[Evidence]:
        reply = one.outer.reply if isinstance(one.outer.reply, dict) else {}
        expected = f"Tool execution timed out after {written(one.layer['duration'])}"
        yield from gave(one.call, "the message tells the duration", one.outer, expected, reply.get("content"))

    return each(_cut_off(reading, "tool"), judge)


def written(duration: float) -> str:
    """Return a duration in its largest unit: `1.5s`, `10ms`, `999µs`, `0ns`."""
    for unit, size in UNITS:
        if duration >= size:
            return f"{round(duration / size, 6):.6f}".rstrip("0").rstrip(".") + unit
    return "0ns"


@register(CHECKS, "TMO-006")
def ready_at_the_deadline_is_in_time(reading: Reading) -> Found:
    """An operation that is ready at the very deadline is in time."""
    found = [
        (p, inner)
        for p, inner in _inner(reading)
        if p.place == len(p.call.layers) - 2 and _takes(p, inner) == deadline(p) - inner.began
    ]
    text = "an operation that is ready at the deadline is in time"
    return [
        evidence
        for one, inner in found
        for evidence in differs(
            one.call, text, inner.left, _gives(one, inner), one.outer.reply, one.call.ends(one.outer)
        )
    ] if found else None  # fmt: skip


def _takes(one: Passage, run: Visit) -> int:
    return int(_did(one, run)["after"])


def _gives(one: Passage, run: Visit) -> Json:
    return _did(one, run)["gives"]


def _did(one: Passage, run: Visit) -> Json:
    does = one.call.tool["does"] if one.call.in_registry else one.call.step["does"]
    runs = [visit for visit in one.call.visits() if visit.callback == run.callback]
    return does[min(runs.index(run), len(does) - 1)]
