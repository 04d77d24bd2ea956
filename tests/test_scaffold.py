"""`bindproof new-suite`: what it writes runs beside bindproof, and is red after the edit that it marks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bindproof.cli import main
from bindproof.core.errors import UsageError
from bindproof.core.paths import templates_root
from bindproof.scaffold import Kind, name_for, write_suite
from tests.new_suites import bindproof, new_site

BINDING = "adapters/meters-python/binding/counter.py"
MARK = re.compile(r"# EDIT HERE: make it `(.+?)`")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return new_site(tmp_path)


@pytest.mark.long
def test_it_runs_and_is_red_after_the_marked_edit(site: Path) -> None:
    words = ("run", "--suite", "meters", "--adapter", "reference", "--adapter", "meters-python")
    code, said = bindproof(site, *words)
    assert (code, said.count("2 held")) == (0, 2), said
    binding = site / "bindproof_meters" / BINDING
    text = binding.read_text(encoding="utf-8")
    found = MARK.search(text)
    assert found is not None
    assert "max(0, self._total - number)" in text
    binding.write_text(text.replace("max(0, self._total - number)", found[1]), encoding="utf-8")
    code, said = bindproof(site, *words)
    assert code == 1, said
    assert "MET-002 Taking stops at zero\nMUST · broken on meters-python" in said


@pytest.mark.long
def test_its_spec_agrees_and_its_first_steps_are_taken(site: Path) -> None:
    code, said = bindproof(site, "spec", "check", "meters")
    assert code == 0, said
    assert re.search(r"^meters: 1 chapters, 2 requirements, .* agree with each other", said, re.MULTILINE)
    code, said = bindproof(site, "spec", "list")
    assert code == 0, said
    assert all(re.search(rf"^suite {name}: ", said, re.MULTILINE) for name in ("meters", "interceptors", "relay")), said


@pytest.mark.long
def test_a_suite_about_a_function_runs_and_is_red_after_the_marked_edit(tmp_path: Path) -> None:
    site = new_site(tmp_path, "function")
    words = ("run", "--suite", "meters", "--adapter", "meters-python")
    code, said = bindproof(site, "spec", "check", "meters")
    assert (code, "5 vectors agree" in said) == (0, True), said
    code, said = bindproof(site, *words, "--adapter", "meters-node")
    assert (code, said.count("2 held")) == (0, 2), said
    code, said = bindproof(site, "fuzz", *words[1:], "--examples", "20")
    assert (code, "nothing would judge a generated scenario" in said) == (2, True), said
    code, said = bindproof(site, "smoke", "meters-python", "--suite", "meters")
    assert code == 0, said
    binding = site / "bindproof_meters/adapters/meters-python/binding/sums.py"
    text = binding.read_text(encoding="utf-8")
    found = MARK.search(text)
    assert found is not None
    binding.write_text(text.replace('not re.fullmatch("[0-9]+", number)', found[1]), encoding="utf-8")
    code, said = bindproof(site, *words)
    assert code == 1, said
    assert "MET-002 Anything else is refused\nMUST · broken on meters-python" in said
    assert "an error of another kind came out" in said


@pytest.mark.long
def test_the_table_of_a_suite_about_a_function_makes_its_vectors(tmp_path: Path) -> None:
    folder = new_site(tmp_path, "function") / "bindproof_meters"
    vectors = folder / "spec" / "meters" / "vectors"
    before = {path: path.read_bytes() for path in vectors.rglob("*.json")}
    assert main(["import", str(folder / "table" / "mapping.toml")]) == 0
    assert {path: path.read_bytes() for path in vectors.rglob("*.json")} == before


KINDS: list[tuple[Kind, str]] = [("callbacks", "suite"), ("function", "function")]


@pytest.mark.long
@pytest.mark.parametrize(("kind", "template"), KINDS)
def test_every_word_of_the_template_is_replaced(kind: Kind, template: str, tmp_path: Path) -> None:
    site = new_site(tmp_path, kind)
    texts = {path: path.read_text(encoding="utf-8") for path in site.rglob("*") if path.is_file()}
    assert [path for path, text in texts.items() if "tally" in f"{path} {text}".lower()] == []
    assert [path for path, text in texts.items() if "TAL-" in text] == []


@pytest.mark.long
@pytest.mark.parametrize(("kind", "template"), KINDS)
def test_the_template_has_every_file_that_is_written(kind: Kind, template: str, tmp_path: Path) -> None:
    site = new_site(tmp_path, kind)
    written = {path.relative_to(site).as_posix() for path in site.rglob("*.py")}
    folder = templates_root() / template
    there = {path.relative_to(folder).as_posix().replace("tally", "meters") for path in folder.rglob("*.py")}
    assert written == there


@pytest.mark.parametrize(
    ("folder", "name"), [("meters", "meters"), ("bindproof-meters", "meters"), ("My-Meters2", "my_meters2")]
)
def test_the_name_comes_of_the_folder(folder: str, name: str) -> None:
    assert name_for(Path(folder)) == name


@pytest.mark.parametrize("name", ["relay", "2meters", "c", "Meters", "meters-2", "_x", "meters_"])
def test_a_name_that_will_not_do_is_refused_before_anything_is_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--name"):
        write_suite(tmp_path / "new", name)
    assert list(tmp_path.iterdir()) == []


def test_the_letters_of_the_requirements_are_not_taken(tmp_path: Path) -> None:
    write_suite(tmp_path, "mrkets")
    assert "## MRKE-001 " in (tmp_path / "bindproof_mrkets/spec/mrkets/01-totals.md").read_text(encoding="utf-8")


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").touch()
    assert main(["new-suite", str(tmp_path), "--name", "meters"]) == 2
    assert "is there already and not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.long
def test_what_to_do_next_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-suite", str(tmp_path / "bindproof-meters")]) == 0
    out = capsys.readouterr().out
    assert "files written: a suite 'meters'" in out
    assert f"pip install -e '{tmp_path}/bindproof-meters[test]'\n  bindproof run --suite meters\n" in out
