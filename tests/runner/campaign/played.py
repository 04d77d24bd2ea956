"""Smaller scenarios asked of the reference in this process, with a planted fault in front of the judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bindproof.runner.campaign.seeded_scenarios import SeededScenarios
from bindproof.runner.campaign.shrink import shrink
from tests.relay import NEWEST, SUITE, broken, judged, lawful, plain

Json = Any

DIALECT = "wire"


def shows(fault: str, requirement: str) -> Callable[[Json], bool]:
    """What tells whether a scenario shows a requirement broken by a planted fault."""
    planted = SUITE.faults[fault]

    def asked(scenario: Json) -> bool:
        prepared = SUITE.prepare(full := SUITE.complete(scenario), NEWEST, DIALECT)
        if "inexpressible" in prepared.prediction:
            return False
        spoiled = planted.plant(full, lawful(prepared, 0, DIALECT), plain(DIALECT), NEWEST)
        return spoiled is not None and requirement in broken(judged(prepared, spoiled, NEWEST, DIALECT))

    return asked


def legal(scenario: Json) -> bool:
    """Whether it is a scenario."""
    try:
        return bool(SUITE.prepare(SUITE.complete(scenario), NEWEST, DIALECT))
    except ValueError:
        return False


@dataclass(frozen=True)
class Made:
    """A smallest scenario, after how many questions."""

    scenario: Json
    acted: int


def made_smaller(scenario: Json, asked: Callable[[Json], bool]) -> Made:
    """A scenario made as small as it can be."""
    asking, acted = shrink(scenario, legal), 0
    try:
        batch = next(asking)
        while True:
            acted += len(batch)
            batch = asking.send([asked(one) for one in batch])
    except StopIteration as end:
        return Made(end.value, acted)


def first_of(seed: int, asked: Callable[[Json], bool], most: int = 3000) -> tuple[int, Json]:
    """The first generated scenario that shows it, with its number."""
    stream = SeededScenarios(SUITE, seed)
    for number in range(most):
        scenario = SUITE.brief(stream.scenario(number))
        if asked(scenario):
            return number, scenario
    raise AssertionError(f"none of {most} scenarios of seed {seed} shows it")
