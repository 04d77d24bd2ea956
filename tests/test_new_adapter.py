"""`bindproof new-adapter`: what it writes runs, is red after the edit that it marks, and `smoke` goes on from there."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from bindproof.cli import main
from bindproof.core.errors import UsageError
from bindproof.scaffold import Language, write_adapter
from tests.new_adapters import MARKED, VECTORS, edit_as_marked, new_adapter


def needs(language: Language, program: str) -> pytest.MarkDecorator:
    absent = f"unavailable: no {program}, with which an adapter in {language} is built"
    return pytest.mark.skipif(shutil.which(program) is None, reason=absent)


@pytest.mark.parametrize(
    "language",
    [
        "node",
        "other",
        pytest.param("c", marks=needs("c", "cc")),
        pytest.param("go", marks=[needs("go", "go"), pytest.mark.long]),
        pytest.param("rust", marks=[needs("rust", "cargo"), pytest.mark.binding, pytest.mark.long]),
    ],
)
def test_it_runs_and_is_red_after_the_marked_edit(
    language: Language, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The one in Python goes the same way in tests/repo/test_adapter_guide.py."""
    monkeypatch.chdir(tmp_path)
    adapter = new_adapter(tmp_path, language)
    run = ["run", "--adapter", "./gull", *VECTORS]
    assert main(run) == 0, capsys.readouterr().out
    said = capsys.readouterr().out
    assert re.search(r"1 of 1 adapter judged: [23] scenarios, 0 unexpected divergences", said), said
    edit_as_marked(adapter, language)
    assert main(run) == 1
    assert "MID-002 Lower priorities run first\nMUST · broken on ./gull" in capsys.readouterr().out


@pytest.mark.long
def test_smoke_says_what_is_missing_and_nothing_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    new_adapter(tmp_path, "python")
    assert main(["smoke", "./gull"]) == 4
    said = capsys.readouterr().out
    assert len(re.findall(r"^ok  ", said, re.MULTILINE)) == 10
    missing = re.findall(r"^MISSING .*\n +(.*)$", said, re.MULTILINE)
    assert len(missing) == 5
    assert all(line.startswith("unsupported: ") for line in missing), missing


@pytest.mark.parametrize("language", MARKED)
def test_every_word_of_the_template_is_replaced_and_programs_stay_programs(language: Language, tmp_path: Path) -> None:
    adapter = new_adapter(tmp_path, language)
    texts = {path: path.read_text(encoding="utf-8") for path in adapter.rglob("*") if path.is_file()}
    assert {"README.md", "adapter.toml", "conformance.yml"} <= {path.name for path in texts}
    assert [path for path, text in texts.items() if "starling" in f"{path} {text}".lower()] == []
    assert [path.name for path in texts if os.access(path, os.X_OK)] == (["adapter"] if language == "other" else [])


def test_the_two_toys_in_python_are_one(tmp_path: Path) -> None:
    toys = [new_adapter(tmp_path / language, language) / "binding/toy.py" for language in ("python", "other")]
    assert toys[0].read_bytes() == toys[1].read_bytes()


@pytest.mark.parametrize(
    ("folder", "reason"),
    [("Gull", "is no name for an adapter"), ("2gulls", "is no name"), ("gu_ll", "is no name"), ("node", "already")],
)
def test_a_name_that_will_not_do_is_refused_before_anything_is_written(
    folder: str, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=reason):
        write_adapter(tmp_path / folder, "python")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").touch()
    assert main(["new-adapter", str(tmp_path), "--language", "go"]) == 2
    assert "is there already and not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_place_where_nothing_can_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["new-adapter", str(tmp_path / "file" / "gull"), "--language", "python"]) == 2
    assert "cannot be written: Not a directory; name another folder" in capsys.readouterr().err


def test_what_to_do_next_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-adapter", "gull", "--language", "python"]) == 0
    assert "next:\n  bindproof smoke ./gull\n" in capsys.readouterr().out


@pytest.mark.long
def test_its_own_test_is_a_scenario_that_the_suite_judges(pytester: pytest.Pytester) -> None:
    """That it passes as it is, tests/repo/test_adapter_guide.py shows."""
    adapter = new_adapter(pytester.path, "python")
    edit_as_marked(adapter, "python")
    pytester.inline_run(str(adapter / "tests"), "-p", "no:cacheprovider").assertoutcome(failed=1)
