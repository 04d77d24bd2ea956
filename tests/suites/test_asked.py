"""Checks that are asked only where they can apply: where they are not asked, they would have had nothing to say."""

from __future__ import annotations

import pytest

from bindproof.runner.plans import plans_of
from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay import checks
from bindproof.suites.relay.checks import CHECKS
from bindproof.suites.relay.checks.common import Check
from tests.relay import NEWEST, SUITE, VECTORS, checks_of, lawful

OF_CHAPTERS: dict[str, Check] = {
    name: check for module in vars(checks).values() for name, check in getattr(module, "CHECKS", {}).items()
}
"""All checks, as their chapters have them: asked of everything."""

GENERATED = 150


@pytest.mark.long
@pytest.mark.parametrize(("dialect", "chapters"), [("python", OF_CHAPTERS), ("c", checks.boundary.CHECKS)])
def test_a_check_that_is_not_asked_would_not_apply(dialect: str, chapters: dict[str, Check]) -> None:
    """Dialect c has the chapter on the C boundary, which python has not. All but DLC-012 are asked of what is JSON."""
    edition = NEWEST
    written = [plan.scenario for one in VECTORS if one.runs_in(edition, dialect) for plan in plans_of(SUITE, one)]
    generated = [SUITE.generate(SeededChoices(seed), dialect) for seed in range(GENERATED)]
    here = {name: check for name, check in chapters.items() if name in checks_of(edition, dialect)}
    skipped, asked = set(), set()
    for scenario in written + generated:
        prepared = SUITE.prepare(scenario, edition, dialect)
        if "inexpressible" in prepared.prediction:
            continue
        _, reading = prepared.observe(lawful(prepared, 0, dialect))
        for name, check in here.items():
            if CHECKS[name](reading) is not None:
                asked.add(name)
            else:
                read = reading if name in checks.no_json.CHECKS else reading.in_json
                assert check(read) is None, f"{name} applies to {scenario}"
                skipped.add(name)
    assert skipped == set(here)
    assert asked == set(here)
