"""The suite itself is sound: its files agree, its bindings keep it, and each of its checks can fail."""

from __future__ import annotations

import subprocess
import sys

import pytest

ADAPTERS = ("reference", "tally-python", "tally-node")


def bindproof(*words: str) -> int:
    """Run one command; return its exit code, which README of bindproof explains."""
    return subprocess.run([sys.executable, "-m", "bindproof", *words], check=False).returncode


def test_the_files_of_the_spec_agree() -> None:
    assert bindproof("spec", "check", "tally") == 0


def test_the_bindings_keep_the_contract() -> None:
    assert bindproof("run", "--suite", "tally", *_adapters()) == 0


def test_generated_scenarios_are_kept_too() -> None:
    assert bindproof("fuzz", "--suite", "tally", *_adapters(), "--examples", "200") == 0


@pytest.mark.parametrize("fault", ["adds_one_less", "falls_below_zero"])
def test_a_planted_fault_is_found(fault: str) -> None:
    assert bindproof("run", "--suite", "tally", "--adapter", "reference", "--fault", fault) == 1


@pytest.mark.parametrize("adapter", ["tally-python", "tally-node"])
def test_each_fault_breaks_what_it_names_and_nothing_else(adapter: str) -> None:
    assert bindproof("adapters", "check", adapter, "--faults") == 0


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_adapter_takes_every_step(adapter: str) -> None:
    assert bindproof("smoke", adapter, "--suite", "tally") == 0


def _adapters() -> list[str]:
    return [word for adapter in ADAPTERS for word in ("--adapter", adapter)]
