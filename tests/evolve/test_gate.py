"""The gate: red where what breaks has no note, a note nothing, or no vector notices; green on our own history."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from msgspec.structs import replace

from bindproof.evolve.cases import difference_of, proposals
from bindproof.evolve.findings import compared
from bindproof.evolve.gate import Fault, Step, checked, exit_code
from bindproof.evolve.sides import edition_side
from bindproof.evolve.skeleton import skeleton
from bindproof.spec import load
from bindproof.spec.changes import changes_between
from bindproof.spec.files.document import parse
from bindproof.spec.files.models import ChangesFile
from bindproof.spec.files.reader import of_form
from bindproof.spec.problem import Problem
from bindproof_reference.relay import editions
from tests.evolve.spec_copy import relay_copy
from tests.relay import SPEC

Json = Any
EXCEPTION = "fda9c7ab4748"
"""The fingerprint of OUT-012, which came with 0.10."""


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A data root whose spec may be changed."""
    yield relay_copy(tmp_path, "outcomes")
    shutil.rmtree(tmp_path / "spec")


@cache
def passed(old: str, new: str) -> Step:
    """A step of our own history, which several tests look at."""
    (found,) = checked(SPEC, old, new)
    return found


def step(root: Path, old: str = "0.9", new: str = "0.10") -> Step:
    (found,) = checked(load(root, "relay"), old, new)
    return found


def edited(path: Path, *pairs: tuple[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for before, after in pairs:
        assert before in text
        text = text.replace(before, after)
    path.write_text(text, encoding="utf-8")


def texts(found: Step) -> list[str]:
    return [fault.problem.text for fault in found.faults]


@pytest.mark.long
@pytest.mark.parametrize(("old", "new"), list(pairwise(SPEC.edition_names)))
def test_a_step_of_our_own_history_passes(old: str, new: str) -> None:
    found = passed(old, new)
    assert texts(found) == []
    assert all(found.noticed.values())
    assert exit_code([found]) == 0


@pytest.mark.long
def test_a_difference_without_a_note_is_told_with_its_line_and_the_next_command(root: Path) -> None:
    edited(root / "spec/relay/changes/0.9--0.10.toml", (f'differences = ["{EXCEPTION}"]\n', ""))
    found = step(root)
    (uncovered,) = [fault for fault in found.faults if "no note covers it" in fault.problem.text]
    assert uncovered.problem.file == "spec/relay/03-outcomes.md"
    assert uncovered.problem.line == SPEC.requirements["OUT-012"].line
    assert "requirement added at OUT-012 [fda9c7ab4748] is breaking, and no note covers it" in uncovered.problem.text
    assert uncovered.next == "bindproof evolve note relay:0.9 relay:0.10 >> spec/relay/changes/0.9--0.10.toml"
    assert any("covers no difference" in text for text in texts(found))
    assert exit_code([found]) == 1


@pytest.mark.long
def test_a_note_of_a_difference_that_is_not_there_is_told(root: Path) -> None:
    edited(root / "spec/relay/changes/0.9--0.10.toml", (f'"{EXCEPTION}"', f'"{EXCEPTION}", "0123456789ab"'))
    assert any("covers 0123456789ab: there is no such difference any more" in text for text in texts(step(root)))


@pytest.mark.long
@pytest.mark.parametrize(("editions", "told"), [('["0.10"]', True), ('["0.7"]', False)])
def test_an_erratum_explains_a_lost_difference_where_it_is_of_an_edition_of_the_step(
    root: Path, editions: str, told: bool
) -> None:
    edited(root / "spec/relay/changes/0.9--0.10.toml", (f'"{EXCEPTION}"', f'"{EXCEPTION}", "0123456789ab"'))
    suite = root / "spec/relay/suite.toml"
    erratum = f'date = "2026-01-01"\neditions = {editions}\ntouches = "OUT-012"\nreason = "Once."\ndigest = "gone"\n'
    suite.write_text(f"{suite.read_text(encoding='utf-8')}\n[[erratum]]\n{erratum}", encoding="utf-8")
    (text,) = [text for text in texts(step(root)) if "there is no such difference any more" in text]
    assert ("errata touch what it is about: OUT-012 (2026-01-01: Once.)" in text) is told


@pytest.mark.long
def test_a_locked_edition_that_changed_without_an_erratum_is_red(root: Path) -> None:
    (statement,) = [SPEC.requirements["OUT-012"].statement]
    chapter = root / "spec" / "relay" / "03-outcomes.md"
    text = chapter.read_text(encoding="utf-8")
    at = text.index("## OUT-012")
    end = text.index(".", text.index("\n\n", at))
    assert text[at:end].replace("\n", " ").endswith(statement.partition(".")[0])
    chapter.write_text(text[:end] + " at times" + text[end:], encoding="utf-8")
    found = step(root)
    first = found.faults[0]
    assert "edition 0.10 is locked, and OUT-012 has changed" in first.problem.text
    assert first.next == "bindproof evolve diff HEAD:spec/relay spec/relay says what that breaks"
    assert exit_code([found]) == 1


@pytest.mark.long
def test_an_example_that_does_not_behave_is_told(root: Path) -> None:
    edited(root / "spec/relay/changes/0.7--0.8.toml", ('breaks = ["readers"]', 'breaks = ["writers"]'))
    assert any("`breaks` says writers, its objects show readers" in text for text in texts(step(root, "0.7", "0.8")))


@pytest.mark.long
def test_without_its_vectors_a_difference_is_unnoticed(root: Path) -> None:
    for path in (root / "spec/relay/vectors").rglob("*.json"):
        if "OUT-012" in json.loads(path.read_text(encoding="utf-8"))["exercises"]:
            path.unlink()
    found = step(root)
    assert any(
        "at OUT-012 [fda9c7ab4748] can be taken back, and no vector exercises it" in text for text in texts(found)
    )
    assert found.faults[-1].next == f"bindproof evolve cases relay:0.9 relay:0.10 {EXCEPTION}"


@pytest.mark.long
def test_a_vector_that_exercises_a_difference_in_name_only_does_not_notice(root: Path) -> None:
    idle = root / "spec/relay/vectors/outcomes/idle.json"
    for path in (root / "spec/relay/vectors").rglob("*.json"):
        if "OUT-012" in json.loads(path.read_text(encoding="utf-8"))["exercises"]:
            path.unlink()
    scenario = {"steps": [{"step": "call", "as": "c", "name": "m"}]}
    idle.write_text(json.dumps({"title": "Nothing is raised", "exercises": ["OUT-012"], "scenario": scenario}))
    assert any("can be taken back, and none of 1 vectors notices" in text for text in texts(step(root)))


@pytest.mark.long
def test_a_reference_with_the_old_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {**editions._RULES, "0.10": editions.rules("0.10 less original_exception")}
    monkeypatch.setattr(editions, "_RULES", MappingProxyType(kept))
    (found,) = checked(SPEC, "0.9", "0.10")
    assert any("at OUT-012 [fda9c7ab4748] can be taken back, and none of" in text for text in texts(found))


def test_a_change_of_schemas_is_noticed_by_a_judge_that_has_the_old_part() -> None:
    found = passed("0.8", "0.9")
    schemas = [one.difference for one in found.findings.schemas if one.difference]
    assert {one.kind for one in schemas} == {"property added", "required name added"}
    for one in schemas:
        assert any("with the old part" in how for _, how in found.noticed[one.fingerprint])


@pytest.mark.long
def test_a_run_that_breaks_a_rule_as_it_is_notices_nothing(tmp_path: Path) -> None:
    """The reference tells no `origin` of the mark that it builds, which DLC-009 has it tell; less so without one."""
    root = relay_copy(tmp_path, "dialects")
    mark = root / "spec/relay/schemas/0.11/pending-mark.json"
    schema = json.loads(mark.read_text(encoding="utf-8"))
    schema["properties"]["origin"] = {"type": "string"}
    mark.write_text(json.dumps(schema, indent=2), encoding="utf-8")
    edited(
        root / "spec/relay/suite.toml", ('"data_schema", "severity"]\n\n', '"data_schema", "severity", "origin"]\n\n')
    )
    spec = load(root, "relay")
    (one,) = compared(edition_side(spec, "0.10"), edition_side(spec, "0.11")).schemas
    assert one.difference is not None
    (change,) = changes_between(spec, "0.10", "0.11")
    assert "relay/dialects/build-mark-category-a-number" not in [
        proposal.id for proposal in proposals(spec, change, one.difference, scenarios=0)
    ]


@pytest.mark.long
def test_a_new_required_member_is_red_until_note_and_vector_are_there(root: Path) -> None:
    mark = root / "spec/relay/schemas/0.11/pending-mark.json"
    schema = json.loads(mark.read_text(encoding="utf-8"))
    mark.write_text(json.dumps({**schema, "required": [*schema["required"], "severity"]}, indent=2), encoding="utf-8")
    found = step(root, "0.10", "0.11")
    assert any("required name added at /required" in text and "no note covers it" in text for text in texts(found))
    (decision,) = found.findings.schemas
    assert decision.old_to_new.grade == "WITNESS"
    assert "severity" not in json.dumps(decision.old_to_new.witness)


def test_what_nobody_knows_blocks_with_a_code_of_its_own_and_less_than_a_break() -> None:
    found = passed("0.9", "0.10")
    unknown, broken = (Fault(Problem("f", 1, "t"), "next", unknown=kind) for kind in (True, False))
    empty = replace(found.findings, compared=0)
    assert exit_code([replace(found, faults=(unknown,))]) == 4
    assert exit_code([replace(found, faults=(unknown, broken)), found]) == 1
    assert exit_code([replace(found, findings=empty)]) == 3
    assert exit_code([replace(found, findings=empty), found]) == 0


@pytest.mark.long
def test_the_skeleton_is_a_file_of_notes_that_covers_all(root: Path) -> None:
    (root / "spec/relay/changes/0.8--0.9.toml").write_text("", encoding="utf-8")
    spec = load(root, "relay")
    (change,) = changes_between(spec, "0.8", "0.9")
    findings = compared(edition_side(spec, "0.8"), edition_side(spec, "0.9"))
    written = of_form(ChangesFile, parse(skeleton(spec, change, findings).encode(), "notes.toml")).value
    assert {name for note in written.note for name in note.differences} == {
        one.difference.fingerprint for one in findings.each if one.difference
    }
    assert {name for note in written.note for name in note.schemas} == {
        f"{kind}-event.json#/properties/propagation_root_uuid" for kind in ("mark", "scope")
    }


@pytest.mark.long
def test_a_vector_is_proposed_that_notices(root: Path) -> None:
    spec = load(root, "relay")
    (change,) = changes_between(spec, "0.9", "0.10")
    one = difference_of(compared(edition_side(spec, "0.9"), edition_side(spec, "0.10")), EXCEPTION)
    found = proposals(spec, change, one)
    assert "relay/outcomes/first-fails" in [proposal.id for proposal in found]


@pytest.mark.long
def test_where_no_kept_vector_notices_a_generated_one_is_proposed(root: Path) -> None:
    shutil.rmtree(root / "spec/relay/vectors")
    spec = load(root, "relay")
    (change,) = changes_between(spec, "0.9", "0.10")
    one = difference_of(compared(edition_side(spec, "0.9"), edition_side(spec, "0.10")), EXCEPTION)
    found = proposals(spec, change, one, scenarios=60)
    assert found
    assert found[0].vector["exercises"] == ["OUT-012"]
    assert "0.10 less original_exception" in found[0].how
