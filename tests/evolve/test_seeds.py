"""What is tried first: the objects of notes and those in vectors, which show a break that no drawing would."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bindproof.evolve.findings import compared
from bindproof.evolve.seeds import MOST_OF_VECTORS, seeds_of
from bindproof.evolve.sides import edition_side
from bindproof.spec import load
from tests.conftest import REPOSITORY
from tests.evolve.spec_copy import relay_copy
from tests.relay import SPEC

pytestmark = pytest.mark.long


def test_the_objects_of_vectors_are_those_with_the_keys_of_a_schema() -> None:
    found = seeds_of(edition_side(SPEC, "0.11"))
    mark = json.loads((REPOSITORY / "spec/relay/vectors/marks/fields.json").read_text(encoding="utf-8"))
    assert mark["scenario"]["steps"][1]["do"][0]["append"]["/pending_marks"][0] in found["pending-mark.json"]
    assert 5 < len(found["llm-request.json"]) <= len(found["pending-mark.json"]) < MOST_OF_VECTORS + 20


def test_many_objects_that_differ_in_their_texts_alone_leave_none_of_another_shape_out(tmp_path: Path) -> None:
    """A vector of a thousand small marks, and one mark with more in it than any of them."""
    relay_copy(tmp_path)
    marks = [{"name": f"n{number}"} for number in range(1000)]
    whole = {"name": "the whole of it", "category": None, "category_profile": None, "data": [[{"deep": 1}]]}
    outcome = {"op": "edit", "append": {"/pending_marks": [*marks, whole]}}
    scenario = {"steps": [{"step": "register", "as": "i", "family": "llm.request", "name": "i", "do": [outcome]}]}
    vector = tmp_path / "spec/relay/vectors/marks/many.json"
    vector.parent.mkdir(parents=True)
    vector.write_text(json.dumps({"title": "Many", "exercises": ["MRK-006"], "scenario": scenario}), encoding="utf-8")
    found = seeds_of(edition_side(load(tmp_path, "relay"), "0.11"))["pending-mark.json"]
    assert whole in found
    assert len(found) <= MOST_OF_VECTORS + 20


def test_a_break_that_only_an_object_of_a_vector_shows_has_it_as_its_witness(tmp_path: Path) -> None:
    """Names of twenty letters are never drawn; only the author's new vector has one."""
    relay_copy(tmp_path)
    name = "a mark of some weight"
    mark = {"name": name, "category": None, "category_profile": None, "data": None, "metadata": None}
    outcome = {"op": "edit", "append": {"/pending_marks": [mark]}}
    scenario = {"steps": [{"step": "register", "as": "i", "family": "llm.request", "name": "i", "do": [outcome]}]}
    vector = tmp_path / "spec/relay/vectors/marks/heavy.json"
    vector.parent.mkdir(parents=True)
    vector.write_text(json.dumps({"title": "A mark", "exercises": ["MRK-006"], "scenario": scenario}), encoding="utf-8")
    path = tmp_path / "spec/relay/schemas/0.11/pending-mark.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    schema["properties"]["name"] = {**schema["properties"]["name"], "pattern": "^(?!a mark of some weight$)"}
    path.write_text(json.dumps(schema), encoding="utf-8")
    spec = load(tmp_path, "relay")
    found = compared(edition_side(spec, "0.10"), edition_side(spec, "0.11"), tries=30)
    (one,) = [
        decision for decision in found.schemas if decision.difference and decision.difference.kind == "pattern added"
    ]
    assert one.old_to_new.grade == "WITNESS"
    assert one.old_to_new.witness["name"] == name
