"""Programs of docs/probes/ run on the real package, alone, and print what they say."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.targets import resolve
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.binding


@pytest.fixture(scope="module")
def package() -> str:
    """The folder in which the default release of the Python package lies."""
    command = resolve("python", required=True, progress=lambda _: None)
    assert isinstance(command, AdapterCommand), command
    return command.env["PYTHONPATH"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("B09", "1.0 became 1.0: taken\n1 became 1.0: invalid argument: LLM request intercept 'i' changed"),
        ("G15", "registered as late (10), b (0), a (0), early (-5), they ran as early, a, b, late"),
        ("F23", "refused: invalid argument: execution continuation is no longer active"),
        ("G37", "the call gives {'ok': True}\nthe other one is told 2 events"),
        ("unknown-key-of-a-request", "refused: "),
        ("nulls-of-a-configuration", "given as it was stated"),
        (
            "listing-of-a-plugin",
            "'plain' of plugin, 'mine', number 1\n'nemo-relay-plugin.v1.mine:1:with a space' of glo",
        ),
    ],
)
def test_a_program_needs_the_package_alone_and_prints_what_it_sees(name: str, told: str, package: str) -> None:
    words = [sys.executable, "-S", "-s", "-u", str(REPOSITORY / "docs" / "probes" / f"{name}.py")]
    done = subprocess.run(
        words, env={**os.environ, "PYTHONPATH": package}, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.startswith(told), done.stderr  # how it ends says nothing: under load the package crashes at exit
