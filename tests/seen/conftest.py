"""A log that is written beforehand, judged from the command line's words to the exit code."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bindproof.cli import main
from tests.conftest import REPOSITORY

Json = Any

PATHS = [REPOSITORY, REPOSITORY / "adapters" / "sdk" / "python", REPOSITORY / "reference_impl"]


def program(fake: str, *arguments: str) -> str:
    """The command line of a fake."""
    words = [sys.executable, "-S", str(REPOSITORY / "tests" / "fakes" / f"{fake}.py"), *arguments]
    return shlex.join(["env", f"PYTHONPATH={':'.join(map(str, PATHS))}", *words])


def scenario_file(folder: Path, *steps: Json, name: str = "mine.json") -> Path:
    """A vector in a file outside the spec."""
    file = folder / name
    file.write_text(json.dumps({"title": "t", "exercises": [], "scenario": {"steps": list(steps)}}), encoding="utf-8")
    return file


@dataclass(frozen=True, slots=True)
class Told:
    """How `replay` ended: its exit code, and the verdict as the log has it."""

    code: int
    verdict: Json

    def broken(self) -> dict[str, str | None]:
        """Requirement → the expectation that names it, of those that are broken."""
        return {one["requirement"]: one.get("expected_by") for one in self.verdict.get("broken", ())}


Replays = Callable[..., Told]


@pytest.fixture
def replays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Replays:
    """Judges a log as the answer of an adapter that drives `target`, and does nothing but what the log says."""

    def replay(
        subject: str | Path,
        log: list[Json],
        *words: str,
        target: tuple[str, str] = ("bindproof-reference", "1"),
        dialect: str = "wire",
        left: Sequence[Json] = (),
    ) -> Told:
        name, version = target
        edition = {"edition": "0.10"} if name == "bindproof-reference" else {}
        told = {
            "describe": {
                "target": {"name": name, "version": version, "language": "none", "runtime": "none"},
                "suites": {"relay": {"dialect": dialect, "capabilities": [], **edition}},
            },
            "observation": {"log": log, "left": list(left), "stray": []},
        }
        file = tmp_path / "told.json"
        file.write_text(json.dumps(told), encoding="utf-8")
        adapter = ("--adapter-command", f"mine={program('plays_a_log', str(file))}")
        code = main(["replay", str(subject), "--suite", "relay", *adapter, *words, "--json"])
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        (verdict,) = [line for line in lines if line["type"] == "verdict"]
        return Told(code, verdict)

    return replay
