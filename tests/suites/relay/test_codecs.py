"""A codec that works too often, too soon, too late or for another call is named, of streams as of other calls."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.relay import NEWEST, SUB, broken, judged, lawful, prepare

Json = Any

DIALECT = "python"
KINDS = ("llm", "llm_stream")
SANITIZER = {"step": "register", "as": "z", "family": "llm.sanitize_response", "name": "z"}


def counted(log: list[Json]) -> list[Json]:
    """The log with the entries of codecs and sanitizers counted in their order, two records each."""
    seen: dict[str, int] = {}
    for one in [one for one in log if one.get("callback", "").endswith(("code", ".sanitize"))]:
        one["k"] = seen.get(one["callback"], 0) // 2
        seen[one["callback"]] = seen.get(one["callback"], 0) + 1
    return log


def place(log: list[Json], callback: str, fact: str = "enter") -> int:
    return next(at for at, one in enumerate(log) if one["fact"] == fact and one.get("callback") == callback)


def own(log: list[Json], callback: str) -> list[Json]:
    return [{**one, "k": -1} for one in copy.deepcopy(log) if one.get("callback") == callback]


def without(log: list[Json], callback: str) -> list[Json]:
    return [one for one in log if one.get("callback") != callback]


def again(part: str, where: str) -> Callable[[list[Json]], list[Json]]:
    """What repeats what a codec did, behind a callback."""

    def change(log: list[Json]) -> list[Json]:
        at = place(log, where, "leave") + 1
        return [*log[:at], *own(log, f"c.{part}"), *log[at:]]

    return change


def moved(what: str, where: str, fact: str = "enter") -> Callable[[list[Json]], list[Json]]:
    """What moves what a callback did before another is entered, or behind it."""

    def change(log: list[Json]) -> list[Json]:
        rest = without(log, what)
        at = place(rest, where, fact) + (fact == "leave")
        return [*rest[:at], *own(log, what), *rest[at:]]

    return change


def program(kind: str) -> list[Json]:
    """Two calls with a codec each, with a conditional and two intercepts."""
    families = {"q": "llm.conditional", "i": "llm.request", "j": "llm.request"}
    register = [{"step": "register", "as": name, "family": family, "name": name} for name, family in families.items()]
    return [SUB, *register, *({"step": "call", "as": name, "kind": kind, "name": name, "codec": {}} for name in "cd")]


def broken_by(steps: list[Json], change: Callable[[list[Json]], list[Json]]) -> list[str]:
    prepared = prepare(*steps, dialect=DIALECT)
    log = lawful(prepared, 0, DIALECT)
    assert broken(judged(prepared, log, NEWEST, DIALECT)) == {}
    return [*broken(judged(prepared, counted(change(log)), NEWEST, DIALECT))]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (again("decode", "c.decode"), "AUT-007"),
        (again("decode", "j"), "AUT-007"),
        (again("decode", "d.decode"), "AUT-007"),
        (moved("c.decode", "i", "leave"), "AUT-007"),
        (moved("c.decode", "j", "leave"), "AUT-007"),
        (moved("c.decode", "q"), "MID-001"),
        (again("encode", "c.encode"), "AUT-002"),
        (again("encode", "i"), "AUT-002"),
        (again("encode", "d.encode"), "AUT-002"),
        (moved("c.encode", "j"), "AUT-002"),
    ],
)
def test_a_codec_works_once_and_in_its_time(kind: str, change: Callable[[list[Json]], list[Json]], rule: str) -> None:
    assert broken_by(program(kind), change) == [rule]


@pytest.mark.parametrize(("kind", "provider"), [("llm", "c.provider"), ("llm_stream", "c.source")])
def test_an_encode_behind_the_provider_is_too_late(kind: str, provider: str) -> None:
    assert broken_by(program(kind), moved("c.encode", provider, "leave")) == ["AUT-002", "LIF-005"]


@pytest.mark.parametrize(
    ("steps", "where"),
    [
        ([{"step": "call", "as": "c", "kind": "llm_stream", "name": "c"}], "c.finalizer"),
        ([{"step": "call", "as": "c", "kind": "llm_stream", "name": "c"}], "c.collector"),
        (
            [
                {
                    "step": "call",
                    "as": "c",
                    "kind": "llm_stream",
                    "name": "c",
                    "drain": False,
                    "provider": [{"op": "yield", "chunks": [{"n": 1}]}, {"op": "hang"}],
                },
                {"step": "read", "of": "c", "n": 1},
                {"step": "close", "of": "c"},
            ],
            "c.finalizer",
        ),
    ],
    ids=["drained", "before the first chunk", "closed"],
)
def test_a_sanitizer_before_the_finalizer_is_too_early(steps: list[Json], where: str) -> None:
    assert broken_by([SUB, SANITIZER, *steps], moved("z.sanitize", where)) == ["STR-003"]
