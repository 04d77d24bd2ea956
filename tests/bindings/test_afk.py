"""The runner of AFK behind its adapter, on the checkout that AFK_SRC names."""

from __future__ import annotations

import os

import pytest

from bindproof.cli import main
from bindproof.core.model import AdapterCommand
from bindproof.runner.fault_trials import check_faults
from bindproof.suites.interaction.targets.checkout_target import CHECKOUT
from bindproof.targets import resolve
from tests.interaction import SUITE

NO_CHECKOUT = f"AFK is in no registry: {CHECKOUT} names a checkout"

pytestmark = [
    pytest.mark.binding,
    pytest.mark.long,
    pytest.mark.skipif(CHECKOUT not in os.environ, reason=NO_CHECKOUT),
]


@pytest.fixture(scope="module")
def command() -> AdapterCommand:
    """How to start the adapter; what AFK imports is installed on first use."""
    found = resolve("afk", required=True, progress=lambda _: None)
    assert isinstance(found, AdapterCommand), found
    return found


def test_every_vector_is_as_expected(command: AdapterCommand, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--suite", "interaction"]) == 0
    assert "2 of 2 adapters judged" in capsys.readouterr().out


def test_it_takes_every_step_of_smoke(command: AdapterCommand, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["smoke", "afk", "--suite", "interaction"]) == 0
    assert capsys.readouterr().out.count("ok   ") > len(SUITE.smoke)


def test_each_fault_breaks_exactly_what_it_names(command: AdapterCommand) -> None:
    found = check_faults("afk", lambda text: None)
    assert len(found) == len(SUITE.faults)
    assert [(one.fault.name, one.broken) for one in found if not one.exact] == []


def test_generated_scenarios_are_as_expected(command: AdapterCommand, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--suite", "interaction", "--adapter", "afk", "--examples", "1000"]) == 0
    assert "1000 scenarios, 0 unexpected divergences" in capsys.readouterr().out
