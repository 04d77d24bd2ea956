"""The suite itself is sound: its files agree, and its bindings keep it."""

from __future__ import annotations

import subprocess
import sys

import pytest

ADAPTERS = ("tally-python", "tally-node")


def bindproof(*words: str) -> int:
    """Run one command; return its exit code, which README of bindproof explains."""
    return subprocess.run([sys.executable, "-m", "bindproof", *words], check=False).returncode


def test_the_files_of_the_spec_agree() -> None:
    assert bindproof("spec", "check", "tally") == 0


def test_the_bindings_keep_the_contract() -> None:
    assert bindproof("run", "--suite", "tally", *_adapters()) == 0


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_adapter_takes_every_step(adapter: str) -> None:
    assert bindproof("smoke", adapter, "--suite", "tally") == 0


def _adapters() -> list[str]:
    return [word for adapter in ADAPTERS for word in ("--adapter", adapter)]
