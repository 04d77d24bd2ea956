"""Guidance: which scenarios of a seed exercise what few others do, so that more of their kind are made.

Enters: a suite, its spec, a seed. Leaves: the numbers of rare scenarios. Only the reference is asked, so that every
adapter, every share and every machine is guided alike.

A campaign first looks at some scenarios of its own seed: which requirements do they exercise, in the reference's own
run? For each requirement that few of them exercise, some of those few are rare. A guided scenario then makes the
choices of a rare one, but for a few of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random

from bindproof.model import Json
from bindproof.spec import holds_in, settings
from bindproof.spec.models import Suite as Spec
from bindproof.suites import Prepared, Suite
from bindproof.suites.choices import SeededChoices

LOOKED_AT = 500
"""So many scenarios of the seed are looked at."""

FEW = 25
"""A requirement that no more of them exercise is a rare one."""

FRESH = 0.04
"""This part of a guided scenario's choices is its own, and always one of the first."""

NUMBER_BITS = 48
"""So many bits the number of a scenario has at most."""

FIRST = 12
"""So many choices almost every scenario has."""


def scenario_seed(seed: int, number: int) -> int:
    """Return what decides the choices of a scenario that is not guided: a number, since a text takes twice as long."""
    return (2 * abs(seed) + (seed < 0) << NUMBER_BITS) + number


def guided_choices(rare: int, seed: int, number: int) -> Callable[[], float]:
    """Return a source of choices: those of a rare scenario of the seed, but for a few that are this number's own."""
    theirs = Random(scenario_seed(seed, rare)).random  # noqa: S311 - a scenario, no secret
    own = Random(f"{seed}/{number}/own").random  # noqa: S311
    left = int(own() * FIRST)

    def choose() -> float:
        nonlocal left
        left -= 1
        same = theirs()
        return own() if own() < FRESH or left == -1 else same

    return choose


_KNOWN: dict[tuple[Path, int], tuple[int, ...]] = {}
"""Folder of a spec, seed → its rare numbers: the workers of a cluster ask again for every batch."""


def rare_numbers(suite: Suite, spec: Spec, seed: int) -> tuple[int, ...]:
    """Return the numbers of rare scenarios, each rare requirement's FEW times, whatever it has.

    Empty where the suite names no reference, or nothing is rare.
    """
    key = (spec.folder, seed)
    if key not in _KNOWN:
        _KNOWN[key] = _found(suite, spec, seed) if spec.reference else ()
    return _KNOWN[key]


def _found(suite: Suite, spec: Spec, seed: int) -> tuple[int, ...]:
    showing: dict[str, list[int]] = {}
    for number in range(LOOKED_AT):
        full = suite.complete(suite.generate(SeededChoices(scenario_seed(seed, number)), None))
        for requirement in _exercised(suite, spec, full):
            showing.setdefault(requirement, []).append(number)
    rare = sorted((numbers, name) for name, numbers in showing.items() if len(numbers) <= FEW)
    return tuple(number for numbers, _ in rare for number in _evenly(numbers))


def _evenly(numbers: list[int]) -> list[int]:
    """Return FEW numbers, so that each rare requirement has as many, however few scenarios exercise it."""
    return [numbers[at % len(numbers)] for at in range(FEW)]


def _exercised(suite: Suite, spec: Spec, full: Json) -> set[str]:
    """Return what a scenario exercises in the newest edition, in the last dialect that can say it."""
    edition = spec.newest.name
    for dialect in reversed([name for known, name in settings(spec) if known == edition]):
        prepared = suite.prepare(full, edition, dialect)
        if "inexpressible" not in prepared.prediction:
            return set(_judged(suite, spec, prepared, edition, dialect))
    return set()


def _judged(suite: Suite, spec: Spec, prepared: Prepared, edition: str, dialect: str) -> Iterator[str]:
    log = import_module(str(spec.reference)).resolve(prepared.prediction, 0, spec.dialects[dialect].as_json())
    _, view = prepared.observe(log)
    for name, check in suite.checks.items():
        rule = spec.requirements.get(name)
        if rule is not None and holds_in(rule, edition, dialect) and check(view) is not None:
            yield name
