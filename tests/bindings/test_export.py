"""The runner of docs/ judges the real Node.js package from an export alone: neither Python nor a package helps it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.runner.exporting import export
from bindproof.suites import load
from bindproof.targets import resolve
from tests.relay import SPEC
from tests.repo.sources import ROOT

Json = Any

pytestmark = pytest.mark.binding

RUNNER = ROOT / "docs" / "runner.mjs"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("export")
    export(SPEC, load(SPEC), there, editions=["0.9"], dialects=["node"], wanted=["relay/marks/*"])
    return there


@pytest.fixture(scope="module")
def answers(folder: Path) -> bytes:
    """What the real package answers to the questions of the export."""
    command = resolve("node", required=True, progress=lambda _: None)
    assert isinstance(command, AdapterCommand), command
    asked = (folder / "asked" / "0.9" / "node.jsonl").read_bytes()
    return subprocess.run(
        command.argv, input=asked, cwd=folder, env=dict(command.env), capture_output=True, timeout=120, check=True
    ).stdout


def judged(folder: Path, answers: bytes) -> dict[str, set[str]]:
    """Return verdict → what it was told of."""
    words = ["node", str(RUNNER), str(folder), "0.9", "node"]
    done = subprocess.run(words, input=answers, capture_output=True, timeout=120, check=False)
    told: dict[str, set[str]] = {}
    for line in done.stdout.decode().splitlines():
        verdict, _, title = line.partition(" ")
        told.setdefault(verdict, set()).add(title)
    assert done.returncode == (0 if told.keys() == {"conforms"} else 1), done.stderr
    return told


KNOWN = {"relay/marks/key-with-nul", "relay/marks/severity-beside-text"}
"""What `spec/relay/expectations/node.toml` explains of these vectors."""


def test_it_has_fifty_lines() -> None:
    lines = RUNNER.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 120


def test_the_real_package_diverges_where_it_is_known_to_and_nowhere_else(folder: Path, answers: bytes) -> None:
    told = judged(folder, answers)
    assert told.keys() == {"conforms", "diverges"}
    assert told["diverges"] == KNOWN
    assert len(told["conforms"]) > 25


def test_no_log_with_a_planted_fault_is_taken(folder: Path) -> None:
    planted = (folder / "must-fail" / "0.9" / "node.jsonl").read_bytes()
    told = judged(folder, planted)
    assert told.keys() == {"diverges", "unanswered"}
    assert len(told["diverges"]) == len(planted.splitlines()) > 40


def test_what_is_not_answered_is_told(folder: Path) -> None:
    assert judged(folder, b"").keys() == {"unanswered"}


def test_a_wrong_prediction_is_found(folder: Path, answers: bytes, tmp_path: Path) -> None:
    spoiled = tmp_path / "spoiled"
    shutil.copytree(folder, spoiled)
    for title, spoil in WRONG.items():
        file = spoiled / "vectors" / "marks" / f"{title}.json"
        vector = json.loads(file.read_text(encoding="utf-8"))
        for one in vector["runs"][-1]["plain"]:
            spoil(one)
        file.write_text(json.dumps(vector), encoding="utf-8")
    told = judged(spoiled, answers)
    assert told["diverges"] == KNOWN | {f"relay/marks/{title}" for title in WRONG}


def _another_name(one: Json) -> None:
    next(record for record in one["records"] if "event" in record)["event"]["name"] = "another"


def _another_parent(one: Json) -> None:
    next(place for place in one["open"] if place["key"] == "parent_uuid")["says"]["names"] = ["call", "end of call"]


def _sooner(one: Json) -> None:
    next(place for place in one["open"] if place["rule"] == "time" and place["says"]["of"])["says"]["most"] = "999"


def _another_kind(one: Json) -> None:
    next(place for place in one["open"] if place["rule"] == "error")["says"]["kind"] = "codec_failed"


def _the_other_way_round(one: Json) -> None:
    one["after"] = [pair[::-1] for pair in one["after"]]


def _one_less(one: Json) -> None:
    one["records"].pop()


WRONG = {
    "two-in-order": _another_name,
    "same-name": _another_parent,
    "chain-order": _sooner,
    "key-bogus": _another_kind,
    "provider-fails": _the_other_way_round,
    "none": _one_less,
}
