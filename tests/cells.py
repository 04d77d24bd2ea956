"""The suite `cells` as the tests ask it: scenarios prepared, run lawfully by the reference, judged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bindproof.core.model import Judgement
from bindproof.core.paths import data_root
from bindproof.judge import judge
from bindproof.spec import load, vectors
from bindproof.suites import Prepared
from bindproof.suites import load as load_suite
from bindproof_reference.cells import resolve

Json = Any

SPEC = load(data_root(), "cells")
SUITE = load_suite(SPEC)
EDITION = SPEC.edition_names[-1]
VECTORS = list(vectors(SPEC))


def prepare(*steps: Json) -> Prepared:
    """A scenario of these steps, completed and prepared."""
    return SUITE.prepare(SUITE.complete({"steps": list(steps)}), EDITION, "wire")


def through_json(value: Json) -> Json:
    """What arrives of a value that is sent as JSON."""
    return json.loads(json.dumps(value))


def lawful(prepared: Prepared, seed: int = 0) -> list[Json]:
    """The log of one lawful run, as it arrives from an adapter."""
    log: list[Json] = through_json(resolve(through_json(prepared.prediction), seed, {}, prepared.spelled))
    return log


def judged(prepared: Prepared, log: list[Json]) -> tuple[Judgement, ...]:
    """What the judge says of a log."""
    return judge(prepared, log, dict(SUITE.checks), SUITE.lanes({}))


def broken(judgements: Sequence[Judgement]) -> dict[str, str]:
    """Requirement → the first failure's text, of those that do not hold."""
    return {one.requirement: one.failures[0].text for one in judgements if not one.holds}
