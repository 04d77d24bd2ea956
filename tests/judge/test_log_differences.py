"""Behind a difference the comparison goes on, and tells each one for itself."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.model import Evidence
from bindproof.judge import compare
from bindproof.judge.log_differences import MOST, Comparison
from bindproof.judge.record_differences import MOST_MEMBERS

Json = Any


def lane_of(record: Json) -> str:
    return str(record["lane"])


def record(text: str) -> Json:
    """A record in short: `p:name=value`."""
    name, _, value = text.partition("=")
    lane, _, name = name.partition(":")
    return {"lane": lane, "fact": "told", "name": name, "value": int(value or 0)}


def log_of(text: str) -> list[Json]:
    return [record(word) for word in text.split()]


def prediction(text: str, after: Json = ()) -> Json:
    lanes: dict[str, list[Json]] = {}
    for one in log_of(text):
        lanes.setdefault(one["lane"], []).append(one)
    return {"lanes": lanes, "after": list(after)}


def told(found: list[Evidence]) -> list[str]:
    """Differences in short: the record, and what is wrong with it."""
    words = {"reference demands a": "missing", "allows no": "surplus", "at another": "moved", "comes before": "early"}
    texts = [(one, next((word for text, word in words.items() if text in one.text), one.at)) for one in found]
    return [f"{'-' if one.record is None else one.record} {word}" for one, word in texts]


@pytest.mark.parametrize(
    ("expected", "seen", "differences"),
    [
        ("p:a=1 p:b=1", "p:a=1 p:b=1", []),
        ("p:a=1 p:b=1", "p:a=2 p:b=2", ["0 /value", "1 /value"]),
        ("p:a=1 p:b=1 p:c=1", "p:b=1 p:c=2", ["- missing", "1 /value"]),
        ("p:a=1 p:b=1", "p:a=1 p:x=1 p:b=2", ["1 surplus", "2 /value"]),
        ("p:a=1 p:b=1 p:c=1", "p:b=1 p:a=1 p:c=2", ["1 moved", "2 /value"]),
        ("p:a=1 s:b=1", "p:a=2 s:b=2", ["0 /value", "1 /value"]),
        ("p:a=1 p:b=1", "", ["- missing", "- missing"]),
        ("", "p:a=1 x:b=1", ["0 surplus", "1 surplus"]),
    ],
)
def test_each_difference_is_told(expected: str, seen: str, differences: list[str]) -> None:
    assert sorted(told(compare(prediction(expected), log_of(seen), lane_of))) == sorted(differences)


def test_every_place_of_a_record_is_told() -> None:
    wanted = {"lane": "p", "fact": "told", "value": {"$literal": {"a": 1, "b": [1, {"c": 2}]}}, "more": {"d": 1}}
    seen = {"lane": "p", "fact": "told", "value": {"a": 2, "b": [1, {"c": 3}]}, "more": {"d": 2, "e": 1}}

    found = compare({"lanes": {"p": [wanted]}, "after": []}, [seen], lane_of)

    assert sorted(one.at for one in found) == ["/more/d", "/more/e", "/value/a", "/value/b/1/c"]


def test_each_record_that_comes_too_early_is_told() -> None:
    expected = prediction("p:a=1 p:b=1 s:c=1 s:d=1", [["s", 0, "p", 0], ["s", 1, "p", 1]])

    assert told(compare(expected, log_of("s:c=1 p:a=1 s:d=1 p:b=1"), lane_of)) == ["0 early", "2 early"]


@pytest.mark.parametrize(("seen", "differences"), [("m n b", []), ("m b", ["- missing"]), ("a b", []), ("n b", ["-"])])
def test_records_that_may_be_missing_are_told_where_some_are_there(seen: str, differences: list[str]) -> None:
    maybe = {"$maybe": [record("p:m"), record("p:n")], "of": "c"}
    lanes = {"p": [{"$one_of": [record("p:a"), record("p:a2")]}, maybe, record("p:b")]}
    log = log_of(" ".join(f"p:{name}" for name in ["a", *(word for word in seen.split() if word != "a")]))

    found = told(compare({"lanes": lanes, "after": []}, log, lane_of))

    assert [one.split()[0] for one in found] == [one.split()[0] for one in differences]


def test_what_has_to_be_missing_is_too_much() -> None:
    maybe = [{"$maybe": [record(f"p:m={n}")], "of": "c"} for n in range(2)]

    assert told(compare({"lanes": {"p": maybe}, "after": []}, log_of("p:m=1"), lane_of)) == ["0 surplus"]


@pytest.mark.parametrize(
    ("seen", "differences"),
    [("p:m", []), ("a:o p:m p:m", []), ("p:m p:m", ["0 surplus"])],
)
def test_what_comes_with_another_is_not_asked_for_where_that_is_missing(seen: str, differences: list[str]) -> None:
    """Another difference, in lane `q`, is told for itself."""
    maybe = {"$maybe": [record("p:m")], "of": "c", "with": ["a", 0]}
    lanes = {"p": [maybe, record("p:m")], "a": [{"$maybe": [record("a:o")], "of": "c"}], "q": [record("q:y")]}

    found = told(compare({"lanes": lanes, "after": []}, log_of(seen), lane_of))

    assert found == [*differences, "- missing"]


def with_ids(*values: Json) -> list[Json]:
    return [{"lane": "p", "fact": "told", "name": f"n{at}", "id": value} for at, value in enumerate(values)]


@pytest.mark.parametrize(
    ("labels", "first", "differing"),
    [
        (["x", "y", "y"], False, [0]),
        (["x", "y", "y"], True, [1, 2]),
        (["x", "x", "y"], False, [2]),
        (["x", "y"], False, [1]),
    ],
)
def test_an_identity_is_what_most_records_show_or_the_first(labels: list[str], first: bool, differing: Json) -> None:
    expected = {"lanes": {"p": with_ids(*[{"$id": "c"}] * len(labels))}, "after": []}

    comparison = Comparison(expected, with_ids(*labels), lane_of, first=first)

    assert [one.evidence.record for one in comparison.found] == differing


def timed(*times: Json) -> list[Json]:
    return [{"lane": "p", "fact": "told", "name": f"n{at}", "time": time} for at, time in enumerate(times)]


def chained(*waits: int) -> list[Json]:
    zero: Json = {"$time": {"as": "0", "equal": waits[0]}}
    later = ({"$time": {"as": f"{n}", "of": f"{n - 1}", "equal": wait}} for n, wait in enumerate(waits[1:], 1))
    return timed(zero, *later)


def test_a_wait_that_is_too_long_is_told_once() -> None:
    (found,) = compare({"lanes": {"p": chained(0, 5, 5, 5)}, "after": []}, timed(0, 7, 12, 17), lane_of)
    assert (found.record, found.expected, found.observed) == (1, 5, 7)


def test_a_time_is_measured_from_a_missing_one_too() -> None:
    log = [one for at, one in enumerate(timed(0, 5, 11, 16)) if at != 1]

    missing, late = compare({"lanes": {"p": chained(0, 5, 5, 5)}, "after": []}, log, lane_of)

    assert (missing.record, late.record, late.expected, late.observed) == (None, 1, 10, 11)


def numbered(*names: str) -> list[Json]:
    counts: dict[str, int] = {}
    found = []
    for name in names:
        found.append({"lane": "p", "callback": name, "k": counts.get(name, 0)})
        counts[name] = counts.get(name, 0) + 1
    return found


@pytest.mark.parametrize(("seen", "differences"), [("i i j j j", 1), ("i j", 2), ("i i j", 1), ("i j i j j", 2)])
def test_a_number_that_counts_records_differs_where_they_do_alone(seen: str, differences: int) -> None:
    expected = {"lanes": {"p": numbered("i", "i", "j", "j")}, "after": []}

    assert len(compare(expected, numbered(*seen.split()), lane_of)) == differences


def test_other_records_of_what_is_counted_are_ahead_as_it_is() -> None:
    """A callback that was entered once too often says so in each of its records, also in those of other facts."""
    later = [{"lane": "p", "fact": fact, "callback": "i"} for fact in ("enter", "next", "answer")]
    wanted, seen = ([one | {"k": k} for one in later] for k in (0, 1))
    extra = {"lane": "p", "fact": "enter", "callback": "i", "k": 0, "given": 1}

    other_order = [dict(reversed(one.items())) for one in seen]

    assert told(compare({"lanes": {"p": wanted}, "after": []}, [extra, *seen], lane_of)) == ["0 surplus"]
    assert told(compare({"lanes": {"p": wanted}, "after": []}, [extra, *other_order], lane_of)) == ["0 surplus"]


def test_a_missing_record_is_told_by_what_it_says_and_not_by_its_number() -> None:
    """Behind one that is missing each record is counted one less; what it was given says which one it is."""
    names = ("first", "second", "third")
    wanted = [{"lane": "p", "callback": "i", "k": k, "given": [name]} for k, name in enumerate(names)]
    seen = [{"lane": "p", "callback": "i", "k": k, "given": [name]} for k, name in enumerate(names[1:])]

    (missing,) = compare({"lanes": {"p": wanted}, "after": []}, seen, lane_of)

    assert (missing.record, missing.expected) == (None, wanted[0])


def test_a_wrong_number_is_told() -> None:
    log = numbered("i", "i", "j", "j")
    log[1]["k"] = 5

    assert told(compare({"lanes": {"p": numbered("i", "i", "j", "j")}, "after": []}, log, lane_of)) == ["1 /k"]


def test_a_difference_says_what_its_record_belongs_to() -> None:
    expected = prediction("p:a=1 p:b=1 p:c=1")
    expected["belongs"] = {"p": [["one"], ["one", "one/b"], ["two"]]}

    missing, surplus = compare(expected, log_of("p:a=1 p:x=1 p:y=1 p:c=1"), lane_of)[:2]
    changed, surplus = compare(expected, log_of("p:a=1 p:b=2 p:x=1 p:c=1"), lane_of)

    assert missing.about == ("one", "one/b")
    assert changed.about == ("one", "one/b")
    assert surplus.about == ("one", "one/b", "two")


def test_of_very_many_differences_the_rest_is_counted() -> None:
    found = compare(prediction(""), log_of(" ".join(f"p:x{n}" for n in range(MOST + 5))), lane_of)

    assert len(found) == MOST + 1
    assert found[-1].text == "5 more differences from the reference"


def test_a_lane_too_long_to_try_every_pair_is_taken_as_it_comes() -> None:
    expected = " ".join(f"p:a{n}=1" for n in range(400))

    found = compare(prediction(expected), log_of(expected.replace("=1", "=2")), lane_of)

    assert found[0].at == "/value"
    assert found[-1].text == "200 more differences from the reference"


@pytest.mark.parametrize("of", [lambda value: value, lambda value: {"$literal": value}])
def test_an_object_with_very_many_members_too_many_differs_as_a_whole(of: Any) -> None:
    few, many = ({f"k{number}": number for number in range(count)} for count in (MOST_MEMBERS, 60_000))
    expected = {"lanes": {"p": [{"lane": "p", "data": of({"k0": 0})}]}, "after": []}
    (difference,) = compare(expected, [{"lane": "p", "data": many}], lane_of)
    assert (difference.at, difference.observed) == ("/data", many)
    assert len(compare(expected, [{"lane": "p", "data": few}], lane_of)) == MOST_MEMBERS - 1
