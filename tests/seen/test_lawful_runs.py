"""Whatever the reference allows breaks no rule, and is judged alike in whatever order it comes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import pytest

from bindproof.core.model import Judgement
from bindproof.judge import LaneByLane, Memory, Order
from bindproof.suites import Prepared
from bindproof.suites.choices import SeededChoices
from tests.relay import NEWEST, SUB, SUITE, VECTORS, broken, call, intercept, judged, lanes, lawful, prepare

pytestmark = pytest.mark.long

Json = Any

SEEDS = 40
MANY_SEEDS = 200
PROGRAMS = 10
CANCELLING = [vector for vector in VECTORS if any(step["step"] == "cancel" for step in vector.scenario["steps"])]
MARKED = next(vector for vector in CANCELLING if vector.id == "relay/in-flight/cancelled-marks")


def red(prepared: Prepared, dialect: str) -> dict[int, dict[str, str]]:
    """Seed → what is broken, of the lawful runs that break something."""
    found = {seed: broken(judged(prepared, lawful(prepared, seed, dialect), NEWEST, dialect)) for seed in range(SEEDS)}
    return {seed: rules for seed, rules in found.items() if rules}


@pytest.mark.parametrize("dialect", ["python", "rust", "wire"])
def test_cancelled_call_with_marks_conforms_in_every_lawful_order(dialect: str) -> None:
    prepared = SUITE.prepare(SUITE.complete(MARKED.scenario), NEWEST, dialect)
    assert red(prepared, dialect) == {}


def test_cancelled_call_of_every_other_vector_conforms_in_every_lawful_order() -> None:
    for vector in CANCELLING:
        if vector is not MARKED:
            prepared = SUITE.prepare(SUITE.complete(vector.scenario), NEWEST, "python")
            assert red(prepared, "python") == {}, vector.id


class Remembering:
    """A memory of shapes of one scenario's observations, as a run keeps it."""

    def __init__(self, prepared: Prepared, dialect: str) -> None:
        self._prepared, self._dialect = prepared, dialect
        shape = prepared.shapes(json.dumps({"scenario": prepared.spelled}).encode())
        self._memory = Memory(shape, LaneByLane(Order.of(prepared.prediction), lanes(prepared)))

    def judged(self, log: list[Json]) -> tuple[Judgement, ...]:
        """The judgements on a log, remembered or made."""
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"observation": {"log": log}}}).encode()
        return self._memory.judged(line, log, lambda: judged(self._prepared, log, NEWEST, self._dialect))


def around_the_end(log: list[Json], *, behind: bool) -> list[Json]:
    """The same records, where the marks of the cancelled call are told just before its end, or just behind it."""
    events = [record for record in log if record["fact"] == "event"]
    start, end = (record for record in events if record["event"]["name"] == "a")
    if start["event"]["scope_category"] == "end":
        start, end = end, start
    own = [record for record in events if record["event"]["parent_uuid"] == start["event"]["uuid"]]
    rest = [record for record in log if record is not start and record not in own]
    at = rest.index(end)
    return [*rest[:at], start, *([end, *own] if behind else [*own, end]), *rest[at + 1 :]]


def test_memory_of_shapes_that_saw_another_order_first_gives_the_same_verdict() -> None:
    prepared = SUITE.prepare(SUITE.complete(MARKED.scenario), NEWEST, "python")
    log = lawful(prepared, 0, "python")
    memory = Remembering(prepared, "python")
    memory.judged(log)  # the first of a scenario is never remembered
    for behind in (False, True):
        other = around_the_end(log, behind=behind)
        assert broken(memory.judged(other)) == broken(judged(prepared, other, NEWEST, "python"))


def programs_that_cancel(wanted: int) -> Iterator[Json]:
    """The first generated scenarios that cancel a call."""
    drawn = (SUITE.generate(SeededChoices(seed), "python") for seed in count())
    return islice((full for full in drawn if any(step["step"] == "cancel" for step in full["steps"])), wanted)


@pytest.mark.long
def test_cancelling_program_in_each_of_many_lawful_runs_breaks_nothing_with_a_memory_or_without() -> None:
    """Every twentieth run has lost a record: a memory that saw others before says of it what one judged afresh is."""
    written = [SUITE.complete(vector.scenario) for vector in CANCELLING]
    for full in (*written, *programs_that_cancel(PROGRAMS)):
        prepared = SUITE.prepare(full, NEWEST, "python")
        memories = Remembering(prepared, "python"), Remembering(prepared, "python")
        logs = [lawful(prepared, seed, "python") for seed in range(MANY_SEEDS)]
        logs = [[one for one in log if one["fact"] != "event"] if at % 20 == 7 else log for at, log in enumerate(logs)]
        afresh = [broken(judged(prepared, log, NEWEST, "python")) for log in logs]

        assert [at for at, rules in enumerate(afresh) if rules and at % 20 != 7] == [], SUITE.brief(full)
        assert [broken(memories[0].judged(log)) for log in logs] == afresh, SUITE.brief(full)
        assert [broken(memories[1].judged(log)) for log in logs[::-1]] == afresh[::-1], SUITE.brief(full)


CONTENT: Json = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
MALFORMED: list[Json] = [
    {"/annotated_request/instructions": "be short", "/bogus": 1},
    {"/annotated_request/instructions": "be short", "/pending_marks": 5},
    {"/annotated_request/messages": [{"role": "provider_native", "provider": "other"}], "/request": 5},
]
"""What makes an outcome malformed whose annotation, besides, the provider could not be told."""


@pytest.mark.parametrize("dialect", ["c", "go", "python", "node"])
@pytest.mark.parametrize("edit", MALFORMED)
def test_malformed_outcome_under_a_built_in_codec_conforms_in_every_lawful_run(edit: Json, dialect: str) -> None:
    request = {"headers": {}, "content": CONTENT}
    steps = [SUB, intercept({"op": "edit", "set": edit}), call(request=request, codec="openai_chat")]
    assert red(prepare(*steps, dialect=dialect), dialect) == {}
