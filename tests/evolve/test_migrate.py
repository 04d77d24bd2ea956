"""Objects of an edition become objects of a later one as the notes say; what nobody can decide stays as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bindproof.evolve.migrate import Migration, is_exact
from bindproof.evolve.survival import lost_on_the_way
from bindproof.spec import load
from bindproof.spec.changes import changes_between
from bindproof.spec.files.models import Migrate
from bindproof.spec.migration import patch_of
from tests.evolve.spec_copy import relay_copy
from tests.relay import SPEC

Json = Any

OLD: Json = {"request": {"headers": {}, "content": None}, "annotated_request": None, "pending_marks": []}
NEW: Json = {**OLD, "optimization_contributions": []}
MARK = {
    "atof_version": "0.1",
    "kind": "mark",
    "category": None,
    "name": "m",
    "uuid": "019aa600-0000-7000-8000-000000000003",
    "parent_uuid": None,
    "timestamp": "2026-11-21T12:00:00.000001000+00:00",
    "category_profile": None,
    "data": None,
    "data_schema": None,
    "metadata": None,
}


@pytest.fixture(scope="module")
def way() -> Migration:
    return Migration(SPEC, "0.5", "0.10")


def test_an_object_goes_through_every_edition_between(way: Migration) -> None:
    moved = way.value(OLD)
    assert (moved.value, moved.kind, moved.changed, moved.undecided) == (NEW, "outcome", True, "")


def test_what_every_edition_takes_stays_as_it_is(way: Migration) -> None:
    moved = way.value({"name": "m"})
    assert (moved.value, moved.changed, moved.undecided) == ({"name": "m"}, False, "")


def test_what_no_note_makes_into_the_new_is_undecided_and_told_what_to_do(way: Migration) -> None:
    moved = way.value(MARK)
    assert moved.value == MARK
    assert "edition 0.9 takes it as no mark-event, and no note says how to make it one" in moved.undecided
    assert "Take `parent_uuid` of the outermost start for the root" in moved.undecided


@pytest.mark.parametrize("value", [{"x": 1}, [], None, {"name": 1}])
def test_what_the_old_edition_does_not_take_is_undecided(way: Migration, value: Json) -> None:
    assert "of edition 0.5" in way.value(value).undecided


def test_a_text_whose_numbers_would_lose_digits_is_undecided(way: Migration) -> None:
    long = json.dumps(OLD).replace("null", '{"n": 0.10000000000000000000001}', 1)
    assert "more digits" in way.text(long.encode()).undecided
    assert not way.text(long.replace("00001}", "}").encode()).undecided


@pytest.mark.parametrize(
    ("text", "exact"), [("[1.50, 1e2, 0.1]", True), ("1e-400", False), ("1.00000000000000001", False)]
)
def test_numbers_that_are_written_again_are_the_same_ones(text: str, exact: bool) -> None:
    assert is_exact(text) is exact


def test_the_notes_on_the_kinds_that_were_met_are_to_be_read(way: Migration) -> None:
    titles = [note.title for _, note in way.to_read({"pending-mark"})]
    assert titles == ["A pending mark may state a data schema and a severity"]


def table(patch: Json, at: str = "") -> Callable[[Json], Json]:
    return patch_of(Migrate(schema="s.json", at=at, patch=json.dumps(patch)))


@pytest.mark.parametrize(
    ("at", "before", "after"),
    [
        ("", {"a": 1}, {"b": 1}),
        ("", {"c": 1}, {"c": 1}),
        ("", [], []),
        ("/list/*", {"list": [{"a": 1}, {"c": 2}, 3]}, {"list": [{"b": 1}, {"c": 2}, 3]}),
        ("/list/1", {"list": [{"a": 1}, {"a": 2}]}, {"list": [{"a": 1}, {"b": 2}]}),
        ("/*/x", {"*": {"x": {"a": 1}}}, {"*": {"x": {"b": 1}}}),
        ("/list/*/a", {"list": {"a": 1}}, {"list": {"a": 1}}),
    ],
)
def test_a_patch_is_done_at_its_parts_and_only_where_it_fits(at: str, before: Json, after: Json) -> None:
    kept = json.dumps(before)
    assert table([{"op": "move", "from": "/a", "path": "/b"}], at)(before) == after
    assert json.dumps(before) == kept


def test_a_patch_of_which_a_test_fails_is_not_done_at_all() -> None:
    patch = [{"op": "add", "path": "/b", "value": 1}, {"op": "test", "path": "/a", "value": 1}]
    assert table(patch)({"a": True}) == {"a": True}
    assert table(patch)({"a": 1}) == {"a": 1, "b": 1}


@pytest.mark.parametrize("patch", [{}, [1], [{"op": "no", "path": ""}], [{"op": "add", "path": "x"}], 1, None])
def test_what_is_no_patch_is_refused(patch: Json) -> None:
    with pytest.raises(ValueError, match="`patch` is no"):
        table(patch)({"a": 1})


PATCH = '[{"op": "add", "path": "/optimization_contributions", "value": []}]'


@pytest.mark.long
@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ('[{"op": "add", "path": "/other", "value": []}]', "fails on an object of relay/"),
        (PATCH, ""),
    ],
)
def test_a_patch_that_loses_an_object_of_a_vector_is_told(tmp_path: Path, patch: str, said: str) -> None:
    relay_copy(tmp_path, "outcomes")
    notes = tmp_path / "spec/relay/changes/0.5--0.6.toml"
    notes.write_text(notes.read_text(encoding="utf-8").replace(PATCH, patch), encoding="utf-8")
    spec = load(tmp_path, "relay")
    (change,) = changes_between(spec, "0.5", "0.6")
    found = [problem.text for problem, _ in lost_on_the_way(spec, change)]
    assert [said in text for text in found] == ([True] if said else [])


@pytest.mark.long
def test_a_patch_that_is_tried_on_nothing_is_told(tmp_path: Path) -> None:
    spec = load(relay_copy(tmp_path), "relay")
    (change,) = changes_between(spec, "0.5", "0.6")
    assert ["is tried on nothing" in problem.text for problem, _ in lost_on_the_way(spec, change)] == [True]
