"""The page of a report, without a browser: what it is made of, and that it needs nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bindproof.core.model import Evidence, Json
from bindproof.core.origins import Generated
from bindproof.report.html import anchor
from bindproof.report.page.beside import MOST_LINES, beside
from bindproof.report.page.moments import moments
from bindproof.report.page.picture import picture
from bindproof.report.page.scenarios import Scenarios
from bindproof.results import AdapterLine, Broken, FindingLine, Fold, Line, RunLine, Speaks, VerdictLine
from tests.report.formats import made
from tests.report.hostile import hostile_log

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab\n", max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=8,
)


class Parts(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.long
@pytest.mark.parametrize("hostile", [False, True], ids=["mixed", "hostile"])
def test_it_needs_no_network_and_links_into_itself(hostile: bool, mixed_log: list[Line]) -> None:
    parts = Parts(made("html", hostile_log() if hostile else mixed_log)).found
    ids = [attrs["id"] for _, attrs in parts if attrs.get("id")]
    assert len(ids) == len(set(ids))
    reaching = [attrs[name] for _, attrs in parts for name in ("href", "src", "action", "data") if name in attrs]
    assert {link for link in reaching if link != "data:,"} <= {f"#{name}" for name in ids}
    assert [tag for tag, attrs in parts if any(name.startswith("on") or name == "style" for name in attrs)] == []
    assert [tag for tag, _ in parts if tag in ("img", "iframe", "object", "x")] == []
    assert len([tag for tag, _ in parts if tag == "script"]) == 2


@pytest.mark.long
def test_it_says_what_the_log_says(mixed_log: list[Line]) -> None:
    text = made("html", mixed_log)
    for said in (
        "1 scenario ended in a fault of the adapter",
        "First in, first out.",
        "the marks come in another order",
        "bindproof replay relay/marks/two --adapter node",
        "the package spells it so",
        "it aborts",
        "the restarts are used up",
        "it could not be fetched",
        "spec/relay/expectations/node.toml:12",
    ):
        assert said in text


@pytest.mark.long
@given(st.text(), st.text())
def test_two_names_have_two_anchors(one: str, other: str) -> None:
    assert re.fullmatch(r"d-[A-Za-z0-9._-]*", anchor(one))
    if one.replace(" ", "-") != other.replace(" ", "-"):
        assert anchor(one) != anchor(other)


@pytest.mark.long
def test_what_a_campaign_found_is_shown_once_with_its_smallest_scenario(mixed_log: list[Line]) -> None:
    verdict = next(line for line in mixed_log if isinstance(line, VerdictLine) and line.unexpected)
    failures = verdict.broken[0].failures
    found = FindingLine(
        "small",
        "relay",
        "node",
        "diverges",
        "generated/1/7",
        {"steps": ["the smallest"]},
        breaks="MRK-001",
        failures=failures,
        also=("OUT-001",),
        observation=[{"fact": "settled"}] * 4,
        origin=Generated(1, 7),
    )
    also = Broken("OUT-001", failures)
    shown = replace(verdict, found=("small",), broken=(*verdict.broken, also))
    lines = [line if line is not verdict else shown for line in mixed_log]
    text = made("html", [*lines[:4], found, *lines[4:]])
    assert "the smallest" in text
    assert text.count('<section class="divergence is-broken" id="d-MRK-001-on-node"') == 1
    assert 'id="d-OUT-001-on-node"' not in text
    assert "bindproof fuzz --suite relay --seed 1 --first 7 --examples 1 --adapter node" in text
    assert '<g class="wrong">' in text


# Both sides


def sides(expected: Json, observed: Json) -> tuple[list[str], list[str], list[str]]:
    """What stands on each side, and what is marked."""
    rows = beside(Evidence("s", "differs", 0, expected, observed)).rows
    left = ["".join(piece.text for piece in row.expected) for row in rows if row.expected]
    right = ["".join(piece.text for piece in row.observed) for row in rows if row.observed]
    marked = [piece.text for row in rows for piece in (*row.expected, *row.observed) if piece.marked]
    return left, right, marked


def test_what_differs_is_marked_and_nothing_else() -> None:
    left, right, marked = sides({"a": 1, "b": "x1y"}, {"b": "x2y", "a": 1})
    assert left == ["{", '  "a": 1,', '  "b": "x1y"', "}"]
    assert right == ["{", '  "a": 1,', '  "b": "x2y"', "}"]
    assert marked == ["1", "2"]


@pytest.mark.long
@given(JSON)
def test_of_two_equal_values_nothing_is_marked(value: Json) -> None:
    assert sides(value, value)[2] == []


@pytest.mark.long
@given(st.dictionaries(st.text("ab", max_size=2), JSON, max_size=3), JSON)
def test_of_two_values_something_is_marked(one: Json, other: Json) -> None:
    marked = sides(one, other)[2]
    assert bool(marked) is (
        repr(one) != repr(other) and not (isinstance(other, dict) and sorted_(one) == sorted_(other))
    )


def sorted_(value: Json) -> str:
    """A value as text that knows no order of members, and tells 1 from true."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key!r}:{sorted_(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(sorted_, value)) + "]"
    return repr(value)


def test_what_is_missing_is_nothing() -> None:
    (row,) = beside(Evidence("s", "no mark", None, "a mark", None)).rows
    assert [piece.text for piece in row.observed if piece.marked] == ["nothing"]


def test_of_many_lines_the_others_are_counted() -> None:
    contrast = beside(Evidence("s", "differs", 0, list(range(500)), []))
    assert (len(contrast.rows), contrast.more) == (MOST_LINES, 502 - MOST_LINES)


# The picture


def drawn(record: Json) -> tuple[str, str]:
    return record.get("of", "program"), record["word"]


def lane_of(record: Json) -> str:
    return str(record.get("of", "program"))


def seen(observed: list[Json], due: dict[str, list[Json]] | None, wrong: int | None = None) -> list[tuple[str, str]]:
    broken = () if wrong is None else (Broken("X-1", (Evidence("program", "so", wrong),)),)
    prediction = None if due is None else {"lanes": due}
    line = VerdictLine("v", "s", "a", "diverges", broken=broken, observation=observed, prediction=prediction)
    return [(one.what, one.state) for one in moments(line, lane_of, drawn)]


def words(*names: str, of: str = "program") -> list[Json]:
    return [{"word": name, "of": of} for name in names]


@pytest.mark.parametrize(
    ("came", "due", "shown"),
    [
        (words("a", "b"), words("a", "b"), [("a", "as due"), ("b", "as due")]),
        (words("a", "c"), words("a", "b", "c"), [("a", "as due"), ("b", "missing"), ("c", "as due")]),
        (words("a", "x", "c"), words("a", "c"), [("a", "as due"), ("x", "extra"), ("c", "as due")]),
        (words("a"), words("a", "b"), [("a", "as due"), ("b", "missing")]),
        (words("b"), [{"$one_of": words("a", "b")}], [("b", "as due")]),
        (words("b"), [{"$maybe": words("a"), "of": 1}, *words("b")], [("b", "as due")]),
        (words("b", "a"), words("a", "b"), [("a", "missing"), ("b", "as due"), ("a", "extra")]),
    ],
    ids=["as due", "one missing", "one extra", "the last missing", "an alternative", "not needed", "swapped"],
)
def test_what_came_is_held_against_what_was_due(
    came: list[Json], due: list[Json], shown: list[tuple[str, str]]
) -> None:
    assert seen(came, {"program": due}) == shown


def test_a_record_that_the_verdict_blames_is_wrong() -> None:
    assert seen(words("a", "b"), {"program": words("a", "b")}, wrong=1) == [("a", "as due"), ("b", "wrong")]


def test_where_nothing_is_known_of_what_was_due_nothing_is_wrong_with_it() -> None:
    assert seen(words("a"), None) == [("a", "came")]


def test_lanes_are_kept_apart_and_time_is_one() -> None:
    came = [*words("a"), *words("e", of="s"), *words("b")]
    due = {"program": words("a", "b"), "s": [*words("d", "e", of="s")]}
    assert seen(came, due) == [("a", "as due"), ("d", "missing"), ("e", "as due"), ("b", "as due")]


def test_the_program_has_the_first_lane() -> None:
    came = [*words("e", of="s"), *words("a")]
    line = VerdictLine("v", "s", "a", "diverges", observation=came, prediction={"lanes": {}})
    drawing = picture(moments(line, lane_of, drawn))
    assert [lane.name for lane in drawing.lanes] == ["program", "s"]
    assert drawing.boxes[0].x > drawing.boxes[1].x
    assert drawing.boxes[0].y < drawing.boxes[1].y
    assert drawing.words == "2 records over time: 2 extra"


# All scenarios


def test_the_table_has_a_sign_for_each_adapter(mixed_log: list[Line]) -> None:
    scenarios = Scenarios()
    for line in mixed_log:
        if isinstance(line, VerdictLine):
            scenarios.add(line)
    table = scenarios.table()
    rows = {row[0]: [table["kinds"][int(sign)] if sign != "." else "" for sign in row[3]] for row in table["rows"]}
    assert table["adapters"] == ["reference", "node"]
    assert rows["relay/marks/two"] == ["conforms", "diverges"]
    assert rows["relay/dialects/one"] == ["", "known: diverges"]
    assert rows["relay/codec/one"] == ["", "known: crash"]
    assert table["unlisted"] == 0


@pytest.mark.long
def test_many_targets_have_narrow_columns(run_line: RunLine) -> None:
    def page(count: int) -> str:
        names = [f"python@0.{number}" for number in range(count)]
        lines: list[Line] = [replace(run_line, adapters=tuple(names))]
        lines += [AdapterLine(name, "ready", suites=(Speaks("relay", "0.9", "python", 0),)) for name in names]
        return made("html", [*lines, Fold.over(lines).summary()])

    assert '<table class="matrix">' in page(8)
    assert '<table class="matrix many">' in page(9)
