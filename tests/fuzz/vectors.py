"""Vectors, changed: each is refused with its place, or acted out by the reference so that its lawful run conforms.

Enters: a stream of random numbers, a folder to write in. Leaves: nothing, or an AssertionError.
"""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

from bindproof.core.errors import FileError
from bindproof.core.model import Plan
from bindproof.core.paths import data_root
from bindproof.judge import judge
from bindproof.runner.plans import plans_of
from bindproof.spec import holds_in, load, read_vector, vector_paths
from bindproof.suites import load as load_suite
from tests.fuzz.changes import changed, changed_bytes
from tests.fuzz.observations import RESOLVE, settings_of

SETTINGS = 2
"""A vector that can be read is acted out in so many of the editions and dialects that it is meant for."""


@cache
def _suite(name: str) -> tuple[Any, Any, list[bytes]]:
    spec = load(data_root(), name)
    return spec, load_suite(spec), [path.read_bytes() for path in vector_paths(spec).values()]


class Vectors:
    """The vectors of our own suites, of which each is changed as a value or as bytes."""

    def __init__(self, draw: random.Random, folder: Path) -> None:
        self.draw, self.path = draw, folder / "changed.json"

    def __call__(self) -> None:
        """Change a vector, read it, and judge the lawful runs of what it says."""
        spec, suite, given = _suite(self.draw.choice(("relay", "relay", "interceptors")))
        data = self.draw.choice(given)
        self.path.write_bytes(changed_vector(data, self.draw))
        try:
            vector = read_vector(spec, self.path, f"{spec.name}/changed")
            plans = plans_of(suite, vector)
        except FileError as error:
            assert str(error)
            assert error.line is not None
            return
        meant = [setting for setting in settings_of(spec) if vector.runs_in(*setting)]
        for edition, dialect in self.draw.sample(meant, min(SETTINGS, len(meant))):
            for plan in plans:
                try:
                    self._judged(spec, suite, plan, edition, dialect)
                except Exception as error:
                    error.add_note(f"{edition} {dialect}: {self.path.read_bytes()!r:.3000}")
                    raise

    def _judged(self, spec: Any, suite: Any, plan: Plan, edition: str, dialect: str) -> None:
        try:
            prepared = suite.prepare(plan.scenario, edition, dialect)
        except ValueError as error:
            assert str(error)
            return
        if "inexpressible" in prepared.prediction:
            return
        plain = spec.dialects[dialect].as_json()
        prediction = json.loads(json.dumps(prepared.prediction))
        log = json.loads(json.dumps(RESOLVE[spec.name](prediction, self.draw.randrange(99), plain, prepared.spelled)))
        checks = {
            one: check for one, check in suite.checks.items() if holds_in(spec.requirements[one], edition, dialect)
        }
        judgements = judge(prepared, log, checks, suite.lanes(plan.scenario))
        broken = [(one.requirement, one.failures[0].text) for one in judgements if not one.holds]
        assert not broken, broken


def changed_vector(data: bytes, draw: random.Random) -> bytes:
    """Return the bytes of a vector with something changed, mostly in its scenario."""
    if draw.random() < 0.3:
        return changed_bytes(data, draw)
    vector = json.loads(data)
    if draw.random() < 0.8:
        vector["scenario"] = changed(vector["scenario"], draw)
    else:
        vector = changed(vector, draw)
    return json.dumps(vector).encode()
