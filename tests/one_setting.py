"""A suite that has one setting, as the tests ask it: scenarios prepared, run lawfully by the reference, judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from bindproof.core.model import Judgement
from bindproof.core.paths import data_root
from bindproof.judge import judge
from bindproof.spec import load, vectors
from bindproof.suites import Prepared
from bindproof.suites import load as load_suite

Json = Any

DIALECT: Final = "wire"


class OneSetting:
    """A suite in its newest edition and the dialect `wire`. resolve: how its reference makes a run of a prediction."""

    def __init__(self, name: str, resolve: Callable[[Json, int, Json, Json], Json]) -> None:
        self.name = name
        self.spec = load(data_root(), name)
        self.suite = load_suite(self.spec)
        self.edition = self.spec.edition_names[-1]
        self.vectors = list(vectors(self.spec))
        self._resolve = resolve

    def prepare(self, *steps: Json) -> Prepared:
        """A scenario of these steps, completed and prepared."""
        return self.prepared(self.suite.complete({"steps": list(steps)}))

    def prepared(self, full: Json) -> Prepared:
        """A complete scenario, prepared."""
        return self.suite.prepare(full, self.edition, DIALECT)

    def lawful(self, prepared: Prepared, seed: int = 0) -> list[Json]:
        """The log of one lawful run, as it arrives from an adapter."""
        prediction = through_json(prepared.prediction)
        log: list[Json] = through_json(self._resolve(prediction, seed, {}, prepared.spelled))
        return log

    def judged(self, prepared: Prepared, log: list[Json]) -> tuple[Judgement, ...]:
        """What the judge says of a log."""
        return judge(prepared, log, dict(self.suite.checks), self.suite.lanes({}))


def through_json(value: Json) -> Json:
    """What arrives of a value that is sent as JSON."""
    return json.loads(json.dumps(value))


def broken(judgements: Sequence[Judgement]) -> dict[str, str]:
    """Requirement → the first failure's text, of those that do not hold."""
    return {one.requirement: one.failures[0].text for one in judgements if not one.holds}
