"""The page of spellings is made of the dialects; each member that one respells has a row, whose vectors show it."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from tests.relay import SPEC, SUITE, VECTORS, lawful, plain
from tests.repo.test_site import module_of_the_site

Json = Any

SHOWN_IN = "0.10"


@pytest.fixture(scope="module")
def spellings() -> ModuleType:
    return module_of_the_site("spellings")


def members(dialect: str) -> set[tuple[str, str, str]]:
    table = SPEC.dialects[dialect].as_json().get("spelling", {})
    return {(kind, side, name) for kind, names in table.items() for name, one in names.items() for side in one["sides"]}


def keys(value: Json) -> Iterator[str]:
    """Every key in a value, at any depth, but of members that are null or empty."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        if part not in (None, []):
            yield str(key)
            yield from keys(part)


def seen(vector: str, side: str) -> set[str]:
    """The keys in what callbacks are given, in what they reply, or in what helpers answer, in a vector."""
    found = next(one for one in VECTORS if one.id == f"relay/{vector}")
    prepared = SUITE.prepare(SUITE.complete(found.scenario), SHOWN_IN, "node")
    member = {"argument": "given", "reply": "reply", "helper": "value"}[side]
    return {key for record in lawful(prepared, 7, "node") for key in keys(record.get(member))}


def test_the_page_is_what_is_written_of_the_dialects(spellings: ModuleType) -> None:
    assert spellings.PAGE.read_text(encoding="utf-8") == spellings.page(), "run docs/site/spellings.py"


def test_each_member_that_a_dialect_respells_has_a_row(spellings: ModuleType) -> None:
    assert set(spellings.SEEN) == members(spellings.OWN)
    assert members("wasm") <= members(spellings.OWN)
    assert {name for name in SPEC.dialects if members(name)} == {spellings.OWN, "wasm"}
    assert not any(members(name) for name in spellings.CANONICAL)


def test_each_vector_shows_the_own_spelling(spellings: ModuleType) -> None:
    own = plain(spellings.OWN)["spelling"]
    for (kind, side, name), row in spellings.SEEN.items():
        if spellings.is_vector(row.shown):
            assert own[kind][name]["own"] in seen(row.shown, side), (kind, side, name)


def test_each_vector_of_a_foreign_spelling_is_of_the_dialects_that_it_is_foreign_to(spellings: ModuleType) -> None:
    by_id = {vector.id: vector for vector in VECTORS}
    for row in spellings.SEEN.values():
        for told, dialects in ((row.wire_in_own, {spellings.OWN}), (row.own_elsewhere, set(spellings.CANONICAL))):
            if spellings.is_vector(told):
                vector = by_id[f"relay/{told}"]
                assert all(vector.runs_in(SHOWN_IN, name) for name in dialects), told
