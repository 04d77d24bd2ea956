"""Ways to make a JSON document smaller."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from bindproof.core.smallest import size
from bindproof.runner.campaign.reductions import CUT, Reduction, applied, cuts, hoists, others, puts
from tests.choices import STEADY, json_values

Json = Any

DOCUMENT: Json = {"steps": [{"a": [1, 2]}, {"b": "word"}]}


def test_what_is_inside_another_edit_is_left_out() -> None:
    reductions = [Reduction(("steps", 0, "a", 1), CUT), Reduction(("steps", 0), CUT), Reduction(("steps", 1, "b"), "x")]
    assert applied(DOCUMENT, reductions) == {"steps": [{"b": "x"}]}
    assert DOCUMENT == {"steps": [{"a": [1, 2]}, {"b": "word"}]}


def test_several_items_of_a_list_go_at_once() -> None:
    reductions = [Reduction(("steps", 0, "a", 0), CUT), Reduction(("steps", 0, "a", 1), CUT)]
    assert applied(DOCUMENT, reductions) == {"steps": [{"a": []}, {"b": "word"}]}


def test_cuts_of_one_depth() -> None:
    assert [reduction.path for reduction in cuts(DOCUMENT, 2)] == [("steps", 0), ("steps", 1)]


def test_a_part_of_the_same_kind_comes_out() -> None:
    document = {"steps": [{"call": {"inner": {"k": 1}}}]}
    made = [applied(document, [reduction]) for reduction in hoists(document, 2)]
    assert made == [{"steps": [{"inner": {"k": 1}}]}, {"steps": [{"k": 1}]}]


@pytest.mark.parametrize(
    ("document", "smaller"),
    [
        ([{"do": [1]}, {"do": [2]}], [{"do": [1, 2]}]),
        ({"name": "word", "of": ["word"]}, {"name": "a", "of": ["a"]}),
        ({"/x/word": 1, "word": 1}, {"/x/a": 1, "a": 1}),
        (["b", "a"], ["a", "b"]),
        ({"do": [{"each": [[1, 2], [3]]}, 4]}, {"do": [1, 2, 4]}),
        ({"do": [{"each": [[1, 2], [3]]}, 4]}, {"do": [3, 4]}),
        ({"l": [{"as": "c", "x": 1}, {"of": "c"}, {"of": "d"}, {"of": "c"}]}, {"l": [{"as": "c"}, {"of": "d"}]}),
        ({"l": [{"of": "c"}, {"of": "d"}, {"of": "c"}]}, {"l": [{"of": "d"}]}),
    ],
)
def test_other_ways(document: Json, smaller: Json) -> None:
    assert smaller in list(others(document))


@pytest.mark.long
@STEADY
@given(json_values())
def test_every_edit_makes_a_document_smaller(document: Json) -> None:
    for reduction in [*cuts(document), *puts(document)]:
        assert size(applied(document, [reduction])) < size(document)
    for other in others(document):
        assert size(other) < size(document)
