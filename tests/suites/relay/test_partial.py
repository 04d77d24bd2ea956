"""An edition of which the spec states a part: its requirements are judged, and nothing besides."""

from __future__ import annotations

from bindproof.core.model import REFERENCE_REQUIREMENT
from tests.relay import SUB, Json, broken, call, intercept, judged, lawful, marks, prepare


def names(log: list[Json]) -> list[str]:
    """The names of the events that were told."""
    return [record["event"]["name"] for record in log if record["fact"] == "event"]


def test_what_no_requirement_speaks_of_is_not_judged() -> None:
    prepared = prepare(SUB, call(), edition="0.4")
    kept = {one.requirement for one in judged(prepared, lawful(prepared, 1, "wire"), "0.4", "wire")}
    assert "MID-001" in kept
    assert REFERENCE_REQUIREMENT not in kept
    whole = prepare(SUB, call(), edition="0.5")
    assert REFERENCE_REQUIREMENT in {one.requirement for one in judged(whole, lawful(whole, 1, "wire"), "0.5", "wire")}


def test_before_0_5_no_mark_is_told_and_one_that_is_breaks_the_rule_that_says_so() -> None:
    steps = (SUB, intercept(marks("m")), call())
    prepared = prepare(*steps, edition="0.4", dialect="wasm")
    log = lawful(prepared, 1, "wasm")
    assert names(log) == ["gpt", "gpt"]
    assert broken(judged(prepared, log, "0.4", "wasm")) == {}
    later = prepare(*steps, edition="0.5", dialect="wasm")
    told = lawful(later, 1, "wasm")
    assert names(told) == ["gpt", "m", "gpt"]
    assert [*broken(judged(prepared, told, "0.4", "wasm"))] == ["OUT-014"]
    assert "MRK-001" in broken(judged(later, log, "0.5", "wasm"))


def test_before_0_5_who_subscribes_in_flight_is_told_of_the_end() -> None:
    late = {"step": "register", "as": "late", "family": "subscriber", "name": "late"}
    steps = (call(provider=[{"op": "step", "step": late}]),)
    assert names(lawful(prepare(*steps, edition="0.4"), 1, "wire")) == ["gpt"]
    assert names(lawful(prepare(*steps, edition="0.5"), 1, "wire")) == []


def test_before_0_5_no_header_names_an_agent() -> None:
    agent = {"step": "start", "as": "a", "kind": "scope", "type": "agent", "name": "a"}

    def headers(edition: str) -> list[str]:
        log = lawful(prepare(agent, call(), {"step": "end", "of": "a"}, edition=edition), 1, "wire")
        (given,) = [record["given"] for record in log if record["fact"] == "enter"]
        return [*given["request"]["headers"]]

    assert headers("0.4") == []
    assert headers("0.5") == ["x-dynamo-session-id"]
