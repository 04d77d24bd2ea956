"""Raw steps: what the language takes of them, and what checks make of logs that no reference made."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from bindproof.core.model import REFERENCE_REQUIREMENT
from bindproof.suites.relay.scenario.complete import ScenarioError, brief, complete
from bindproof.suites.relay.scenario.raw import octets
from tests.relay import NEWEST, broken, call, judged, lawful, prepare

Json = Any

BYTES: Json = {"bytes": "ff"}


def raw(function: str, name: str = "r", **more: Json) -> Json:
    return {"step": "raw", "as": name, "function": function, **more}


def given(function: str, name: str = "r", /, **arguments: Json) -> Json:
    return raw(function, name, **{"with": arguments})


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        (None, None),
        ("", b""),
        ("é", b"\xc3\xa9"),
        ({"text": "a", "bytes": "ff00", "pad": 2, "end": "b"}, b"a\xff\x00  b"),
        ({"text": "", "bytes": "", "pad": 0, "end": ""}, b""),
    ],
)
def test_a_cell_is_null_or_bytes(cell: Json, found: bytes | None) -> None:
    assert octets(cell) == found


@pytest.mark.parametrize(
    ("steps", "parts"),
    [
        ([raw("dance")], ["dance", "$.steps[0]"]),
        ([raw("call"), call()], ["raw steps and others"]),
        ([given("call", colour="red")], ["raw step 'r'", "'colour' is unknown", "name, request, model, provider, out"]),
        ([given("call", provider="p")], ["'provider' is no text, it can only be null"]),
        ([given("call", name=3)], ["$.steps[0].with"]),
        ([given("call", name={"bytes": "f"})], ["'name' is neither UTF-8 text nor bytes in hex"]),
        ([given("call", name="\ud800")], ["'name' is neither UTF-8 text nor bytes in hex"]),
        ([given("call", name="a\0b")], ["'name' holds a NUL"]),
        ([given("call", name={"bytes": "00"})], ["'name' holds a NUL"]),
        ([given("call", name={"pad": -1})], ["$.steps[0].with"]),
        ([raw("helper", replies={"provider": "1"})], ["replies 'provider' is unknown; helper has nothing"]),
        ([given("outcome", pending_marks="[" * 101)], ["'pending_marks' is nested deeper than 100"]),
        ([given("outcome", pending_marks={"text": '{"a":' * 90 + "[" * 5_000})], ["is nested deeper than 100"]),
        ([raw("call", replies={"provider": "[{}, " * 5_000})], ["'provider' is nested deeper than 100"]),
        ([raw("call", inside="helper")], ["'helper' is `inside` of register_intercept"]),
    ],
)
def test_a_raw_step_that_makes_no_sense_is_told_so(steps: list[Json], parts: list[str]) -> None:
    with pytest.raises(ScenarioError) as caught:
        complete({"steps": steps})
    assert [part for part in parts if part not in str(caught.value)] == [], str(caught.value)


def test_a_raw_step_is_written_briefly() -> None:
    step = given("call", name=BYTES, model=None)
    full = complete({"steps": [step]})
    assert full["steps"][0]["with"] == {"name": {"text": "", "bytes": "ff", "pad": 0, "end": ""}, "model": None}
    assert brief(full) == {"steps": [step]}


def spoil(step: Json, *more: Json, at: int = 0, **record: Json) -> list[str]:
    """What is broken when the record at this place of a lawful log has these members instead."""
    prepared = prepare(step, *more, dialect="c")
    log = deepcopy(lawful(prepared, 0, "c"))
    log[at] = {"fact": "done", "step": log[at]["step"], **record}
    return sorted(broken(judged(prepared, log, NEWEST, "c")))


def error(code: str) -> Json:
    return {"type": "RelayError", "message": "m", "code": code, "same_as": None}


@pytest.mark.parametrize(
    ("step", "rule"),
    [
        (given("call", name=None), "CFF-008"),
        (given("call", request=None), "CFF-008"),
        (given("call", out=None), "CFF-008"),
        (given("helper", name=BYTES), "CFF-006"),
        (given("helper", request="[]"), "CFF-002"),
        (given("helper", request='{"headers":{}}'), "CFF-002"),
        (given("outcome", pending_marks="{}"), "CFF-002"),
        (given("outcome", annotated_request="3"), "CFF-002"),
        (given("outcome", handle=None), "CFF-008"),
        (given("register_subscriber", callback=None), "CFF-008"),
        (raw("call", replies={"provider": BYTES}), "CFF-007"),
        (raw("call", replies={"decode": None}), "CFF-009"),
    ],
)
def test_what_is_to_be_refused_and_is_not_is_found(step: Json, rule: str) -> None:
    """Of what a function leaves behind that goes on there may be more to say."""
    assert [name for name in spoil(step, value=None) if name != REFERENCE_REQUIREMENT] == [rule]


@pytest.mark.parametrize("step", [given("helper", name=None), raw("helper"), given("call", model=None)])
def test_what_is_well_formed_and_refused_is_found(step: Json) -> None:
    assert spoil(step, error=error("INVALID_JSON"))


@pytest.mark.parametrize("dialect", ["python", "node", "go", "go-upstream", "rust"])
def test_where_there_is_no_c_library_nothing_is_predicted(dialect: str) -> None:
    assert prepare(raw("call"), dialect=dialect).prediction["inexpressible"]["path"] == "raw"


def test_two_flaws_leave_open_which_is_told() -> None:
    both = given("helper", name=BYTES, request="{")
    assert not {"CFF-002", "CFF-006"} & set(spoil(both, error=error("INVALID_JSON")))


def test_the_last_error_is_asked_right_after_a_failure() -> None:
    failing = given("helper", "h", request="{")
    assert spoil(failing, raw("last_error"), at=1, value=None) == ["CFF-010"]
    assert spoil(failing, given("last_error", thread="other"), at=1, value="m") == ["CFF-010"]
    assert spoil(raw("helper", "h"), raw("last_error"), at=1, value=None) == []
