"""The schemas and the reference say the same of which outcomes are well formed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from bindproof.spec.forms import Form, forms, read_schemas
from bindproof.suites import Choices
from bindproof.suites.choices import SeededChoices
from bindproof_reference.relay.editions import rules
from bindproof_reference.relay.marks import malformed_mark
from bindproof_reference.relay.outcomes import malformed_outcome
from tests.choices import STEADY, DrawnChoices
from tests.relay import SPEC

pytestmark = pytest.mark.long

Json = Any

JUNK: tuple[Json, ...] = (None, True, 3, 1.5, "", "info", "text", [], [1], {}, {"name": "m"}, {"messages": 1})
PROFILES: tuple[Json, ...] = (None, {}, {"model_name": "m", "free": 1}, {"subtype": None, "tool_call_id": "t"})


def some(choices: Choices, **fields: Json) -> Json:
    """An object with some of the fields."""
    return {key: value for key, value in fields.items() if choices.chance(60)}


def mark(choices: Choices, edition: str) -> Json:
    whole = {"name": choices.pick(("m", ""))} | some(
        choices,
        category=choices.pick((None, "llm", "weird")),
        category_profile=choices.pick(PROFILES),
        data=choices.pick(JUNK),
        metadata=choices.pick(JUNK),
        data_schema=choices.pick((None, {"name": "n", "version": "1"}, {"name": "n", "version": "1", "free": 1})),
        severity=choices.pick((None, "trace", "debug", "info", "warn", "error")),
    )
    return {key: value for key, value in whole.items() if key in rules(edition).mark_fields}


SAVED: Json = {"producer": "p", "kind": "k"}


def outcome(choices: Choices, edition: str) -> Json:
    """A well-formed outcome."""
    request = {"headers": choices.pick(({}, {"h": 1})), "content": choices.pick(JUNK)} | some(choices, free=1)
    whole = {"request": request} | some(
        choices,
        annotated_request=choices.pick((None, {}, {"messages": [], "free": 1}, {"messages": [1]})),
        pending_marks=[mark(choices, edition) for _ in range(choices.integer(0, 2))],
        optimization_contributions=choices.pick(([], [SAVED], [SAVED | {"free": 1, "applied": True}, SAVED])),
    )
    return {key: value for key, value in whole.items() if key in rules(edition).outcome_fields}


def mutated(choices: Choices, value: Json) -> Json:
    """The same value with one thing changed somewhere inside: dropped, replaced or added."""
    inside = [key for key, item in _members(value) if isinstance(item, dict | list)]
    if inside and choices.chance(70):
        key = choices.pick(inside)
        changed = value.copy()
        changed[key] = mutated(choices, value[key])
        return changed
    if not isinstance(value, dict | list) or choices.chance(10):
        return choices.pick(JUNK)
    return _changed(choices, value)


def _members(value: Json) -> list[tuple[Json, Json]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def _changed(choices: Choices, value: Json) -> Json:
    changed = value.copy()
    keys = [key for key, _ in _members(value)]
    how = choices.pick(("drop", "replace", "add")) if keys else "add"
    if how == "drop":
        del changed[choices.pick(keys)]
    elif how == "replace":
        changed[choices.pick(keys)] = choices.pick(JUNK)
    elif isinstance(changed, dict):
        changed[choices.pick(("bogus", "uuid", "name", "pendingMarks", "version", "messages", "severity"))] = (
            choices.pick(JUNK)
        )
    else:
        changed.append(choices.pick(JUNK))
    return changed


@cache
def second_opinion(edition: str, name: str) -> jsonschema.Draft202012Validator:
    """The same schema in another library."""
    schemas = read_schemas(SPEC, edition)
    resources = [(schema["$id"], DRAFT202012.create_resource(schema)) for schema in schemas.values()]
    return jsonschema.Draft202012Validator(schemas[name], registry=Registry().with_resources(resources))


def agree(edition: str, name: str, value: Json, *, both: bool) -> bool:
    """Whether a value is well formed; fails where the schema and the reference disagree."""
    reason = (malformed_outcome if name == "outcome" else malformed_mark)(value, rules(edition))
    accepted: bool = forms_of(edition)[name].accepts(value)
    assert (reason is None) == accepted, (reason, value)
    if both:
        assert second_opinion(edition, name).is_valid(value) == accepted, value
    return accepted


@cache
def forms_of(edition: str) -> Mapping[str, Form]:
    return forms(SPEC, edition)


def both_kinds(choices: Choices, edition: str, *, both: bool) -> list[bool]:
    """One outcome and one mark, well formed and then with one to three faults: what was accepted of the latter."""
    found = []
    for name, value in (("outcome", outcome(choices, edition)), ("pending-mark", mark(choices, edition))):
        assert agree(edition, name, value, both=both)
        for _ in range(choices.integer(1, 3)):
            value = mutated(choices, value)
        found.append(agree(edition, name, value, both=both))
    return found


WITH_OUTCOMES = [edition.name for edition in SPEC.editions if not edition.partial]
"""The editions whose schemas have outcomes and marks: there were none before 0.5."""


@pytest.mark.parametrize("edition", WITH_OUTCOMES)
def test_schema_and_reference_agree_on_seeded_objects(edition: str) -> None:
    found = [one for seed in range(1500) for one in both_kinds(SeededChoices(seed), edition, both=seed % 10 == 0)]
    assert 0.1 < sum(found) / len(found) < 0.9, "the mutations no longer find both sides"


@STEADY
@given(st.data(), st.sampled_from(WITH_OUTCOMES))
def test_schema_and_reference_agree_on_drawn_objects(data: st.DataObject, edition: str) -> None:
    both_kinds(DrawnChoices(data.draw), edition, both=False)
