"""What is told of guardrails, rejections and failures: each change of a member of it breaks a rule by name.

The logs are those of all vectors as the reference runs them; of each sort of change some are tried.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from bindproof.core.model import Json, copied
from bindproof.suites.relay.observation.reading import Reading
from tests.relay import NEWEST, SUITE, VECTORS, broken, judged, lawful

FOREIGN = "0fa117ed-0000-7000-8000-000000000000"
IDENTITIES = ("uuid", "parent_uuid", "propagation_root_uuid")
FIELDS = ("data", "category_profile", "metadata")
EACH = 2
"""So many changes of one sort are tried: of the same member of the same sort of event of the same sort of call."""

LAWFUL = {
    r"^change rejection of \w+ /uuid$": "any uuid of its own is as good, where nothing else names it",
    r"^change end of a guardrail /data/error$": "where nothing was raised the words of the error are the binding's own",
    r"^(add to|change|drop) (failed|refused) end of \w+ /metadata(/note)?$": "the end may say more (EVT-009)",
    r"^change refused end of \w+ /metadata/(error.type|otel.status_description)$": "the words are the binding's own",
    r"^add to (failed|refused) end of llm /.*/optimization_summary$": "what else a summary says is open (CTR-005)",
}
"""Pattern of a sort of change that breaks nothing → why."""

CLASSLESS = {
    r"^change failed end of \w+ /metadata/exception.type$": "the caller is given another error, of another class",
}
"""What besides breaks nothing in a language whose callers are never given the very exception (EVT-055)."""

Place = tuple[str | int, ...]


def places(value: Json, at: Place = ()) -> Iterator[tuple[Place, Json]]:
    """Every member inside a value, with what it is."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield (*at, key), item
        yield from places(item, (*at, key))


def changes(event: Json) -> Iterator[tuple[str, Place, Json]]:
    """How an event can be changed: what is done, where, and the event that it then is. Times are left alone."""
    for place, value in places(event):
        *around, last = place
        if last == "timestamp":
            continue
        bare = value is None and place[0] in FIELDS and len(place) == 1
        if isinstance(value, dict) or bare:
            yield "add to", place, with_(event, place, {**(value or {}), "planted": 1})
        if not value or not isinstance(value, dict | list):
            yield "change", place, with_(event, place, FOREIGN if last in IDENTITIES else "another")
        if around:
            other = copied(event)
            del inside_of(other, around)[last]
            yield "drop", place, other


def inside_of(value: Json, place: list[str | int]) -> Json:
    for key in place:
        value = value[key]
    return value


def with_(event: Json, place: Place, value: Json) -> Json:
    other = copied(event)
    inside_of(other, list(place[:-1]))[place[-1]] = value
    return other


def sorts(reading: Reading) -> dict[int, str]:
    """What the events are that are looked at, by where they stand."""
    found: dict[int, str] = {}
    for act, told in reading.deliveries.rejected.items():
        found.update({at: f"rejection of {act.step['kind']}" for at, _ in told.values()})
    for act, lives in reading.deliveries.lives.items():
        if act.step["step"] == "call" and act.error is not None:
            ends = (at for life in lives.values() for at, _ in life.ends)
            how = "failed" if act.error["kind"] == "callback_raised" else "refused"
            found.update(dict.fromkeys(ends, f"{how} end of {act.step['kind']}"))
    for _, (at, event) in reading.events:
        if event["category"] == "guardrail":
            found[at] = f"{event['scope_category']} of a guardrail"
    return found


def other_logs(log: list[Json], at: int) -> Iterator[tuple[str, str, list[Json]]]:
    """A log with one event changed: what is done, where, and the log."""
    record = log[at]
    for how, place, event in changes(record["event"]):
        place_in_words = "".join(f"/{key}" for key in place[:3])
        yield how, place_in_words, [*log[:at], {**record, "event": event}, *log[at + 1 :]]
    yield "lose", "", [*log[:at], *log[at + 1 :]]
    again = {**record, "event": with_(record["event"], ("uuid",), FOREIGN)}
    yield "tell twice", "", [*log[: at + 1], again, *log[at + 1 :]]


def tried(edition: str, dialect: str) -> dict[str, Counter[str]]:
    """Sort of change → how often a rule named it, the reference alone saw it, or nothing did."""
    found: dict[str, Counter[str]] = {}
    for number, vector in enumerate(VECTORS):
        if vector.defect is not None or not vector.runs_in(edition, dialect):
            continue
        full = SUITE.complete(vector.scenario)
        prepared = SUITE.prepare(full, edition, dialect)
        if {"inexpressible", "open"} & prepared.prediction.keys() or full["steps"][0]["step"] == "raw":
            continue
        log = lawful(prepared, number, dialect)
        for at, sort in sorts(prepared.observe(log)[1]).items():
            for how, place, other in other_logs(log, at):
                count = found.setdefault(f"{how} {sort} {place}", Counter())
                if count.total() < EACH:
                    rules = broken(judged(prepared, copied(other), edition, dialect))
                    count["named" if rules.keys() - {"REF-000"} else "reference" if rules else "nothing"] += 1
    return found


@pytest.mark.long
@pytest.mark.parametrize(("edition", "dialect"), [(NEWEST, "python"), ("0.6", "python"), (NEWEST, "node")])
def test_a_member_of_what_is_told_is_named_by_a_rule(edition: str, dialect: str) -> None:
    found = tried(edition, dialect)
    patterns = LAWFUL if dialect == "python" else {**LAWFUL, **CLASSLESS}
    lawful_ones = {sort for sort in found if any(re.search(pattern, sort) for pattern in patterns)}

    assert len(found) > 150
    assert {sort: dict(found[sort]) for sort in found.keys() - lawful_ones if found[sort].keys() != {"named"}} == {}
    assert {sort for sort in lawful_ones if found[sort]["reference"]} == set()
