"""Guidance: which scenarios of a seed exercise what few others do, so that more of their kind are made.

Enters: a suite, its spec, a seed. Leaves: the numbers of rare scenarios. Only the reference is asked, so that every
adapter, every share and every machine is guided alike.

A campaign first looks at some scenarios of its own seed: which requirements do they exercise, in the reference's own
run? For each requirement that few of them exercise, some of those few are rare. A guided scenario then makes the
choices of a rare one, but for a few of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bindproof.core.model import Json
from bindproof.runner.setting import Setting
from bindproof.spec import settings
from bindproof.spec.models import Spec
from bindproof.suites import Suite, reference_of
from bindproof.suites.choices import NumberedChoices, SeededChoices, numbers
from bindproof.suites.runs import acted_out

LOOKED_AT = 500
"""So many scenarios of the seed are looked at."""

FEW = 25
"""A requirement that no more of them exercise is a rare one."""

FRESH = 4
"""Of a hundred choices of a guided scenario so many are its own, and always one of the first."""

FIRST = 12
"""So many choices almost every scenario has."""


def scenario_seed(seed: int, number: int) -> str:
    """Return what decides the choices of a scenario that is not guided."""
    return f"{seed}/{number}"


def guided_choices(rare: int, seed: int, number: int) -> Callable[[], int]:
    """Return a source of choices: those of a rare scenario of the seed, but for a few that are this number's own."""
    theirs, own = numbers(scenario_seed(seed, rare)), numbers(f"{scenario_seed(seed, number)}/own")
    fresh = NumberedChoices(own)
    left = fresh.integer(0, FIRST - 1)

    def choose() -> int:
        nonlocal left
        left -= 1
        same = theirs()
        return own() if fresh.chance(FRESH) or left == -1 else same

    return choose


_KNOWN: dict[tuple[Path, int, str | None], tuple[int, ...]] = {}
"""Folder of a spec, seed, the dialect that is drawn for → rare numbers. A cluster asks again for each batch."""


def rare_numbers(suite: Suite, spec: Spec, seed: int, draw_for: str | None = None) -> tuple[int, ...]:
    """Return the numbers of rare scenarios, each rare requirement's FEW times, whatever it has.

    draw_for: the dialect that scenarios are drawn for, None: anything.
    Empty where the suite names no reference, or nothing is rare.
    """
    key = (spec.folder, seed, draw_for)
    if key not in _KNOWN:
        _KNOWN[key] = _found(suite, spec, seed, draw_for) if spec.reference else ()
    return _KNOWN[key]


def _found(suite: Suite, spec: Spec, seed: int, draw_for: str | None) -> tuple[int, ...]:
    look = Look(suite, spec)
    showing: dict[str, list[int]] = {}
    for number in range(LOOKED_AT):
        full = suite.generate(SeededChoices(scenario_seed(seed, number)), draw_for)
        for requirement in look.exercised(full):
            showing.setdefault(requirement, []).append(number)
    rare = sorted((numbers, name) for name, numbers in showing.items() if len(numbers) <= FEW)
    return tuple(number for numbers, _ in rare for number in _evenly(numbers))


def _evenly(numbers: list[int]) -> list[int]:
    """Return FEW numbers, so that each rare requirement has as many, however few scenarios exercise it."""
    return [numbers[at % len(numbers)] for at in range(FEW)]


class Look:
    """What scenarios exercise in the reference's own run, in the newest edition."""

    def __init__(self, suite: Suite, spec: Spec) -> None:
        self._resolve = reference_of(spec).resolve
        newest = spec.newest.name
        dialects = [dialect for edition, dialect in settings(spec) if edition == newest]
        found = [Setting(spec, suite, newest, dialect, (), None) for dialect in reversed(dialects)]
        self._settings = [(setting, setting.checks(), spec.dialects[setting.dialect].as_json()) for setting in found]

    def exercised(self, full: Json) -> set[str]:
        """Return the requirements that a complete scenario exercises, in the last dialect that can say it."""
        for setting, checks, dialect in self._settings:
            prepared = setting.suite.prepare(full, setting.edition, setting.dialect)
            if "inexpressible" not in prepared.prediction:
                _, reading = prepared.observe(acted_out(self._resolve, prepared, 0, dialect))
                return {name for name, check in checks.items() if check(reading) is not None}
        return set()
