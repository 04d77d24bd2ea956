"""Planted faults of the chapter *Logging*."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suite_api import Fault
from bindproof.suites.interceptors.faults.spoiled_log import Spoiled, leaf, plant
from bindproof.suites.interceptors.reading import Invocation

FAULTS: dict[str, Fault] = {}


def _logged(s: Spoiled, *levels: str) -> Iterator[tuple[Invocation, int, Json]]:
    """Yield what calls with one passage of one logging layer at these levels have logged."""
    for call in s.calls():
        found = [one for one in s.passages("logging") if one.call is call]
        layers = [layer for layer in call.layers if layer["layer"] == "logging"]
        if len(found) == 1 and len(layers) == 1 and (layers[0]["level"] or "info") in levels:
            yield from ((call, index, record) for index, record in call.logs)


def _ends(s: Spoiled, *levels: str) -> list[tuple[int, Json]]:
    return [(index, record) for _, index, record in _logged(s, *levels) if "duration_ms" in record["fields"]]


def _starts(s: Spoiled) -> list[tuple[int, Json]]:
    return [(index, record) for _, index, record in _logged(s, "trace") if "description" in record["fields"]]


def _set(s: Spoiled, index: int, fields: Json) -> bool:
    s.log[index] = {**s.log[index], "fields": fields}
    return True


@plant(FAULTS, "log_nothing", "a completion is not logged", "LGG-001")
def _(s: Spoiled) -> bool:
    for index, _ in _ends(s, "info"):
        del s.log[index]
        return True
    return False


@plant(FAULTS, "tell_too_much", "at level info success is told", "LGG-002")
def _(s: Spoiled) -> bool:
    return any(_set(s, index, {**record["fields"], "success": True}) for index, record in _ends(s, "info")[:1])


@plant(FAULTS, "tell_too_little", "at level debug success is not told", "LGG-003")
def _(s: Spoiled) -> bool:
    return any(_set(s, index, {"duration_ms": 0}) for index, _ in _ends(s, "debug", "trace")[:1])


@plant(FAULTS, "tell_the_opposite", "success is told of a failure, or the reverse", "LGG-004")
def _(s: Spoiled) -> bool:
    ends = _ends(s, "debug", "trace")[:1]
    return any(_set(s, n, {**record["fields"], "success": not record["fields"]["success"]}) for n, record in ends)


@plant(FAULTS, "log_no_beginning", "at level trace the beginning is not logged", "LGG-005")
def _(s: Spoiled) -> bool:
    for index, _ in _starts(s):
        del s.log[index]
        return True
    return False


@plant(FAULTS, "log_a_beginning", "at level debug the beginning is logged", "LGG-010")
def _(s: Spoiled) -> bool:
    for call, index, record in _logged(s, "debug"):
        if "duration_ms" in record["fields"] and call.domain == "llm":
            given = next(one.outer.given for one in s.passages("logging") if one.call is call)
            description = f"LLM request: {len(given['messages'])} messages, {len(given['tools'])} tools"
            s.log.insert(index, {**record, "message": "operation starting", "fields": {"description": description}})
            return True
    return False


@plant(FAULTS, "describe_otherwise", "a description has another form", "LGG-006")
def _(s: Spoiled) -> bool:
    starts = _starts(s)[:1]
    return any(_set(s, n, {"description": f"<{record['fields']['description']}>"}) for n, record in starts)


@plant(FAULTS, "complete_the_dropped", "a call that was dropped logs a completion", "LGG-007")
def _(s: Spoiled) -> bool:
    for one in s.passages("logging"):
        if one.outer.dropped and one.outer.left is not None and (one.layer["level"] or "info") == "info":
            record = {"level": "INFO", "message": "operation completed", "fields": {"duration_ms": 0}}
            s.log.insert(one.outer.left, {"fact": "log", **record, "at": one.outer.ended})
            return True
    return False


@plant(FAULTS, "log_at_another_level", "an event has another level", "LGG-008")
def _(s: Spoiled) -> bool:
    for index, record in _ends(s, "info", "debug", "trace"):
        s.log[index] = {**record, "level": "TRACE"}
        return True
    return False


@plant(FAULTS, "slow_logging", "logging takes its time", "LGG-009")
def _(s: Spoiled) -> bool:
    for one in s.passages("logging"):
        if s.untimed and one.inner and leaf(one.inner[0]) and one.outer.finished:
            s.delay((one.inner[0].left or 0) + 1, 5)
            return True
    return False
