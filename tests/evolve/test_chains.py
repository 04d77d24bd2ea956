"""Thousands of references that lead to one another are followed in no time, or said to be too many."""

from __future__ import annotations

import pytest

from bindproof.evolve.chains import end_of, is_chained, straightened
from bindproof.evolve.effort import DEEPEST_ASKED, depth_asked
from tests.evolve.schemas_of import Json, side, together, word

MANY = 400


def chain(last: Json, length: int = MANY, **beside: Json) -> Json:
    links = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}", **beside} for n in range(length)}
    return {"$ref": "#/$defs/d0", "$defs": {**links, f"d{length}": last}}


@pytest.mark.long
def test_a_chain_has_an_answer_of_its_end() -> None:
    found = together(*(chain(last, 1000) for last in ({"type": "string"}, {"type": "string", "maxLength": 3})))
    assert found.old_to_new.witness == "aaaa"
    assert word(found.new_to_old) == "safe"


def test_the_schemas_that_are_straight_say_the_same() -> None:
    read = side(s=chain({"enum": [{"$ref": "#"}]}, 60))
    assert is_chained(read)
    straight = straightened(read)
    assert straight["s.json"].root["$ref"] == "http://schemas.invalid/s.json#/$defs/d60"
    assert straight["s.json"].root["$defs"]["d60"] == {"enum": [{"$ref": "#"}]}
    assert not is_chained(straight)


def test_chains_stay_where_it_matters_which_way_was_taken() -> None:
    assert not is_chained(side(s={**chain({"$dynamicRef": "#a"}), "$dynamicAnchor": "a"}))


def test_a_chain_that_leads_back_is_told_in_words() -> None:
    found = together(chain({"$ref": "#/$defs/d7"}), chain({"$ref": "#/$defs/d7", "maxLength": 3}))
    assert found.old_to_new.why == "s.json asks itself, or too many schemas, of one value."
    assert end_of(side(s=chain({"$ref": "#/$defs/d7"}, 9)), ("s.json", ())) in {
        ("s.json", ("$defs", f"d{n}")) for n in (7, 8, 9)
    }


@pytest.mark.long
@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "not", "beside"])
def test_schemas_one_in_the_other_are_told_to_be_too_deep(keyword: str) -> None:
    def deep(last: Json) -> Json:
        if keyword == "beside":
            return chain(last, minLength=1)
        links = {}
        for n in range(MANY):
            after = {"$ref": f"#/$defs/d{n + 1}"}
            links[f"d{n}"] = {keyword: after if keyword == "not" else [after, {"type": "null"}]}
        return {"$ref": "#/$defs/d0", "$defs": {**links, f"d{MANY}": last}}

    old, new = deep({"type": "string"}), deep({"type": "string", "maxLength": 3})
    found = together(old, new)
    assert found.old_to_new.why == f"s.json asks more than {DEEPEST_ASKED} schemas, one in the other, of one value."


def test_how_deep_one_value_is_asked() -> None:
    assert depth_asked(side(s=chain({}, 9)), ("s.json", ())) == 1
    assert depth_asked(side(s={"allOf": [{"anyOf": [{"not": {}}]}], "properties": {"a": {}}}), ("s.json", ())) == 4
    assert depth_asked(side(s={"anyOf": [{"type": "null"}, {"$ref": "#"}]}), ("s.json", ())) == 2
