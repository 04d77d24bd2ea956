"""Observations of the reference, changed: each is a verdict, and none is called a bug of ours.

Enters: a stream of random numbers. Leaves: nothing, or an AssertionError. An observation goes the way that it goes in a
run, from the line of a reply to the verdict.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

from bindproof.core.model import Plan, TargetInfo, Verdict
from bindproof.core.origins import Generated
from bindproof.core.paths import data_root
from bindproof.drive import Answer
from bindproof.protocol import messages
from bindproof.runner.assignment import Assignment
from bindproof.runner.known_divergences import Expectations
from bindproof.runner.setting import Setting
from bindproof.spec import Spec, load, settings, vectors
from bindproof.suites import load as load_suite
from bindproof.suites.choices import SeededChoices
from bindproof_reference import cells, interaction, interceptors, relay
from tests.fuzz.changes import changed

Json = Any

RESOLVE: dict[str, Callable[[Json, int, Json, Json], list[Json]]] = {
    "relay": relay.resolve,
    "interceptors": interceptors.resolve,
    "cells": cells.resolve,
    "interaction": interaction.resolve,
}
TIMES = 8
"""An observation is changed so often before the next scenario is made ready."""


def settings_of(spec: Spec) -> list[tuple[str, str]]:
    """Return the editions and dialects in which the reference has words for every error that the suite knows."""
    return [one for one in settings(spec) if spec.name == "relay" or one[1] == "wire"]


@cache
def _suite(name: str) -> tuple[Any, Any, list[tuple[str, str]], list[Any]]:
    spec = load(data_root(), name)
    return spec, load_suite(spec), settings_of(spec), list(vectors(spec))


class Observed:
    """The lawful observations of one scenario after the other, of a suite."""

    def __init__(self, suite: str, draw: random.Random) -> None:
        self.spec, self.suite, self.settings, self.vectors = _suite(suite)
        self.name, self.draw = suite, draw
        self.left = 0

    def __call__(self) -> None:
        """Change an observation once, and judge it."""
        if not self.left:
            self._next()
        self.left -= 1
        observation = changed(self.observation, self.draw)
        verdict = self._verdict(self._line(observation))
        assert verdict.outcome != "harness_error", (
            f"{verdict.reason}\n{json.dumps(self.plan.scenario)}\n{json.dumps(observation)}"
        )

    def _next(self) -> None:
        """Take another scenario, of which the unchanged observation conforms."""
        while True:
            edition, dialect = self.draw.choice(self.settings)
            scenario = self._scenario(dialect, edition)
            self.plan = Plan(Generated(0, 0), self.name, scenario)
            info = TargetInfo("", "", "", "", "", "", {self.name: {"dialect": dialect}})
            setting = Setting(self.spec, self.suite, edition, dialect, (), None)
            self.assignment = Assignment("a", setting, Expectations([], info.target, info.version))
            plain = self.spec.dialects[dialect].as_json()
            prepared = self.suite.prepare(scenario, edition, dialect)
            if "inexpressible" not in prepared.prediction:
                break
        prediction = json.loads(json.dumps(prepared.prediction))
        log = RESOLVE[self.name](prediction, self.draw.randrange(1000), plain, prepared.spelled)
        self.observation = {"log": log, "left": [], "stray": []}
        verdict = self._verdict(self._line(self.observation))
        assert verdict.outcome == "conforms", (verdict.outcome, verdict.reason, self.plan)
        self.left = TIMES

    def _scenario(self, dialect: str, edition: str) -> Json:
        if self.draw.random() < 0.5:
            return self.suite.generate(SeededChoices(self.draw.randrange(2**32)), dialect)
        fit = [one for one in self.vectors if one.runs_in(edition, dialect)]
        return self.suite.complete(self.draw.choice(fit).scenario)

    def _line(self, observation: Json) -> bytes:
        reply = {"jsonrpc": "2.0", "id": 1, "result": {"observation": observation}}
        return json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")

    def _verdict(self, line: bytes) -> Verdict:
        reply = messages.read_run_reply(line)
        job = self.assignment.send(self.plan)
        answer = Answer("a", job, reply.kind, reply.payload, reply.reason, raw=line)
        return self.assignment.verdict(answer)
