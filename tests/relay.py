"""The suite `relay` as the tests ask it: scenarios prepared, run lawfully by the reference, judged."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest

from bindproof.core.model import Evidence, Judgement
from bindproof.core.paths import data_root
from bindproof.judge import judge
from bindproof.spec import Vector, holds_in, load, settings, vectors
from bindproof.suites import Prepared, Suite
from bindproof.suites import load as load_suite
from bindproof_reference.relay import resolve

Json = Any
Checks = dict[str, Callable[[Any], Sequence[Evidence] | None]]

SPEC = load(data_root(), "relay")
SUITE: Suite = load_suite(SPEC)
SETTINGS = settings(SPEC)
APART: list[tuple[str, str]] = [one for one in SETTINGS if one[1] != "wire" or one == ("0.10", "wire")]
"""The settings less those that show nothing of their own: Python acts out the canonical spelling in every edition, so
wire adds nothing to it but in one."""
EVERY = "BINDPROOF_EVERY_EDITION"
"""Set to 1 it has tried what lies between the ends: each edition in each dialect, each release of an edition."""
BETWEEN = pytest.mark.skipif(EVERY not in os.environ, reason=f"{EVERY}=1 has it tried: it lies between two that are")
NEWEST = SPEC.newest.name
VECTORS: list[Vector] = list(vectors(SPEC))


IN_EACH_EDITION = ("python", "native", "worker-raw")
"""Python has everything; of the two others a setting takes seconds."""


def at_the_ends() -> list[Any]:
    """APART as parameters: every edition as Python has it, or of few vectors; else the newest, the others if asked."""
    newest = {dialect: edition for edition, dialect in APART}
    tried = [dialect in IN_EACH_EDITION or newest[dialect] == edition for edition, dialect in APART]
    return [pytest.param(*one, marks=() if now else BETWEEN) for one, now in zip(APART, tried, strict=True)]


SUB: Json = {"step": "register", "as": "s", "family": "subscriber", "name": "s"}


def intercept(*ops: Json, name: str = "i", **more: Json) -> Json:
    """A step that registers an intercept, its id its name."""
    return {"step": "register", "as": name, "family": "llm.request", "name": name, "do": list(ops), **more}


def call(name: str = "c", **more: Json) -> Json:
    """A step that calls `gpt`."""
    return {"step": "call", "as": name, "name": "gpt", **more}


def marks(*names: str) -> Json:
    """An op that appends a mark of each name."""
    return {"op": "edit", "append": {"/pending_marks": [{"name": name} for name in names]}}


def plain(dialect: str) -> Json:
    """A dialect as the reference is given it."""
    return SPEC.dialects[dialect].as_json()


@cache
def checks_of(edition: str, dialect: str) -> Checks:
    """The checks of the requirements in force."""
    rules = SPEC.requirements
    return {name: check for name, check in SUITE.checks.items() if holds_in(rules[name], edition, dialect)}


def prepare(*steps: Json, edition: str = NEWEST, dialect: str = "wire") -> Prepared:
    """A scenario of these steps, completed and prepared."""
    return SUITE.prepare(SUITE.complete({"steps": list(steps)}), edition, dialect)


_as_text = json.JSONEncoder(check_circular=False).encode
"""`json.dumps` less a fifth: no value of a test holds itself."""


def through_json(value: Json) -> Json:
    """What arrives of a value that is sent as JSON."""
    return json.loads(_as_text(value))


def lawful(prepared: Prepared, seed: int, dialect: str) -> list[Json]:
    """The log of one lawful run, as it arrives from an adapter."""
    log: list[Json] = through_json(resolve(through_json(prepared.prediction), seed, plain(dialect)))
    return log


def judged(prepared: Prepared, log: list[Json], edition: str, dialect: str) -> tuple[Judgement, ...]:
    """What the judge says of a log."""
    return judge(prepared, log, checks_of(edition, dialect), lanes(prepared))


def lanes(prepared: Prepared) -> Callable[[Json], str]:
    """What tells the lane of a record of a prepared scenario's logs."""
    return SUITE.lanes(prepared.spelled)


def broken(judgements: Sequence[Judgement]) -> dict[str, str]:
    """Requirement → the first failure's text, of those that do not hold."""
    return {one.requirement: one.failures[0].text for one in judgements if not one.holds}
