"""Generated raw steps on the real C library: nothing breaks but what an expectation of its names, in the same words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.drive import Answer, Job, drive
from bindproof.runner.excused_failures import excuses
from bindproof.spec import load_expectations, shipped_expectations
from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay.generators.raw import raw_scenario
from bindproof.targets import resolve
from tests.bindings.toolchains import toolchain
from tests.relay import NEWEST, SPEC, SUITE, judged

pytestmark = [pytest.mark.binding, toolchain("c")]

Json = Any

SCENARIOS = 300


def unexpected(command: AdapterCommand, seeds: Sequence[int]) -> Iterator[tuple[int, str, Json]]:
    """Yield seed, requirement and evidence of each divergence that nothing names, and each scenario that was lost."""
    known = [one for one in load_expectations(SPEC, shipped_expectations(SPEC)) if one.target == "nemo-relay-ffi"]
    prepared = {seed: SUITE.prepare(SUITE.complete(raw_scenario(SeededChoices(seed))), NEWEST, "c") for seed in seeds}
    runs = {seed: {"suite": "relay", "scenario": one.spelled} for seed, one in prepared.items()}
    jobs = [Job(str(seed), "relay", json.dumps(run).encode()) for seed, run in runs.items()]
    for answer in drive([(command, lambda _: jobs)]):
        if not isinstance(answer, Answer):
            continue
        seed = int(answer.job.id)
        if answer.outcome != "observation":
            yield seed, answer.outcome, answer.reason
            continue
        for one in judged(prepared[seed], answer.payload["log"], NEWEST, "c"):
            for failure in excuses(known, one)[1]:
                yield seed, one.requirement, failure


def test_generated_raw_steps_break_nothing_that_is_not_known() -> None:
    command = resolve("c", required=True, progress=lambda _: None)
    assert isinstance(command, AdapterCommand), command
    assert list(unexpected(command, range(SCENARIOS))) == []
