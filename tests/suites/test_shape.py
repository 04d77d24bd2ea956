"""Shapes are sound: a line of the shape of one that conforms conforms too, whatever its uuids and times."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

import bindproof_reference.relay as reference
from bindproof.core.paths import data_root
from bindproof.judge import LaneByLane, Order, judge
from bindproof.runner.setting import Setting
from bindproof.spec import load, settings
from bindproof.suites import Prepared
from bindproof.suites import load as load_suite
from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay.observation.shape import WIDEST_NS, Shapes, own_texts, shape
from tests.relay import lanes

SPEC = load(data_root(), "relay")
SUITE = load_suite(SPEC)
DIALECTS = {name: dialect.as_json() for name, dialect in SPEC.dialects.items()}
DIFFERENT = [
    pytest.param(name, marks=() if name in {"wire", "node"} else pytest.mark.long)
    for name in DIALECTS
    if name not in {"worker-raw", "native"}
]
"""The dialects, of which two say what all say; the log of a plugin's host has counts alone, no identity or time."""

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:)(\d\d)\.(\d{9})(\+00:00)")
MOVES = (0, 1, 500, 999, 1000, 1001, 100_000)


@cache
def edition_of(dialect: str) -> str:
    """An edition that has the dialect, the one before the newest where it can be."""
    found = [edition for edition, one in settings(SPEC) if one == dialect]
    return "0.10" if "0.10" in found else found[-1]


def generated(seed: int, dialect: str) -> tuple[Prepared, bytes, str]:
    """A prepared scenario, its parameters, and a lawful run as an adapter would reply it."""
    full = SUITE.generate(SeededChoices(seed), dialect)
    prepared = SUITE.prepare(full, edition_of(dialect), dialect)
    log = [] if "inexpressible" in prepared.prediction else run(prepared, seed, dialect)
    return prepared, json.dumps({"scenario": prepared.spelled}).encode(), reply(log)


def expressible(seeds: int, dialect: str) -> Iterator[tuple[int, Prepared, bytes, str]]:
    """So many seeds with what each generates, less those that the dialect cannot say, or that have no shapes."""
    for seed in range(seeds):
        prepared, params, line = generated(seed, dialect)
        if "inexpressible" not in prepared.prediction and own_texts(params) is not None:
            yield seed, prepared, params, line


def run(prepared: Prepared, seed: int, dialect: str) -> list[Any]:
    """One lawful run."""
    return reference.resolve(prepared.prediction, seed, DIALECTS[dialect])


def reply(log: list[Any]) -> str:
    """The line of a reply."""
    return json.dumps({"jsonrpc": "2.0", "id": 7, "result": {"observation": {"log": log}}})


@cache
def checks_of(dialect: str) -> Any:
    """The checks of the requirements in force."""
    return Setting(SPEC, SUITE, edition_of(dialect), dialect, (), None).checks()


def conforms(prepared: Prepared, line: str, dialect: str) -> bool:
    """The full judgement."""
    log = json.loads(line)["result"]["observation"]["log"]
    return all(one.holds for one in judge(prepared, log, checks_of(dialect), lanes(prepared)))


def with_other_identities(line: str, random: Random) -> str:
    """The same run with every uuid another, trace headers included."""
    for uuid in sorted(set(UUID.findall(line))):
        digits = f"{random.getrandbits(128):032x}"
        other = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
        plain = uuid.replace("-", "")
        line = line.replace(uuid, other).replace(f"00-{plain}-", f"00-{digits}-")
        line = line.replace(f"-{plain[16:]}-01", f"-{digits[16:]}-01")
    return line


def with_some_identity_changed(line: str, random: Random) -> str:
    """One occurrence of one uuid becomes another one of the run, or a new one."""
    found = list(UUID.finditer(line))
    if not found:
        return line
    place = random.choice(found)
    other = random.choice([*[one.group() for one in found], "01a200b1-cc95-7a82-9f37-586d0e2dce3c"])
    return line[: place.start()] + other + line[place.end() :]


def with_some_time_moved(line: str, random: Random) -> str:
    """One occurrence of one time moves a little, forth or back."""
    found = list(TIME.finditer(line))
    if not found:
        return line
    place = random.choice(found)
    moved = int(place[2]) * 10**9 + int(place[3]) + random.choice(MOVES) * random.choice((1, -1))
    second, fraction = divmod(moved % (60 * 10**9), 10**9)
    return line[: place.start()] + f"{place[1]}{second:02}.{fraction:09}{place[4]}" + line[place.end() :]


@pytest.mark.long
@pytest.mark.parametrize("dialect", DIFFERENT)
def test_a_line_of_the_shape_of_one_that_conforms_conforms(dialect: str) -> None:
    alike = different = 0
    for seed, prepared, params, line in expressible(60, dialect):
        random = Random(seed)
        own = own_texts(params)
        key = shape(line.encode(), own)
        assert key is not None
        for _ in range(12):
            change = random.choice((with_other_identities, with_some_identity_changed, with_some_time_moved))
            other = change(line, random)
            if shape(other.encode(), own) == key:
                alike += 1
                assert conforms(prepared, other, dialect), (seed, change.__name__)
            else:
                different += 1
    assert alike > 80
    assert different > 80


@pytest.mark.long
@pytest.mark.parametrize("dialect", DIFFERENT)
def test_other_identities_have_the_same_shape(dialect: str) -> None:
    for seed, _, params, line in expressible(60, dialect):
        other = with_other_identities(line, Random(seed))
        assert shape(other.encode(), own_texts(params)) == shape(line.encode(), own_texts(params))


def in_another_order(log: list[Any], random: Random, lane_of: Callable[[Any], str]) -> list[Any]:
    """The same lanes, merged in another order, lawful or not."""
    by_lane: dict[str, list[Any]] = {}
    for record in log:
        by_lane.setdefault(lane_of(record), []).append(record)
    kept = {lane: iter(records) for lane, records in by_lane.items()}
    near = [at + random.random() * random.choice((1, 3, len(log))) for at in range(len(log))]
    turns = [lane_of(log[at]) for at in sorted(range(len(log)), key=near.__getitem__)]
    return [next(kept[lane]) for lane in turns]


@pytest.mark.long
@pytest.mark.parametrize("dialect", [one for one in DIFFERENT if one.values != ("wasm",)])  # its edition is left open
def test_an_order_that_is_allowed_is_judged_as_any_other_is(dialect: str) -> None:
    checks = Setting(SPEC, SUITE, edition_of(dialect), dialect, (), None).checks()
    allowed = refused = 0
    for seed, prepared, _, _ in expressible(40, dialect):
        log, random = run(prepared, seed, dialect), Random(seed)
        apart = LaneByLane(Order.of(prepared.prediction), lanes(prepared))
        alike = apart(log)
        judgements = judge(prepared, log, checks, lanes(prepared))
        for _ in range(6):
            other = in_another_order(log, random, lanes(prepared))
            if other == log:
                continue
            if apart(other) is None:
                refused += 1
            else:
                allowed += 1
                assert apart(other) == alike
                assert judge(prepared, other, checks, lanes(prepared)) == judgements, seed
    assert allowed > 10
    assert refused > 10


def test_a_uuid_and_a_time_of_the_scenario_are_its_own() -> None:
    uuid, time = "01a200b1-cc95-7a82-9f37-586d0e2dce3c", "2026-01-01T00:00:00.000000000+00:00"
    own = own_texts(json.dumps({"a": uuid, "b": time}).encode())
    line = json.dumps({"result": [uuid, time]}).encode()

    assert own == frozenset((uuid.encode(), time.encode()))
    assert shape(line, own) != shape(line.replace(b"01a2", b"11a2"), own)
    assert shape(line, own) != shape(line.replace(b"2026", b"2027"), own)


def test_a_line_of_a_scenario_that_gives_times_has_no_shape() -> None:
    """What is told of a given time is no place among the other times: one that is told wrongly would be alike."""
    own = own_texts(json.dumps({"steps": [{"step": "mark", "name": "m", "timestamp": 1577880000000000}]}).encode())

    assert shape(b'{"result": "2026-01-01T00:00:00.000000000+00:00"}', own) is None
    assert own_texts(b'{"steps":[{"step":"mark","name":"m","timestamp":null}]}') == frozenset()


def test_a_time_where_an_identity_was_is_another_shape() -> None:
    uuid, time = "01a200b1-cc95-7a82-9f37-586d0e2dce3c", "2026-01-01T00:00:00.000000000+00:00"
    forth, back = (json.dumps({"result": pair}).encode() for pair in ([uuid, time], [time, uuid]))

    assert shape(forth, frozenset()) != shape(back, frozenset())


def test_what_stands_in_a_header_with_a_text_of_the_scenario_stays_as_it_is() -> None:
    trace, span = "01a200b1cc957a829f37586d0e2dce3c", "9f37586d0e2dce3c"
    line = json.dumps({"result": [f"00-{trace}-{span}-01"]}).encode()

    assert shape(line, frozenset()) == shape(line.replace(b"01a2", b"11a2"), frozenset())
    for own in (trace, span):
        texts = frozenset({own.encode()})
        assert shape(line, texts) != shape(line.replace(trace.encode(), b"1" * 32), texts)
        assert shape(line, texts) != shape(line.replace(b"-9f37", b"-8f37"), texts)


def of_times(*fractions: str) -> bytes:
    """A line with times of one second, each with its fraction."""
    return json.dumps({"result": [f"2026-01-01T00:00:00{fraction}+00:00" for fraction in fractions]}).encode()


def test_a_time_that_is_none_has_no_shape() -> None:
    assert shape(b'{"result": "2026-13-01T00:00:00.000000000+00:00"}', frozenset()) is None


@pytest.mark.parametrize(
    ("left", "right", "alike"),
    [
        ((0, 1000), (5, 1005), True),
        ((0, 1000), (0, 999), False),
        ((0, 1000), (0, 1001), False),
        ((0, 1001), (0, 900_000), True),
        ((0, 600, 1200), (0, 600, 1201), False),
        ((0, 600, 1601), (0, 600, 99_999), True),
        ((0, 0), (0, 1), False),
        ((1, 0), (0, 1), False),
    ],
)
def test_times_are_alike_when_no_comparison_tells_them_apart(
    left: tuple[int, ...], right: tuple[int, ...], alike: bool
) -> None:
    lines = [of_times(*(f".{moment:09}" for moment in moments)) for moments in (left, right)]
    assert (shape(lines[0], frozenset()) == shape(lines[1], frozenset())) is alike


@pytest.mark.parametrize(
    ("left", "right", "alike"),
    [
        ((".000", ".001"), (".004", ".007"), True),
        ((".000", ".000"), (".000", ".001"), False),
        (("", ".001"), (".001", ".002"), False),  # another line, not another order
        ((".000", ".000001"), (".000", ".000002"), False),
        ((".001", ".001000001"), (".002", ".002000001"), True),
    ],
)
def test_times_of_a_clock_with_fewer_digits_are_told_apart_alike(
    left: tuple[str, ...], right: tuple[str, ...], alike: bool
) -> None:
    assert (shape(of_times(*left), frozenset()) == shape(of_times(*right), frozenset())) is alike


@pytest.mark.long
def test_no_prediction_asks_for_a_wider_distance() -> None:
    distances = {
        int(distance)
        for seed in range(200)
        for distance in re.findall(
            r'"(?:equal|at_least)": (\d+)', json.dumps(generated(seed, "wire")[0].prediction["lanes"])
        )
    }
    assert max(distances) == WIDEST_NS


@pytest.mark.long
@pytest.mark.parametrize("dialect", DIFFERENT)
def test_a_line_seen_after_others_has_the_key_that_it_has_alone_or_none(dialect: str) -> None:
    for seed, _, params, line in expressible(40, dialect):
        random = Random(seed)
        own = own_texts(params)
        shapes = Shapes(own)
        assert (
            shapes(line.encode()) == shapes(with_other_identities(line, random).encode()) == shape(line.encode(), own)
        )
        for _ in range(10):
            change = random.choice((with_other_identities, with_some_identity_changed, with_some_time_moved, spoiled))
            other = change(line, random).encode()
            assert shapes(other) in (None, shape(other, own)), (seed, change.__name__)


def spoiled(line: str, random: Random) -> str:
    """The line with one character another: of a uuid or time, so that it is none any more, or of the rest."""
    at = random.randrange(line.index('"result"'), len(line))
    return line[:at] + random.choice('0aZ-."') + line[at + 1 :]


def test_a_time_with_a_letter_for_a_digit_is_none() -> None:
    shapes = Shapes(frozenset())
    line = b'{"result": "2026-01-01T00:00:00.00000000%b+00:00"}'
    assert shapes(line % b"1") == shapes(line % b"2")
    assert shapes(line % b"a") is None


def seconds(*numbers: str) -> bytes:
    told = ", ".join(f'{{"category_profile": {{"time_to_first_chunk": {number}}}}}' for number in numbers)
    return f'{{"result": [{told}]}}'.encode()


@pytest.mark.parametrize(
    ("left", "right", "alike"),
    [
        (("0.0027", "0.0027"), ("1.5", "1.5"), True),
        (("0",), ("1e-7",), True),
        (("0.0027", "0.0027"), ("1.5", "1.6"), False),
        (("0.1", "0.2"), ("0.1", "0.1"), False),
    ],
)
def test_the_seconds_to_a_first_chunk_are_alike_where_the_same_ones_are_equal(
    left: tuple[str, ...], right: tuple[str, ...], alike: bool
) -> None:
    assert (shape(seconds(*left), frozenset()) == shape(seconds(*right), frozenset())) is alike


@pytest.mark.parametrize("number", ["-0.1", "true", "null", '"0.1"', "[0.1]", "01.5", "0.1f", "1.", "NaN", "1e999"])
def test_what_is_no_number_of_seconds_has_the_shape_of_none(number: str) -> None:
    shapes = Shapes(frozenset())
    lawful = [shapes(seconds(text)) for text in ("0.1", "00.5"[1:], "2", "0.12", "0.123", "12.5")]
    assert shapes(seconds(number)) not in lawful


def test_seconds_that_a_scenario_states_stay_as_they_are() -> None:
    own = own_texts(b'{"do": [{"set": {"/category_profile": {"time_to_first_chunk": 0.5}}}]}')
    assert own is not None
    assert shape(seconds("0.5"), own) != shape(seconds("0.6"), own)
    assert shape(seconds("0.7"), own) == shape(seconds("0.6"), own)
