"""What a scenario has to keep in which something waits when an event is published: what rewrites it, or who is told.

What is told behind that event may wait too, and the program goes on. So that it never hangs, and it is known who stands
where, one callback waits so, at a latch of its own, for an event that surely comes to it before the latch is opened.

Enters: the steps of a complete scenario. Leaves: the rules that they break, in words. Must not know spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import latches
from bindproof.suites.relay.scenario.families import CONDITIONALS
from bindproof.suites.relay.scenario.no_json import hands_over_no_json

BESIDE: Final = frozenset(
    ("background", "cancel", "storm", "install", "gate", "context", "go_on", "call llm_stream", "llm.stream", "each")
)
"""Words of a scenario: beside them nothing that runs at publication waits."""

INTERCEPTING: Final = frozenset((*CONDITIONALS, "llm.request", "tool.request"))
"""Families that may keep a call from its start."""


def _plain_mark(step: Json) -> bool:
    return bool(step["step"] == "mark" and step["severity"] is None and step["measurements"] is None)


def _of_kind(kind: str, step: Json) -> bool:
    return bool(step.get("kind") == kind)


DUE: Final[dict[str, Callable[[Json, Json], bool]]] = {
    "subscriber": lambda step, of: _plain_mark(step) or step["step"] in ("start", "end", "call"),
    "mark.sanitize": lambda step, of: _plain_mark(step),
    "start.sanitize": lambda step, of: step["step"] in ("start", "call"),
    "end.sanitize": lambda step, of: step["step"] in ("end", "call"),
    "event.metadata": lambda step, of: _plain_mark(step) or step["step"] in ("start", "end", "call"),
    "llm.sanitize_request": lambda step, of: step["step"] in ("start", "call") and _of_kind("llm", step),
    "llm.sanitize_response": lambda step, of: _of_kind("llm", of if step["step"] == "end" else step) and _ends(step),
    "tool.sanitize_request": lambda step, of: step["step"] in ("start", "call") and _of_kind("tool", step),
    "tool.sanitize_response": lambda step, of: _of_kind("tool", of if step["step"] == "end" else step) and _ends(step),
}
"""Family → whether an event of a step surely comes to it. of: the start that the step ends."""


def _ends(step: Json) -> bool:
    """Tell whether a step ends something with an answer: one that is raised no sanitizer of answers is given."""
    return bool(step["step"] == "end" or (step["step"] == "call" and not any(map(_raises, step["provider"]))))


def _raises(op: Json) -> bool:
    return bool(op["op"] == "raise")


def is_held(step: Json) -> bool:
    """Tell whether a step registers what waits when an event is published, or who is told of it and waits."""
    return step["step"] == "register" and step["family"] in DUE and bool(latches(step["do"]))


def held_misfits(steps: list[Json], said: frozenset[str]) -> Iterator[str]:
    """Say in words which rules the steps break that are about what waits at publication."""
    held = [step for step in steps if is_held(step)]
    for step in held:
        name = step["as"]
        if len(held) > 1 or len(latches(step["do"])) > 1 or said & BESIDE or "/" in name or step["scope"] != "global":
            beside = ", ".join(sorted(said & BESIDE)) or "another such callback, a second `wait`, a scope, a callback"
            yield f"step {name!r}: nothing that runs when an event is published waits beside {beside}"
            return
        yield from _misfit_program(step, steps, said)


def _misfit_program(held: Json, steps: list[Json], said: frozenset[str]) -> Iterator[str]:
    """Yield what the program lacks so that an event surely comes to what waits before the latch is opened."""
    name, (latch,) = held["as"], latches(held["do"])
    at = steps.index(held)
    opened = next((i for i, step in enumerate(steps) if step["step"] == "open" and step["latch"] == latch), -1)
    if opened < at:
        yield f"step {name!r}: the program opens the latch {latch!r} behind this step, when an event has come to it"
        return
    between, starts = steps[at:opened], {step["as"]: step for step in steps if step["step"] == "start"}
    due = [step for step in between if DUE[held["family"]](step, starts.get(step.get("of"), {}))]
    sure = [step for step in due if step["step"] != "call" or _reaches_its_start(step, said)]
    if not sure or any(map(hands_over_no_json, between)):
        yield f"step {name!r}: no event surely comes to it before {latch!r} is opened"
    listeners = steps[: at + 1]
    if not any(step["step"] == "register" and step["family"] == "subscriber" for step in listeners):
        yield f"step {name!r}: nothing is rewritten that nobody is told: register a subscriber before it"
    if any(step["step"] in ("flush", "deregister") for step in steps[:opened]):
        yield f"step {name!r}: before {latch!r} is opened nothing is flushed, which would wait, and nothing taken back"


def _reaches_its_start(call: Json, said: frozenset[str]) -> bool:
    return not said & INTERCEPTING and call.get("codec", "none") == "none"
