"""`bindproof evolve diff`: what it takes, what it prints and how it ends."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bindproof.cli import main

pytestmark = pytest.mark.long

Json = Any

STRING = {"type": "object", "properties": {"a": {"type": "string"}}}
REQUIRED = {**STRING, "required": ["a"]}
DEFAULT = {"type": "object", "properties": {"a": {"type": "string", "default": "x"}}}


def write(path: Path, schema: Json) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(schema, indent=2), encoding="utf-8")
    return str(path)


def diff(tmp_path: Path, old: Json, new: Json, *words: str) -> int:
    sides = write(tmp_path / "old.json", old), write(tmp_path / "new.json", new)
    return main(["evolve", "diff", *sides, *words])


@pytest.mark.parametrize(
    ("new", "words", "code"),
    [
        ({**STRING, "title": "T"}, (), 0),
        (REQUIRED, (), 1),
        (REQUIRED, ("--direction", "new-to-old"), 0),
        (REQUIRED, ("--direction", "old-to-new"), 1),
        (DEFAULT, (), 4),
        ({"type": "strin"}, (), 2),
    ],
)
def test_the_exit_code_says_what_it_comes_to(tmp_path: Path, new: Json, words: tuple[str, ...], code: int) -> None:
    assert diff(tmp_path, STRING, new, *words) == code


@pytest.mark.parametrize("command", ["diff", "check"])
def test_schemas_that_take_too_long_to_read_are_unknown_and_said_to_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def for_ever(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr("bindproof.evolve.sides.two_sides", for_ever)
    sides = write(tmp_path / "old.json", STRING), write(tmp_path / "new.json", REQUIRED)
    assert main(["evolve", command, *sides, "--seconds", "0.01"]) == 4
    told = capsys.readouterr()
    assert told.out == ""
    assert "to read both sides took more than 0.01 seconds, so nothing is known; --seconds gives it more" in told.err


def test_two_empty_folders_are_nothing_to_compare(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    assert main(["evolve", "diff", str(tmp_path / "old"), str(tmp_path / "new")]) == 3


def test_the_report_has_file_line_pointer_grade_and_witness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(tmp_path, STRING, REQUIRED) == 1
    said = capsys.readouterr().out
    assert f"{tmp_path}/new.json:8: required added at /required" in said
    assert "WITNESS breaking  what old writers wrote, for new readers" in said
    assert "new.json: {}" in said
    assert "PROVED  safe" in said


def test_json_has_all_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(tmp_path, STRING, REQUIRED, "--json") == 1
    said = json.loads(capsys.readouterr().out)
    assert said["outcome"] == "breaking"
    (one,) = said["differences"]
    assert (one["pointer"], one["line"], one["new"], one["old_to_new"]["witness"]) == ("/required", 8, ["a"], {})
    assert len(one["fingerprint"]) == 12


def test_sarif_has_what_blocks_at_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(tmp_path, STRING, REQUIRED, "--report", "sarif") == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    (one,) = run["results"]
    place = one["locations"][0]["physicalLocation"]
    assert (one["level"], place["region"]["startLine"]) == ("error", 8)
    assert place["artifactLocation"]["uri"].endswith("new.json")


def test_markdown_shows_strange_texts_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    strange = "a|b`<b>"
    old, new = ({"properties": {strange: {"enum": values}}} for values in (["x"], ["y|`z"]))
    assert diff(tmp_path, old, new, "--report", "markdown") == 1
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert [row.replace("\\|", "").count("|") for row in rows] == [4, 4]


@pytest.fixture
def committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file whose first form is in a revision, in the working folder."""
    write(tmp_path / "schemas" / "a.json", STRING)
    settings = ["-c", "user.name=n", "-c", "user.email=n@a.example"]
    for words in (["init", "-q"], ["add", "."], [*settings, "commit", "-qm", "first"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "schemas" / "a.json"


def test_a_folder_is_compared_with_what_it_was_in_a_revision(
    committed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(committed, REQUIRED)
    assert main(["evolve", "diff", "HEAD:schemas", "schemas"]) == 1
    assert "\nschemas/a.json:8: required added" in capsys.readouterr().out
    assert main(["evolve", "diff", "HEAD:schemas", "HEAD:schemas"]) == 0
    assert main(["evolve", "diff", "HEAD~9:schemas", "schemas"]) == 2
    assert main(["evolve", "diff", "HEAD:other", "schemas"]) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [("HEAD:schemas", "schemas"), ("HEAD...:schemas", "schemas"), ("HEAD:schemas/a.json", "schemas/a.json")],
)
def test_what_went_is_shown_in_the_revision_that_had_it(
    old: str, new: str, committed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(committed, {})
    assert main(["evolve", "diff", old, new]) == 1
    assert f"\n{old.partition(':')[0]}:schemas/a.json:2: type removed" in capsys.readouterr().out
    assert main(["evolve", "diff", old, new, "--json"]) == 1
    assert {one["file"] for one in json.loads(capsys.readouterr().out)["differences"]} == {"schemas/a.json"}
    assert main(["evolve", "diff", old, new, "--report", "sarif"]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    places = [place["physicalLocation"]["artifactLocation"] for one in run["results"] for place in one["locations"]]
    assert {place["uri"] for place in places} == {"schemas/a.json"}


def test_editions_are_compared_with_their_requirements(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evolve", "diff", "relay:0.9", "relay:0.10", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert {one["pointer"] for one in said["differences"]} == {"/AUT-026", "/HLP-011", "/LIF-011", "/OUT-012"}
    assert {one["old_to_new"]["grade"] for one in said["differences"]} == {"RULE"}


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("nowhere.json", "is no file or folder, and neither SUITE:EDITION nor REVISION:PATH"),
        ("relay:9.9", "suite relay has no edition '9.9'; it has 0.4, 0.5"),
    ],
)
def test_a_word_that_means_nothing_is_told(word: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evolve", "diff", word, word]) == 2
    assert said in capsys.readouterr().err


def test_the_reviewers_page_has_difference_note_vectors_and_who_does_not_keep_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "run.jsonl"
    run = ["run", "--adapter", "reference", "--edition", "0.10", "--requirement", "LIF-011", "--suite", "relay"]
    main([*run, "--fault", "keep_tracestate", "--results", str(log)])
    capsys.readouterr()
    report = ["evolve", "report", "relay:0.9", "relay:0.10", "--results", str(log)]
    assert main(report) == 0
    said = capsys.readouterr().out
    rows = {line.split("`")[1]: line for line in said.splitlines() if line.startswith("| requirement added")}
    assert "The caller gets the callback's own exception" in rows["OUT-012"]
    assert "`relay/outcomes/first-fails` in 0.10 less original_exception" in rows["OUT-012"]
    assert rows["OUT-012"].endswith("| not judged in these runs |")
    assert rows["LIF-011"].endswith(": becomes non-conformant |")
    assert "becomes non-conformant: **bindproof-reference" in said
    assert main([*report, "--report", "html"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("<!doctype html>")
    assert '<span class="breaking">becomes non-conformant</span> <b>bindproof-reference' in page


def test_the_gate_says_what_is_missing_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evolve", "check", "relay:0.10", "relay:0.11", "--json"]) == 0
    (step,) = json.loads(capsys.readouterr().out)["steps"]
    noticed = step.pop("noticed")
    assert step == {"old": "relay:0.10", "new": "relay:0.11", "missing": []}
    assert len(noticed) == 5
    closed, fails = "one-chunk-closed-behind-a-failed-finalizer", "one-chunk-finalizer-fails"
    less = "in 0.11 less failed_finalizers_tell"
    for difference, names in {
        "75e7816e861b": (closed, f"{fails}-beside-data", fails),
        "8c145def2329": (closed,),
    }.items():
        assert noticed[difference] == [{"vector": f"relay/streams/{name}", "how": less} for name in names]


@pytest.mark.parametrize("words", [("relay:0.9", "interceptors:0.7"), ("relay:0.10", "relay:0.9"), ("relay", "relay")])
def test_the_gate_asks_for_two_editions_of_one_suite(words: tuple[str, str]) -> None:
    assert main(["evolve", "check", *words]) == 2
