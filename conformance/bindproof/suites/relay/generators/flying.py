"""Generated programs with calls in flight: mixed programs of which some calls wait at latches in the background.

Enters: a source of choices. Leaves: a scenario in canonical spelling that never hangs: what the program waits for comes
to no closed latch, and it flushes only where none is closed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.mixed import mixed_scenario
from bindproof.suites.relay.scenario.families import AROUND, BEFORE
from bindproof.suites.relay.scenario.rules.cancelling import REWRITING, does_steps, is_guard_that_waits, ops_of
from bindproof.suites.relay.scenario.rules.flight import COMES

LATCHES = ("x", "y", "z")

CANCELLING = ("python", None)
"""Dialects of the languages in which a program can cancel a call; None means that all may be said."""

KEEPING = ("python", "node")
"""Dialects of the languages in which a call that waits before its start stays in the scope in which it was made."""

CANCEL_PERCENT = 40
"""Of a hundred programs with calls in flight so many may cancel some."""


def flying_scenario(choices: Choices, dialect: str | None) -> Json:
    """Return one scenario. dialect: what the binding can say, None: anything."""
    program = mixed_scenario(choices, dialect)["steps"]
    before = dialect in KEEPING or not any(map(_is_scope, program))
    steps = _Flyer(choices, [*AROUND, *(BEFORE if before else ())]).steps(program)
    if dialect in CANCELLING and choices.chance(CANCEL_PERCENT):
        steps += _cancelled(choices, steps)
    return {"steps": steps}


def _is_scope(step: Json) -> bool:
    return bool(step["step"] == "start" and step.get("kind", "scope") == "scope")


def _cancelled(choices: Choices, steps: list[Json]) -> list[Json]:
    """Draw what cancels some calls of a program, and opens a latch for the others."""
    if any(step.get("family") in REWRITING or does_steps(step) for step in steps):
        return []
    in_flight = [step for step in steps if step.get("background")]
    names = Counter(step["name"] for step in in_flight)
    chosen = [step["as"] for step in in_flight if names[step["name"]] == 1 and choices.chance(60)]
    if any(is_guard_that_waits(step) for step in steps):
        chosen = chosen[:1]
    opened = [{"step": "open", "latch": latch} for latch in LATCHES if _is_named(latch, steps) and choices.chance(30)]
    return [*({"step": "cancel", "of": name} for name in chosen), *opened]


def _is_named(latch: str, steps: list[Json]) -> bool:
    return any(op.get("latch") == latch for step in steps for op in ops_of(step))


class _Flyer:
    """Lets calls of a program fly. It keeps which latches are named, which are open, and which calls come to which."""

    def __init__(self, choices: Choices, families: Sequence[str]) -> None:
        self.choices = choices
        self.families = families
        self.named: set[str] = set()
        self.opened: set[str] = set()
        self.barred: dict[str, set[str]] = {family: set() for family in COMES}

    def steps(self, program: list[Json]) -> list[Json]:
        found: list[Json] = []
        for step in program:
            if not self.stands(step):
                found.append(self.changed(step))
            if self.closed() and self.choices.chance(30):
                latch = self.choices.pick(self.closed())
                self.opened.add(latch)
                found.append({"step": "open", "latch": latch})
        return found

    def stands(self, step: Json) -> bool:
        """Tell whether the program would wait for itself: in a flush, or in what a helper calls."""
        if step["step"] == "helper":
            return bool(self.barred[step["kind"]] - self.opened)
        return step["step"] == "flush" and bool(self.closed())

    def bars(self, call: Json) -> set[str]:
        """Return the closed latches that a call comes to in what is registered."""
        families = [family for family, kind in COMES.items() if kind == call["kind"]]
        return set().union(*(self.barred[family] for family in families)) - self.opened

    def closed(self) -> tuple[str, ...]:
        return tuple(sorted(self.named - self.opened))

    def changed(self, step: Json) -> Json:
        if (
            step["step"] == "register"
            and step["family"] in self.families
            and not step.get("odd")
            and self.choices.chance(30)
        ):
            wait = self.waiting()
            self.barred[step["family"]].add(wait["latch"])
            return step | {"do": self.inserted(wait, step["do"])}
        if step["step"] != "call" or not (self.choices.chance(60) or self.bars(step)):
            return step
        if self.choices.chance(70):
            step = step | {"provider": self.inserted(self.waiting(), step.get("provider", []))}
        return step | {"background": True}

    def inserted(self, wait: Json, ops: list[Json]) -> list[Json]:
        at = self.choices.integer(0, len(ops))
        return [*ops[:at], wait, *ops[at:]]

    def waiting(self) -> Json:
        latch = self.choices.pick(LATCHES)
        self.named.add(latch)
        return {"op": "wait", "latch": latch}
