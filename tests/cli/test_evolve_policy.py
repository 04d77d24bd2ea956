"""`bindproof evolve check` of schemas without a suite: what a release may have, against the merge base too."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bindproof.cli import main
from tests.conftest import REPOSITORY
from tests.repo.sources import fenced

pytestmark = pytest.mark.long

Json = Any

OLD = {"type": "object", "properties": {"level": {"enum": ["a"]}}, "additionalProperties": False}
MORE = {**OLD, "properties": {"level": {"enum": ["a", "b"]}}}
REQUIRED = {**OLD, "required": ["level"]}
DEFAULT = {**OLD, "properties": {"level": {"enum": ["a"], "default": "a"}}}
POLICY = next(
    block
    for language, block in fenced((REPOSITORY / "docs" / "evolution.md").read_text(encoding="utf-8"))
    if language == "toml" and "[[allow]]" in block
)


def write(path: Path, schema: Json) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(schema, indent=2), encoding="utf-8")
    return str(path)


def check(tmp_path: Path, new: Json, *words: str, policy: str = POLICY) -> int:
    sides = write(tmp_path / "old.json", OLD), write(tmp_path / "new.json", new)
    (tmp_path / "policy.toml").write_text(policy, encoding="utf-8")
    return main(["evolve", "check", *sides, "--policy", str(tmp_path / "policy.toml"), *words])


def test_without_a_policy_nothing_that_breaks_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = write(tmp_path / "old.json", OLD), write(tmp_path / "new.json", MORE)
    assert main(["evolve", "check", *sides]) == 1
    said = capsys.readouterr().out
    assert "new.json:5: enum value added at /properties/level/enum [" in said
    assert '{"level": "b"}' in said
    assert "next: take it back, make a greater release, or allow 'enum value added' (new_to_old) in the policy" in said
    assert "1 difference; 1 not allowed in a patch release" in said


@pytest.mark.parametrize(
    ("new", "words", "code"),
    [
        (OLD, (), 0),
        (MORE, ("--release", "minor"), 0),
        (MORE, (), 1),
        (REQUIRED, ("--release", "minor"), 1),
        (REQUIRED, ("--release", "major"), 0),
        ({"type": "strin"}, (), 2),
        (DEFAULT, ("--release", "minor"), 4),
        (DEFAULT, ("--release", "major"), 0),
    ],
)
def test_the_exit_code_says_what_it_comes_to(tmp_path: Path, new: Json, words: tuple[str, ...], code: int) -> None:
    assert check(tmp_path, new, *words) == code


def test_two_empty_folders_are_nothing_to_compare(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    assert main(["evolve", "check", str(tmp_path / "old"), str(tmp_path / "new")]) == 3


def test_machines_are_told_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, REQUIRED, "--json") == 1
    said = json.loads(capsys.readouterr().out)
    assert [one["line"] for one in said["missing"]] == [11]
    assert said["release"] == "patch"


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ('[[allow]]\nrelease = "tiny"\nkinds = ["*"]\nreason = "r"', "policy.toml:2"),
        ('[[allow]]\nrelease = "minor"\nkinds = ["*"]', "policy.toml:1"),
        ("[[allow", "policy.toml:1"),
    ],
)
def test_a_policy_that_cannot_be_read_is_refused_with_its_line(
    tmp_path: Path, policy: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(tmp_path, OLD, policy=policy) == 2
    assert said in capsys.readouterr().err


def git(folder: Path, *words: str) -> None:
    settings = ["-c", "user.name=n", "-c", "user.email=n@a.example", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True)


def test_the_hook_answers_for_the_changes_of_a_branch_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The main branch breaks something meanwhile: that is not the branch's to answer for."""
    hook = (REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entry = re.findall(r"(?m)^  entry: bindproof (.*)$", hook)
    guide = (REPOSITORY / "docs" / "evolution.md").read_text(encoding="utf-8")
    (args,) = re.findall(r"(?m)^  args: (\[.*\])$", guide)
    command = [*entry[0].split(), *json.loads(args)]
    write(tmp_path / "schemas" / "a.json", OLD)
    write(tmp_path / "schemas" / "b.json", OLD)
    (tmp_path / "policy.toml").write_text(POLICY, encoding="utf-8")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    git(tmp_path, "checkout", "-qb", "work")
    write(tmp_path / "schemas" / "a.json", MORE)
    git(tmp_path, "commit", "-qam", "more")
    git(tmp_path, "checkout", "-q", "main")
    write(tmp_path / "schemas" / "b.json", MORE)
    git(tmp_path, "commit", "-qam", "elsewhere")
    git(tmp_path, "checkout", "-q", "work")
    monkeypatch.chdir(tmp_path)
    assert main(command) == 0
    write(tmp_path / "schemas" / "a.json", {**MORE, "required": ["level"]})
    assert main(command) == 1
    assert "schemas/a.json:12: required added" in capsys.readouterr().out
    assert main(["evolve", "check", "nowhere...:schemas", "schemas"]) == 2
