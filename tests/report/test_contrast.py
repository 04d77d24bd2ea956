"""Expected and observed, cut down to what a reader needs."""

from __future__ import annotations

import pytest

from bindproof.core.model import Evidence, Json
from bindproof.report.contrast import LONGEST, MOST_PLACES, MOST_TEXT, contrast
from bindproof.report.in_words import together

LONG = {"data": {"filler": "x" * 400}, "name": "m1"}


@pytest.mark.parametrize(
    ("expected", "observed", "rows"),
    [
        pytest.param("a mark", "an end", [("", "a mark", "an end")], id="words stay as they are"),
        pytest.param(1, True, [("", "1", "true")], id="1 and true differ"),
        pytest.param({"a": 1}, None, [("", '{\n  "a": 1\n}', "null")], id="a null that was seen"),
        pytest.param(LONG, {**LONG, "name": "m2"}, [("/name", "m1", "m2")], id="large objects: what differs"),
        pytest.param(LONG, {**LONG, "a/b~c": 1}, [("/a~1b~0c", "absent", "1")], id="a member too many"),
        pytest.param([LONG, 1], [LONG], [("/1", "1", "absent")], id="an element too few"),
        pytest.param([LONG, 1], [LONG, 1.0], [("/1", "1", "1.0")], id="1 and 1.0 differ"),
    ],
)
def test_sides(expected: Json, observed: Json, rows: list[tuple[str, str, str]]) -> None:
    assert contrast(Evidence("s", "differs", 0, expected, observed)) == rows


def test_what_is_missing_is_nothing() -> None:
    assert contrast(Evidence("s", "no mark", None, "a mark", None)) == [("", "a mark", "nothing")]


def test_a_long_text_is_cut_and_says_how_much() -> None:
    (_, expected, _), *_ = contrast(Evidence("s", "differs", 0, "x" * (LONGEST + 5), "y"))
    assert expected.endswith("\n… (5 characters more in the log)")


def test_of_many_places_the_first_are_shown_and_the_others_counted() -> None:
    seen = {f"k{number}": "x" * 20 for number in range(15_000)}
    *rows, more = contrast(Evidence("s", "differs", 0, {"a": 1}, seen))
    assert [at for at, *_ in rows] == ["/a", *(f"/k{number}" for number in range(MOST_PLACES - 1))]
    assert more == ("…", f"{15_001 - MOST_PLACES} more places differ", "see the log (--results FILE)")


def test_of_long_values_fewer_places_are_shown() -> None:
    seen = [["y" * LONGEST] for _ in range(30)]
    *rows, more = contrast(Evidence("s", "differs", 0, [[]] * 30, seen))
    assert sum(len(one) + len(other) for _, one, other in rows) < MOST_TEXT + 2 * LONGEST
    assert more[1] == f"{30 - len(rows)} more places differ"


@pytest.mark.parametrize(
    ("expected", "told"),
    [
        ({"$literal": None}, "null"),
        ({"$any": True}, "(anything)"),
        ({"value": {"$one_of": [1, {"$literal": [2]}]}}, '{\n  "value": {\n    "one of": [\n      1,\n      [\n'),
        ({"error": {"$text": "a"}}, '{\n  "error": "(a text with \'a\')"\n}'),
    ],
)
def test_no_matcher_is_shown(expected: Json, told: str) -> None:
    ((_, shown, _),) = contrast(Evidence("program", "differs", 0, expected, "seen"))
    assert shown.startswith(told)


def test_an_error_in_the_place_of_a_value_is_one_failure() -> None:
    missing = Evidence("program", "differs", 0, {"$literal": None}, "(nothing)", "/value", about=("0",))
    instead = Evidence("program", "differs", 0, "(nothing)", {"kind": "unknown"}, "/error", about=("0",))
    other = Evidence("program", "differs", 1, 1, 2, "/value")
    (whole, rest) = together([missing, instead, other])
    assert rest is other
    assert whole.text == "error where the reference has value"
    assert (whole.expected, whole.observed, whole.at) == ({"value": None}, {"error": {"kind": "unknown"}}, "")
