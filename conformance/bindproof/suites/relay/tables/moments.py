"""Cells about what is registered, or taken back, while a call is at work: who is told, what wraps it, what sanitizes.

Enters: nothing. Leaves: cells of the table of registrations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.families import BEFORE, Family
from bindproof.suites.relay.tables.cells import IN_WORDS, LLM_CALL, STREAM, TOOL_CALL, Calls, Cell, Level, register

LEVELS: Final[tuple[Level, ...]] = ("global", "scope", "plugin")

IN_CALLBACKS: Final[tuple[Level, ...]] = ("global", "scope")
"""No callback installs a plugin, so one comes or goes while a call is in flight, and never inside a call."""

LISTENER: Final[Json] = {"step": "register", "as": "s", "family": "subscriber", "name": "s"}
OPEN: Final[Json] = {"step": "open", "latch": "x"}
WAIT: Final[Json] = {"op": "wait", "latch": "x"}


def cells() -> Iterator[Cell]:
    """Yield the cells, in the order of their families."""
    for level in LEVELS:
        if level in IN_CALLBACKS:
            yield from _in_callbacks(level)
        yield from _settled(level)


def _in_callbacks(level: Level) -> Iterator[Cell]:
    for calls, call in _ONE_CALL.items():
        words = f"subscriber, registered {IN_WORDS[level]} while a call runs, in {calls}: told nothing of it"
        yield _cell("subscriber", level, calls, "late", words, ["LIF-008"], _late(level, call))
    for calls, due in _GUARDED.items():
        words = f"subscriber, registered {IN_WORDS[level]} by a conditional, in {calls}: told of no guardrail"
        yield _cell("subscriber", level, calls, "guarded", words, ["MID-026"], _guarded(level, due))


def _settled(level: Level) -> Iterator[Cell]:
    words = f"subscriber, {IN_WORDS[level]}: one goes and one comes while calls are in flight"
    yield _cell("subscriber", level, "in flight", "settled", words, ["FLT-006"], _told(level))
    for kind in ("llm", "tool"):
        family: Family = "llm.execution" if kind == "llm" else "tool.execution"
        words = f"{family}, {IN_WORDS[level]}: one goes and one comes while a call is in flight"
        yield _cell(family, level, "in flight", "settled", words, ["FLT-007"], _wrapped(level, family))
    for family in BEFORE:
        words = f"{family}, {IN_WORDS[level]}: one goes and one comes while a call waits before its start"
        yield _cell(family, level, "in flight", "settled", words, ["FLT-016"], _due(level, family))
    words = f"llm.sanitize_response, {IN_WORDS[level]}: one goes and one comes while calls are in flight"
    yield _cell("llm.sanitize_response", level, "in flight", "settled", words, ["FLT-008"], _sanitized(level))


_ONE_CALL: Final[dict[Calls, Json]] = {"calls": LLM_CALL, "streams": STREAM}

_GUARDED: Final[dict[Calls, dict[Family, Json]]] = {
    "calls": {"llm.conditional": LLM_CALL, "tool.conditional": TOOL_CALL},
    "streams": {"llm.conditional": STREAM},
    "helpers": {
        "llm.conditional": {"step": "helper", "as": "h", "name": "gpt", "kind": "llm.conditional"},
        "tool.conditional": {"step": "helper", "as": "g", "name": "t", "kind": "tool.conditional"},
    },
}


def _cell(
    family: Family, level: Level, calls: Calls, sort: str, title: str, rules: list[str], steps: list[Json]
) -> Cell:
    return Cell(family, level, calls, sort, {"title": title, "exercises": rules, "scenario": {"steps": steps}})


def _scope(level: Level, name: str) -> list[Json]:
    return [{"step": "start", "as": name, "name": name}] if level == "scope" else []


def _end(level: Level, name: str) -> list[Json]:
    return [{"step": "end", "as": f"e{name}", "of": name}] if level == "scope" else []


def _inside(step: Json) -> Json:
    return {"op": "step", "step": step}


def _late(level: Level, call: Json) -> list[Json]:
    """One comes with what wraps the execution, which is when the call has started."""
    family: Family = "llm.stream" if call is STREAM else "llm.execution"
    wraps = {**register(family, "w", "global"), "do": [_inside(register("subscriber", "k", level))]}
    return [LISTENER, *_scope(level, "A"), wraps, call, *_end(level, "A")]


def _guarded(level: Level, due: dict[Family, Json]) -> list[Json]:
    """The first conditional of each kind lets a subscriber come; the second is told of to those before it alone."""
    conditionals: list[Json] = []
    for at, family in enumerate(due):
        comes = _inside(register("subscriber", f"k{at}", level))
        conditionals += [
            {**register(family, f"c{at}", "global"), "do": [comes]},
            register(family, f"d{at}", "global", priority=1),
        ]
    return [LISTENER, *_scope(level, "A"), *conditionals, *due.values(), *_end(level, "A")]


def _comes(level: Level, step: Json) -> list[Json]:
    """Register on a level: on a scope that is opened for it, or by a plugin of its own."""
    if level == "plugin":
        return [{"step": "install", "as": f"p{step['as']}", "do": [_inside(step)]}]
    return [*_scope(level, str(step.get("scope"))), step]


def _goes(level: Level, step: Json) -> list[Json]:
    """Take back what is registered on a level: with its scope or its plugin, where it is one's."""
    if level == "plugin":
        return [{"step": "uninstall", "as": f"u{step['as']}", "of": f"p{step['as']}"}]
    return _end(level, str(step.get("scope"))) or [{"step": "deregister", "as": f"d{step['as']}", "of": step["as"]}]


def _exchanged(level: Level, first: Json, second: Json, calls: list[Json]) -> list[Json]:
    """What is there when calls are made goes, and another comes, before they go on."""
    return [*_comes(level, first), *calls, *_goes(level, first), *_comes(level, second), OPEN, *_end(level, "B")]


def _in_flight(*calls: Json) -> list[Json]:
    return [{**call, "background": True, "provider": [WAIT]} for call in calls]


def _told(level: Level) -> list[Json]:
    first, second = register("subscriber", "j", level), register("subscriber", "k", level, scope="B")
    return [LISTENER, *_exchanged(level, first, second, _in_flight(LLM_CALL, TOOL_CALL))]


def _wrapped(level: Level, family: Family) -> list[Json]:
    """The call waits in what is outermost; the one inside that goes meanwhile, and another comes."""
    call = LLM_CALL if family == "llm.execution" else TOOL_CALL
    outermost = {**register(family, "w", "global", priority=-5), "do": [WAIT, {"op": "next", "edits": [{}]}]}
    first, second = register(family, "j", level), register(family, "k", level, scope="B")
    return [LISTENER, outermost, *_exchanged(level, first, second, [{**call, "background": True}])]


def _due(level: Level, family: Family) -> list[Json]:
    """The call waits in what is first of its chain; the next, that goes meanwhile, is due, and what comes is not."""
    call = LLM_CALL if family.startswith("llm.") else TOOL_CALL
    first = {**register(family, "w", "global", priority=-5), "do": [WAIT]}
    goes, comes = register(family, "j", level), register(family, "k", level, scope="B")
    return [LISTENER, first, *_exchanged(level, goes, comes, [{**call, "background": True}])]


def _sanitized(level: Level) -> list[Json]:
    """Of one call the only sanitizer goes before its end, of the other the only one comes."""
    first = {**register("llm.sanitize_response", "j", level), "do": [{"op": "edit", "set": {"": {"j": True}}}]}
    second = {**register("llm.sanitize_response", "k", level, scope="B"), "do": [{"op": "edit", "set": {"": {"k": 1}}}]}
    left, found = {**LLM_CALL, "name": "left"}, {**LLM_CALL, "as": "d", "name": "found"}
    return [
        LISTENER,
        *_comes(level, first),
        *_in_flight(left),
        *_goes(level, first),
        OPEN,
        *[{**call, "provider": [{"op": "wait", "latch": "y"}]} for call in _in_flight(found)],
        *_comes(level, second),
        {"step": "open", "latch": "y"},
        *_end(level, "B"),
    ]
