"""Expected and observed, cut down to what a reader needs."""

from __future__ import annotations

import pytest

from bindproof.core.model import Evidence, Json
from bindproof.report.contrast import LONGEST, contrast

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
