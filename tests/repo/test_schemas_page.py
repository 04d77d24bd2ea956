"""docs/schemas.md: its Python program and its commands are run as they stand there."""

from __future__ import annotations

import json
import re
import runpy
import shlex
from pathlib import Path

import pytest
from check_jsonschema.cli.main_command import main as check_jsonschema
from click.testing import CliRunner

from bindproof.spec.bundle import bundle_file
from tests.relay import SPEC
from tests.repo.sources import ROOT

PAGE = (ROOT / "docs" / "schemas.md").read_text(encoding="utf-8")


def block(language: str, number: int = 0) -> str:
    return str(re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[number])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    whole = bundle_file(SPEC, "0.10").read_text(encoding="utf-8")
    (tmp_path / "0.10.json").write_text(whole, encoding="utf-8")
    forms = json.loads(whole)["$defs"]
    for name, form in (("event", "readers/scope-event.json"), ("outcome", "writers/outcome.json")):
        (tmp_path / f"{name}.json").write_text(json.dumps(forms[form]["examples"][0]), encoding="utf-8")
    return tmp_path


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_python_program_finds_the_member_too_much(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "page.py").write_text(block("python"), encoding="utf-8")
    runpy.run_path(str(folder / "page.py"))
    assert "'bogus' was unexpected" in capsys.readouterr().out


@pytest.mark.long
def test_the_commands_take_the_examples(folder: Path) -> None:
    for line in block("sh").splitlines():
        words = shlex.split(line)
        if words[0] == "echo":
            (folder / words[3]).write_text(words[1], encoding="utf-8")
            continue
        done = CliRunner().invoke(check_jsonschema, words[1:])
        assert done.exit_code == 0, done.output


def test_every_name_of_the_page_is_in_the_bundle() -> None:
    named = set(re.findall(r"`([a-z-]+\.json)`", PAGE)) - {"readers.json"}
    forms = json.loads(bundle_file(SPEC, "0.10").read_text(encoding="utf-8"))["$defs"]
    assert named == {form.rpartition("/")[2] for form in forms}
