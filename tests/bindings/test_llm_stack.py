"""The crate llm-stack behind its adapter: what the reference says, to the millisecond, but for what is known."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bindproof.cli import main
from bindproof.core.model import AdapterCommand
from bindproof.runner.fault_trials import check_faults
from bindproof.suites.choices import SeededChoices
from bindproof.targets import resolve
from tests.bindings.toolchains import toolchain
from tests.interceptors import FLAGGED, SUITE, broken, call, full, judged, retry, stack

pytestmark = [pytest.mark.binding, toolchain("llm-stack")]

Json = Any
SCENARIOS = 1000
RETRIES = 500


class Crate:
    """The adapter's process, spoken to without the harness."""

    def __init__(self, command: AdapterCommand) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(command.argv, cwd=command.cwd, env=dict(command.env), **pipes)  # type: ignore[call-overload]
        self.told = self.ask("initialize", {"protocol_versions": [1], "harness": {"name": "tests", "version": "1"}})

    def ask(self, method: str, params: Json) -> Json:
        """The result of a request."""
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["result"]

    def log(self, scenario: Json) -> list[Json]:
        """The log of a complete scenario."""
        log: list[Json] = self.ask("run", {"suite": "interceptors", "scenario": scenario})["observation"]["log"]
        return log


@pytest.fixture(scope="module")
def command() -> AdapterCommand:
    """How to start the adapter, built with cargo on first use."""
    found = resolve("llm-stack", required=True, progress=lambda _: None)
    assert isinstance(found, AdapterCommand), found
    return found


@pytest.fixture(scope="module")
def crate(command: AdapterCommand) -> Iterator[Crate]:
    """A process that has initialized."""
    started = Crate(command)
    yield started
    assert started.ask("shutdown", {}) == {}
    started.process.communicate()


def test_it_says_what_it_drives(crate: Crate, command: AdapterCommand) -> None:
    told = crate.told
    assert (told["target"]["name"], told["target"]["version"]) == ("llm-stack", command.version)
    assert told["suites"] == {"interceptors": {"dialect": "llm-stack", "capabilities": []}}
    assert set(command.files) == {"bindproof-llm-stack", "Cargo.lock"}


def test_every_vector_conforms_or_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--suite", "interceptors"]) == 0
    assert "2 of 2 adapters judged" in capsys.readouterr().out


def test_it_takes_every_step_of_smoke(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["smoke", "llm-stack", "--suite", "interceptors"]) == 0
    assert capsys.readouterr().out.count("ok   ") > len(SUITE.smoke)


def test_each_fault_breaks_exactly_what_it_names() -> None:
    found = check_faults("llm-stack", lambda text: None)
    assert len(found) == len(SUITE.faults)
    assert [(one.fault.name, one.broken) for one in found if not one.exact] == []


def test_generated_scenarios_are_as_the_reference_says(crate: Crate) -> None:
    different = {}
    for seed in range(SCENARIOS):
        scenario = SUITE.generate(SeededChoices(seed), "llm-stack")
        prepared = SUITE.prepare(scenario, "0.7", "llm-stack")
        found = broken(judged(prepared, crate.log(scenario)))
        if found and list(found) != ["REG-005"]:
            different[seed] = found
    assert different == {}


def drawn(random: Random) -> Json:
    """A retry whose numbers are anything that the language can say."""
    initial = random.choice([random.randint(0, 2000), random.randint(0, 10**6) / 1000])
    most = random.choice([random.randint(0, 10_000), random.randint(0, 10**7) / 1000, 10**9])
    multiplier = random.choice([random.uniform(0, 4), random.uniform(-3, 0), random.uniform(0, 1e6), 2.0, "NaN"])
    return retry(random.randint(1, 12), float(initial), float(most), multiplier)


def test_delays_of_any_retry_are_those_of_the_reference(crate: Crate) -> None:
    random = Random(0)
    for _ in range(RETRIES):
        layer = drawn(random)
        scenario = full(stack(layer), call({"after": random.randint(0, 3), "gives": FLAGGED}))
        prepared = SUITE.prepare(scenario, "0.7", "llm-stack")
        assert broken(judged(prepared, crate.log(scenario))) == {}, layer


def test_a_panic_is_the_error_of_its_step_and_the_next_scenario_is_as_ever(crate: Crate) -> None:
    log = crate.log(full(stack(retry(0, 1.0, 1.0, 1.0)), call()))
    error = {"type": "panic", "message": "at least one attempt should have been made"}
    assert log[1:] == [{"fact": "done", "step": "c", "error": error, "at": 0}, {"fact": "settled"}]
    assert crate.log(full(stack(), call()))[-2]["value"] == {"text": "ok"}
