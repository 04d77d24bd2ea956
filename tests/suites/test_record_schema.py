"""The schema of a record is made of its types, and lets nothing through that the reader refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import jsonschema_rs
import pytest

from bindproof.suites import ObservationError
from bindproof.suites.relay.observation.records import FACTS, Record, decode
from bindproof.suites.relay.observation.schema import BESIDES, MEMBERS, schema, schema_text
from tests.conftest import REPOSITORY

SCHEMA = schema()
VALIDATOR = jsonschema_rs.validator_for(SCHEMA)

ERROR = {"type": "E", "message": "m", "code": None, "same_as": "i"}
OF_CALLBACK = {"callback": "i", "k": 0}
RECORDS: list[dict[str, Any]] = [
    {"fact": "enter", **OF_CALLBACK, "given": {}},
    {"fact": "leave", **OF_CALLBACK, "reply": None},
    {"fact": "leave", **OF_CALLBACK, "raised": "boom-17!"},
    {"fact": "refused", **OF_CALLBACK, "reply": {}, "error": {"type": "TypeError", "message": "no"}},
    {"fact": "next", **OF_CALLBACK, "given": None},
    {"fact": "answer", **OF_CALLBACK, "value": 1},
    {"fact": "answer", **OF_CALLBACK, "error": ERROR},
    {"fact": "wait", **OF_CALLBACK, "latch": "l"},
    {"fact": "resume", **OF_CALLBACK},
    {"fact": "cancelled", **OF_CALLBACK},
    {"fact": "chunk", **OF_CALLBACK, "value": None},
    {"fact": "over", **OF_CALLBACK, "how": "ended"},
    {"fact": "over", **OF_CALLBACK, "raised": "boom-17!"},
    {"fact": "read", "step": "c", "value": []},
    {"fact": "done", "step": "c", "value": None},
    {"fact": "done", "step": "c", "error": ERROR},
    {"fact": "event", "subscriber": "s", "event": {}},
    {"fact": "measure", "name": "m", "value": {}},
    {"fact": "settled"},
]

OTHER_VALUES: list[Any] = [None, True, -1, 1.5, "", "x", [], {}, ERROR]


def changes(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The record with a member less, or with another value in one."""
    for key in record:
        yield {name: value for name, value in record.items() if name != key}
        yield from ({**record, key: other} for other in OTHER_VALUES)
    for other in ("reply", "raised", "value", "error", "how"):
        yield {**record, other: "ended"}


def is_read(record: dict[str, Any]) -> bool:
    try:
        decode([record])
    except ObservationError:
        return False
    return True


def test_the_committed_schema_is_made_of_the_types() -> None:
    command = "python -m bindproof.suites.relay.observation.schema > spec/relay/record.schema.json"
    committed = REPOSITORY / "spec" / "relay" / "record.schema.json"
    assert committed.read_text(encoding="utf-8") == schema_text(), f"make it again: {command}"


def test_every_kind_of_record_is_in_the_schema_and_described() -> None:
    jsonschema_rs.meta.validate(SCHEMA)
    assert {record["fact"] for record in RECORDS} == set(FACTS)
    assert list(SCHEMA["$defs"]) == [kind.__name__ for kind in get_args(Record)]
    assert all(form["description"] for form in SCHEMA["$defs"].values())


def test_what_stands_beside_the_types_is_of_facts_and_members_that_there_are() -> None:
    assert BESIDES.keys() <= set(FACTS)
    members = {name for form in SCHEMA["$defs"].values() for name in form["properties"]}
    assert MEMBERS.keys() <= members


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["fact"])
def test_a_record_is_valid_and_with_a_member_more_or_less_it_is_none(record: dict[str, Any]) -> None:
    assert VALIDATOR.is_valid(record)
    assert is_read(record)
    assert not VALIDATOR.is_valid({**record, "fact": "other"})
    assert not VALIDATOR.is_valid({**record, "more": 1})
    for key in record:
        assert not VALIDATOR.is_valid({name: value for name, value in record.items() if name != key})


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["fact"])
def test_what_the_schema_allows_is_read(record: dict[str, Any]) -> None:
    tried = list(changes(record))
    assert [one for one in tried if VALIDATOR.is_valid(one) and not is_read(one)] == []
    assert not all(VALIDATOR.is_valid(one) for one in tried)
