"""Shapes are sound: what has the shape of an observation that conforms, conforms too, whatever its ids."""

from __future__ import annotations

import json
import re
from typing import Any
from uuid import UUID

from bindproof.suites.interaction.shape import shapes
from tests.interaction import INTERACTION, VECTORS, broken, judged, lawful, through_json

Json = Any
RUN, THREAD = re.compile(r"\br0\b"), re.compile('"thread": "t0"')
OTHERS = [str(UUID(int=number)) for number in (7, 8)] + [UUID(int=number).hex for number in (9, 10)]


def with_ids(log: list[Json], run: str, thread: str) -> list[Json]:
    """A log as a binding gives it: the ids of its run and its thread, `r0` and `t0` to the reference, are random."""
    text = THREAD.sub(f'"thread": "thread_{thread}"', RUN.sub(f"run_{run}", json.dumps(log)))
    found: list[Json] = json.loads(text)
    return found


def result(log: list[Json]) -> bytes:
    """What follows the number of a reply's request."""
    return b'"result":' + json.dumps({"observation": {"log": log}}).encode()


def test_observations_of_other_ids_have_one_shape_and_are_judged_alike() -> None:
    with_some = 0
    for vector in VECTORS:
        prepared = INTERACTION.prepared(INTERACTION.suite.complete(vector.scenario))
        shape = shapes(json.dumps(prepared.spelled).encode())
        log = lawful(prepared)
        seen = [with_ids(log, run, thread) for run, thread in (OTHERS[:2], OTHERS[2:], OTHERS[2:][::-1])]

        assert [broken(judged(prepared, through_json(one))) for one in seen] == [{}, {}, {}], vector.id
        assert shape(result(seen[1])) == shape(result(seen[2])), vector.id
        with_some += seen[1] != seen[2]

    assert with_some > len(VECTORS) // 2


def test_an_id_that_comes_where_another_came_makes_another_shape() -> None:
    shape, (one, other) = shapes(b"{}"), OTHERS[2:]
    again = [{"fact": "called", "run": f"run_{one}", "key": f"run_{one}:step:1"}]
    mixed = [{"fact": "called", "run": f"run_{one}", "key": f"run_{other}:step:1"}]

    assert shape(result(again)) != shape(result(mixed))


def test_an_id_of_the_scenario_is_no_other() -> None:
    one, other = OTHERS[2:]
    shape = shapes(json.dumps({"thread": one}).encode())

    assert shape(result([{"run": one}])) != shape(result([{"run": other}]))


def test_a_number_that_is_no_whole_id_stays() -> None:
    shape, one = shapes(b"{}"), OTHERS[2]

    assert shape(result([{"text": f"{one}0"}])) != shape(result([{"text": f"{one}1"}]))
