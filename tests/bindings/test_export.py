"""The runner of docs/ judges the real Node.js package from an export alone: neither Python nor a package helps it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.runner.exporting import export
from bindproof.suites import load
from bindproof.targets import resolve
from tests.relay import SPEC
from tests.repo.sources import ROOT

pytestmark = pytest.mark.binding

SETTING = ("0.9", "node", "relay/marks/")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("export")
    export(SPEC, load(SPEC), there, editions=["0.9"], dialects=["node"], wanted=["relay/marks/*"])
    return there


def judged(folder: Path, command: Sequence[str], env: dict[str, str] | None = None) -> tuple[list[str], dict[str, int]]:
    words = ["node", str(ROOT / "docs" / "runner.mjs"), str(folder), *SETTING, *command]
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False)
    *lines, counts = done.stdout.splitlines()
    return lines, json.loads(counts)


def test_the_real_package_diverges_where_it_is_known_to_and_nowhere_else(folder: Path) -> None:
    command = resolve("node", required=True, progress=lambda _: None)
    assert isinstance(command, AdapterCommand), command
    lines, counts = judged(folder, command.argv, dict(command.env))
    assert counts.keys() <= {"conforms", "diverges"}, lines
    known = {line.removeprefix("diverges ") for line in lines if line.startswith("diverges ")}
    assert known == KNOWN
    assert counts["conforms"] > 25


KNOWN = {"relay/marks/key-with-nul", "relay/marks/severity-beside-text"}
"""What `spec/relay/expectations/node.toml` explains of these vectors."""


def test_no_log_with_a_planted_fault_is_taken(folder: Path) -> None:
    lines, counts = judged(folder, [])
    assert counts.keys() == {"diverges"}, lines
    assert counts["diverges"] > 40
