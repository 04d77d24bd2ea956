"""`spec` and `explain`, on a copy of this repository's spec to which one vector is added."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bindproof.cli import main
from bindproof.core import paths

pytestmark = pytest.mark.long

VECTOR = {
    "title": "two marks in order",
    "exercises": ["MRK-002"],
    "scenario": {"steps": []},
    "defect": {"at": "/steps", "cut": True, "breaks": "AUT-002", "kind": "content_changed"},
}


@pytest.fixture
def root(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(repository / "spec", tmp_path / "spec")
    folder = tmp_path / "spec" / "relay" / "vectors" / "cli"
    folder.mkdir(parents=True)
    (folder / "mine.json").write_text(json.dumps(VECTOR), encoding="utf-8")
    monkeypatch.setattr(paths, "data_root", lambda: tmp_path)
    return tmp_path


def test_explain_a_requirement(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "MRK-002"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("MRK-002 Marks keep their order\nMUST · editions 0.5– · dialects all\n")
    assert "\n  relay/cli/mine  two marks in order\n" in out
    assert out.endswith("To judge it\n  bindproof run --requirement MRK-002\n")


def test_explain_the_built_in_requirement(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "REF-000"]) == 0
    assert capsys.readouterr().out.startswith("REF-000 ")


def test_explain_a_vector(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "relay/cli/mine"]) == 0
    assert capsys.readouterr().out == (
        "relay/cli/mine: two marks in order\n\n"
        "exercises MRK-002 · editions 0.5, 0.6, 0.7, 0.8, 0.9, 0.10, 0.11 · dialects all\n\n"
        '{\n  "steps": []\n}\n\n'
        "A negative: /steps is cut out.\n"
        "AUT-002 has that refused, with an error of kind content_changed.\n"
        "The scenario without that change runs too, and has to be accepted.\n\n"
        "Written in spec/relay/vectors/cli/mine.json.\n\n"
        "To act it out: bindproof replay relay/cli/mine\n"
    )


def test_explain_what_does_not_exist_offers_what_does(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "MRK-2"]) == 2
    assert capsys.readouterr().err.startswith("bindproof: there is no requirement or vector 'MRK-2'; did you mean MRK-")
    for written, meant in (("mrk-002", "MRK-002"), ("mine", "relay/cli/mine")):
        assert main(["explain", written]) == 2
        assert capsys.readouterr().err.endswith(f"; did you mean {meant}?\n")
    assert main(["explain", "zebra"]) == 2
    err = capsys.readouterr().err
    assert ", MID-, EVT-, OUT-, AUT-, MRK-" in err
    assert ": `bindproof spec list` shows them" in err


def test_list_has_chapters_requirements_and_vectors(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spec", "list", "relay"]) == 0
    out = capsys.readouterr().out
    assert ", 0.10 (locked), 0.11 (open)\n" in out
    assert "\n  MRK-002  MUST   0.5–      all     Marks keep their order\n" in out
    assert out.endswith(" vectors: bindproof spec list relay --vectors\n")


def test_list_vectors(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spec", "list", "--vectors"]) == 0
    out = capsys.readouterr().out
    mine = next(line for line in out.splitlines() if line.startswith("relay/cli/mine "))
    assert mine.split(maxsplit=1)[1] == "- two marks in order (MRK-002)"
    assert out.endswith("\n- is a negative: something in it has to be refused\n")


@pytest.mark.long
def test_check_of_a_whole_spec_says_what_agrees(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spec", "check"]) == 0
    assert capsys.readouterr().out.endswith(" vectors agree with each other and with the checks\n")


def test_list_faults(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spec", "list", "--faults", "relay"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == sorted(names)
    assert "swap_marks" in names


def test_list_what_is_left_open(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spec", "list", "--open"]) == 0
    assert "left open: " in capsys.readouterr().out


def test_show_a_chapter_as_it_is_written(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spec", "show", "marks"]) == 0
    chapter = (root / "spec" / "relay" / "05-marks.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out.strip() == chapter.strip()


def test_show_an_id(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spec", "show", "MRK-002"]) == 0
    assert capsys.readouterr().out.startswith("MRK-002 ")


def test_a_broken_chapter_is_named_with_its_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chapter = root / "spec" / "relay" / "05-marks.md"
    lines = chapter.read_text(encoding="utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("## MRK-002"))
    lines[at + 1] = "SOMETIMES"
    chapter.write_text("\n".join(lines), encoding="utf-8")
    assert main(["spec", "check"]) == 2
    assert f"spec/relay/05-marks.md:{at + 2}: MRK-002: " in capsys.readouterr().out
    assert main(["spec", "list"]) == 2
    assert f"bindproof: {chapter}:{at + 2}: MRK-002: " in capsys.readouterr().err


def test_a_malformed_vector_is_named_with_its_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "spec" / "relay" / "vectors" / "cli" / "mine.json").write_text('{\n"title": 3}', encoding="utf-8")
    assert main(["explain", "relay/cli/mine"]) == 2
    assert "spec/relay/vectors/cli/mine.json:2: " in capsys.readouterr().err


def test_a_suite_that_does_not_exist(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spec", "check", "meters"]) == 2
    said = "bindproof: there is no suite 'meters'; there is cells, interaction, interceptors, relay\n"
    assert capsys.readouterr().err == f"{said}`bindproof spec check --help` shows how it is used\n"


def test_accepting_a_changed_statement(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "spec" / "relay" / "requirements.lock").write_text("", encoding="utf-8")
    main(["spec", "check", "--accept", "MRK-002"])
    assert capsys.readouterr().out.startswith("accepted MRK-002\n")
    lock = (root / "spec" / "relay" / "requirements.lock").read_text(encoding="utf-8")
    assert [line.split()[0] for line in lock.splitlines() if not line.startswith("#")] == ["MRK-002"]


def test_changes_are_told_to_who_migrates(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spec", "changes", "0.8", "0.10"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("relay 0.8 → 0.9\n\nEvents name the root of their trajectory\n")
    assert "\nrelay 0.9 → 0.10\n\nThe caller gets the callback's own exception\n" in out
    assert main(["spec", "changes", "0.10", "0.8"]) == 2
    assert "0.8 does not come after 0.10" in capsys.readouterr().err
    assert main(["spec", "changes", "0.10", "0.11"]) == 0
    assert capsys.readouterr().out.startswith(
        "relay 0.10 → 0.11\n\nA call that a program ends as a failure is told as one\n"
    )


def test_only_an_edition_whose_files_agree_is_locked(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = root / "spec" / "cells"
    asked = ["spec", "lock", "0.169", "--suite", "cells"]
    lock = (folder / "requirements.lock").read_text(encoding="utf-8")
    (folder / "requirements.lock").write_text("", encoding="utf-8")
    assert main(asked) == 2
    told = capsys.readouterr().out.splitlines()
    assert "SHP-001 has not been accepted" in told[0]
    assert told[-1] == "nothing is locked: `bindproof spec check cells` has to be green before"
    assert not (folder / "editions.lock").exists()
    (folder / "requirements.lock").write_text(lock, encoding="utf-8")
    assert main(asked) == 0
    assert capsys.readouterr().out == 'now say state = "locked" of 0.169 in suite.toml\n'
    assert "\n0.169 SHP-001 " in (folder / "editions.lock").read_text(encoding="utf-8")
