"""What real packages did in vectors that show a shipped expectation, as in result logs.

`known_observations.jsonl` has a line for each.
"""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.model import Plan, Verdict
from bindproof.core.paths import data_root
from bindproof.judge import judge
from bindproof.runner.known_divergences import Expectations, known_divergences
from bindproof.runner.plans import plans_of
from bindproof.runner.setting import Setting
from bindproof.spec import Divergence, load, vectors
from bindproof.spec.models import Spec
from bindproof.suites import ObservationError, Prepared, Suite
from bindproof.suites import load as load_suite

Json = Any


@dataclass(frozen=True)
class Recorded:
    """What a package did in a scenario."""

    target: str
    version: str
    suite: str
    edition: str
    dialect: str
    plan: str
    """Of the vector, or of its twin."""
    log: list[Json]

    def __str__(self) -> str:
        return f"{self.target} {self.version} {self.plan}"


RECORDED = [
    Recorded(**json.loads(line))
    for line in (Path(__file__).parent / "known_observations.jsonl").read_text(encoding="utf-8").splitlines()
]
EACH = pytest.mark.parametrize("one", RECORDED, ids=str)


@cache
def suite_of(name: str) -> tuple[Spec, Suite, dict[str, Plan]]:
    spec = load(data_root(), name)
    suite = load_suite(spec)
    return spec, suite, {plan.id: plan for vector in vectors(spec) for plan in plans_of(suite, vector)}


OF_WHOLE_EDITIONS = [one for one in RECORDED if not suite_of(one.suite)[0].edition(one.edition).partial]
"""Those of which every record is judged; of a partial edition nothing is that no requirement speaks of."""


@cache
def shipped(suite: str) -> list[Divergence]:
    return known_divergences(suite_of(suite)[0], None, frozenset())


def prepared_for(one: Recorded) -> Prepared:
    _, suite, plans = suite_of(one.suite)
    return suite.prepare(plans[one.plan].scenario, one.edition, one.dialect)


def verdict_on(one: Recorded, log: list[Json]) -> Verdict:
    spec, suite, plans = suite_of(one.suite)
    setting = Setting(spec, suite, one.edition, one.dialect, (), None)
    judgements = judge(prepared_for(one), copy.deepcopy(log), setting.checks(), suite.lanes(plans[one.plan].scenario))
    return Verdict(plans[one.plan], "adapter", "diverges", judgements)


def is_known(one: Recorded, log: list[Json]) -> bool:
    """Tell whether every failure that a log shows is excused; of a log that is none nothing is."""
    try:
        verdict = verdict_on(one, log)
    except ObservationError:
        return False
    named = Expectations(shipped(one.suite), one.target, one.version).of_failures(verdict)
    return set(verdict.broken) == set(named)
