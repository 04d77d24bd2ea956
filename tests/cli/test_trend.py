"""`bindproof trend`: points in the order of time, and what changed from one to the next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from bindproof.cli import main
from bindproof.core.visible import visible
from bindproof.results import AdapterLine, Broken, Fold, Line, RunLine, Speaks, VerdictLine, encode


@pytest.fixture
def nightly(run_line: RunLine, tmp_path: Path) -> Path:
    """A folder of three logs, of which the one of the first day comes last by its name, and two files besides."""

    def log(name: str, started: str, version: str, *broken: str) -> None:
        target = f"python@{version}"
        verdicts = [
            VerdictLine(rule, "relay", target, "diverges", broken=(Broken(rule),), scenario={})
            if rule in broken
            else VerdictLine(rule, "relay", target, "conforms", held=(rule,))
            for rule in ("OUT-001", "MRK-001")
        ]
        lines: list[Line] = [
            replace(run_line, started=started, adapters=(target, "node")),
            AdapterLine(
                target, "ready", target="\u202et", version=version, suites=(Speaks("relay", "0.9", "python", 2),)
            ),
            AdapterLine("node", "unavailable", reason="no npm"),
            *verdicts,
        ]
        (tmp_path / name).write_bytes(b"".join(map(encode, [*lines, Fold.over(lines).summary()])))

    log("z.jsonl", "2026-01-01T03:00:00+00:00", "0.9.0", "OUT-001")
    log("a.jsonl", "2026-01-02T03:00:00+00:00", "0.9.1", "MRK-001")
    log("b.jsonl", "2026-01-03T03:00:00+00:00", "0.9.2")
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "notes.txt").write_text("no log", encoding="utf-8")
    return tmp_path


def test_points_come_in_the_order_of_time(nightly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trend", str(nightly), "--json"]) == 0
    out, err = capsys.readouterr()
    assert "left out: " in err
    assert "empty.jsonl: the file is empty" in err
    assert "notes.txt" not in err
    found = [one for one in json.loads(out) if one["series"] == "python"]
    assert [(one["version"], one["exit"], one["broke"], one["mended"]) for one in found] == [
        ("0.9.0", 1, [], []),
        ("0.9.1", 1, ["MRK-001"], ["OUT-001"]),
        ("0.9.2", 0, [], ["MRK-001"]),
    ]
    assert found[0]["counts"] == {"broken": 1, "held": 1}


def test_a_table_has_them_too(nightly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trend", str(nightly), "--adapter", "python"]) == 0
    out = capsys.readouterr().out
    assert "broke MRK-001; mended OUT-001" in " ".join(out.split())
    assert "node" not in out
    assert visible(out) == out


def test_what_was_not_judged_says_why(nightly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trend", str(nightly / "a.jsonl"), "--adapter", "node"]) == 0
    assert "unavailable: no npm" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("words", [["{}"], ["{}/no.jsonl"], ["{}/logs", "--adapter", "go"]])
def test_without_a_log_it_is_exit_2(
    words: list[str], nightly: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path_factory.mktemp("empty")
    (empty / "logs").symlink_to(nightly)
    assert main(["trend", *(word.format(empty) for word in words)]) == 2
    err = capsys.readouterr().err
    assert "there is no log" in err or "there is no such log" in err
