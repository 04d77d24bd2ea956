"""A log with one value spoiled is found out, unless the contract leaves that value open; and it is never our fault."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from bindproof.suites import Choices, ObservationError
from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay.generators.calls import call_scenario
from bindproof_reference.relay.editions import rules
from tests.relay import NEWEST, SETTINGS, SPEC, SUB, SUITE, broken, call, intercept, judged, lawful, marks, prepare

pytestmark = pytest.mark.long

Json = Any
Place = tuple[Json, ...]

JUNK: tuple[Json, ...] = (None, True, 3, 1.5, "x", [], [1], {}, {"a": 1}, {"$none": True}, "2026-13-45T00:00:00Z")
SCENARIOS = 900
SPOILS = 5

EVERY_SETTING = [pytest.param(*one, marks=() if one[0] == NEWEST else pytest.mark.long) for one in SETTINGS]
PARTIAL = {one for one in SETTINGS if SPEC.edition(one[0]).partial}
"""The settings in which nothing is judged that no requirement speaks of."""


def places(value: Json, at: Place = ()) -> Iterator[Place]:
    """Every place inside a value."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*at, key)
        yield from places(item, (*at, key))


def spoiled(log: list[Json], choices: Choices) -> tuple[list[Json], Place]:
    """The same log with one thing gone or replaced, and where."""
    log = deepcopy(log)
    place: Place = choices.pick(list(places(log)))
    inside: Json = log
    for key in place[:-1]:
        inside = inside[key]
    if choices.chance(30):
        del inside[place[-1]]
    else:
        inside[place[-1]] = choices.pick(JUNK)
    return log, place


def is_open(log: list[Json], place: Place, edition: str) -> bool:
    """Whether the contract says nothing of this place: an error's wording, more metadata of a failed call's end, what a
    worker is told of a call that ends before 0.7 (WRK-006)."""
    fact, inside = log[place[0]]["fact"], place[1:]
    if fact == "done":
        return inside[:1] == ("error",) and inside[1:] in {("type",), ("code",), ("same_as",)}
    if fact == "refused":
        return inside[:1] == ("error",)
    if fact == "measure":
        return inside == ("value", "cancelled") and not rules(edition).cancelled_workers_told
    return inside == ("event", "metadata", "note")


def a_call(choices: Choices, dialect: str) -> Json:
    """A scenario with a call; programs on hosts of plugins have no other steps than theirs."""
    return SUITE.generate(choices, dialect) if dialect in {"worker-raw", "native"} else call_scenario(choices, dialect)


@pytest.mark.parametrize(("edition", "dialect"), EVERY_SETTING)
def test_a_spoiled_value_is_found(edition: str, dialect: str) -> None:
    """In a partial edition some are."""
    tries = lost = 0
    for seed in range(SETTINGS.index((edition, dialect)), SCENARIOS, len(SETTINGS)):
        choices = SeededChoices(seed)
        prepared = SUITE.prepare(SUITE.complete(a_call(choices, dialect)), edition, dialect)
        log = lawful(prepared, seed, dialect)
        for _ in range(SPOILS):
            bad, place = spoiled(log, choices)
            try:
                found = broken(judged(prepared, bad, edition, dialect))
            except ObservationError:
                continue
            tries += 1
            lost += not (found or repr(bad) == repr(log) or is_open(log, place, edition))
            assert not lost or (edition, dialect) in PARTIAL, (seed, place)
    assert lost < tries * 3 / 4


def disordered(log: list[Json], choices: Choices) -> list[Json]:
    """The same log with one record gone, told twice, or somewhere else."""
    log, at = list(log), choices.integer(0, len(log) - 1)
    record = log[at] if choices.chance(40) else log.pop(at)
    if choices.chance(60):
        log.insert(choices.integer(0, len(log)), record)
    return log


@pytest.mark.parametrize(("edition", "dialect"), EVERY_SETTING)
def test_no_log_is_too_strange_to_be_judged(edition: str, dialect: str) -> None:
    """Whatever an adapter says of whatever program, judging comes to an end, and mostly finds something."""
    judged_ones = found = 0
    for seed in range(SETTINGS.index((edition, dialect)), SCENARIOS, len(SETTINGS)):
        choices = SeededChoices(seed)
        prepared = SUITE.prepare(SUITE.complete(SUITE.generate(choices, dialect)), edition, dialect)
        if "inexpressible" in prepared.prediction:
            continue
        log = lawful(prepared, seed, dialect)
        for _ in range(SPOILS):
            bad = disordered(log, choices) if choices.chance(50) else spoiled(log, choices)[0]
            try:
                found += bool(broken(judged(prepared, bad, edition, dialect)))
            except ObservationError:
                continue
            judged_ones += 1
    assert found > judged_ones / (4 if (edition, dialect) in PARTIAL else 2)


FAULTY: tuple[Json, ...] = (
    *({"": junk} for junk in JUNK),
    *({"/request": junk} for junk in JUNK),
    *({"/request/headers": junk} for junk in JUNK),
    *({"/annotated_request": {"messages": junk}} for junk in JUNK if not isinstance(junk, list)),
    *({"/pending_marks": junk} for junk in JUNK if not isinstance(junk, list)),
    *({"/pending_marks": [junk]} for junk in JUNK),
    *({"/pending_marks": [{"name": junk}]} for junk in JUNK if not isinstance(junk, str)),
    *({"/pending_marks": [{"name": "m", "bogus": junk}]} for junk in JUNK),
    *(
        {"/pending_marks": [{"name": "m", key: junk}]}
        for key in ("category_profile", "data_schema", "severity", "category")
        for junk in ([1], 3, True, {"model_name": 1})
    ),
)
"""Edits of an outcome, all but a few of which make it malformed."""


@pytest.mark.parametrize("dialect", ["wire", "node"])
def test_a_binding_that_takes_any_outcome_is_told_which_rule_it_broke(dialect: str) -> None:
    """The log is that of a call whose outcome was in order; only the outcome is exchanged."""
    lawful_call = prepare(SUB, intercept(marks("m")), call(), dialect=dialect)
    for edit in FAULTY:
        if dialect == "wire" and "$none" in repr(edit):
            continue
        faulty = prepare(SUB, intercept({"op": "edit", "set": edit}), call(), dialect=dialect)
        (reply,) = [r["reply"] for r in lawful(faulty, 0, dialect) if r.get("callback") == "i" and "reply" in r]
        log = lawful(lawful_call, 0, dialect)
        next(record for record in log if record["fact"] == "leave")["reply"] = reply
        found = broken(judged(faulty, log, "0.10", dialect))
        refused = any("error" in record for record in faulty.prediction["lanes"]["program"])
        assert found, edit
        assert not refused or any(name != "REF-000" for name in found), edit
