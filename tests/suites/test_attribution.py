"""A change of a lawful log that a statement speaks of breaks that rule by name, whatever else is in the scenario."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.attribution.__main__ import tell
from benchmarks.attribution.changes import GIVEN, KINDS, changed
from benchmarks.attribution.measuring import Asked, measure_part
from bindproof.suites import ObservationError
from tests.relay import NEWEST, SUB, broken, intercept, judged, lanes, lawful, marks, prepare

Json = Any
Log = list[Json]
Change = Callable[[Log], None]

SCOPE: Json = {"step": "start", "as": "S", "name": "S"}
OVER: Json = {"step": "end", "as": "E", "of": "S"}
MANUAL: Json = {"step": "start", "as": "M", "name": "t", "kind": "tool"}
MARK: Json = {"step": "mark", "as": "m", "name": "a", "data": 1}
LLM: Json = {"step": "call", "as": "c", "name": "gpt"}
TOOL: Json = {"step": "call", "as": "t", "name": "t", "kind": "tool"}
STREAM: Json = {"step": "call", "as": "r", "name": "g", "kind": "llm_stream"}
FAILING: Json = {"op": "raise", "text": "boom-1!"}
BEHIND: Json = {"op": "wait", "latch": "l"}
READ: list[Json] = [{"step": "read", "as": "n", "of": "r"}, {"step": "close", "of": "r"}]
OPEN: Json = {"step": "open", "as": "o", "latch": "l"}


OTHER_UUID = "0fa117ed-0000-7000-8000-000000000000"


def register(name: str, family: str, *ops: Json, **more: Json) -> Json:
    """A step that registers a callback of a family, its id its name."""
    return {"step": "register", "as": name, "family": family, "name": name, "do": list(ops), **more}


def at(log: Log, fact: str, **members: Json) -> int:
    """The index of the first record of a fact that has these members, of an event those of the event."""
    return next(
        index
        for index, record in enumerate(log)
        if record["fact"] == fact
        and all({**record, **(record.get("event") or {})}.get(name) == value for name, value in members.items())
    )


def drop(fact: str, **members: Json) -> Change:
    return lambda log: log.__delitem__(at(log, fact, **members))


def swap(first: tuple[str, Json], second: tuple[str, Json]) -> Change:
    def change(log: Log) -> None:
        a, b = at(log, first[0], **first[1]), at(log, second[0], **second[1])
        log[a], log[b] = log[b], log[a]

    return change


def put(place: str, value: Json, fact: str, **members: Json) -> Change:
    """Change what stands at a place (`given/event/name`) of a record."""

    def change(log: Log) -> None:
        inside = log[at(log, fact, **members)]
        *path, last = place.split("/")
        for key in path:
            inside = inside[int(key) if isinstance(inside, list) else key]
        inside[int(last) if isinstance(inside, list) else last] = value

    return change


def start(name: str) -> tuple[str, Json]:
    return "event", {"name": name, "scope_category": "start"}


def end(name: str) -> tuple[str, Json]:
    return "event", {"name": name, "scope_category": "end"}


INJECTING = [SUB, register("a", "event.metadata"), register("b", "event.metadata"), MARK]
LATER = "b.inject"
BACKGROUND = {**TOOL, "background": True, "provider": [BEHIND]}

SPOKEN_OF: list[tuple[str, list[Json], Change, str]] = [
    (
        "a start of a manual call is lost beside a call of its name",
        [SUB, MANUAL, {**LLM, "name": "t"}],
        drop("event", name="t"),
        "EVT-015",
    ),
    (
        "one of two ends of a manual call is lost",
        [SUB, MANUAL, {**OVER, "of": "M"}, {**OVER, "as": "F", "of": "M"}],
        drop(end("t")[0], **end("t")[1]),
        "EVT-015",
    ),
    (
        "an end of a scope is lost beside a call of its name",
        [SUB, SCOPE, OVER, {**LLM, "name": "S"}],
        drop(end("S")[0], **end("S")[1]),
        "EVT-015",
    ),
    (
        "two of one name change places",
        [SUB, {**TOOL, "name": "m"}, {**MARK, "name": "m"}, SCOPE],
        swap(("event", {"kind": "mark"}), end("m")),
        "EVT-015",
    ),
    (
        "a stream's end comes behind the scope's around it",
        [SUB, SCOPE, STREAM, OVER],
        swap(end("g"), end("S")),
        "EVT-015",
    ),
    (
        "a subscriber of a scope is not told of a manual call",
        [SCOPE, {**SUB, "scope": "S"}, MANUAL, OVER],
        drop("event", name="t"),
        "EVT-015",
    ),
    (
        "a mark that a sanitizer rewrites is lost",
        [SUB, register("x", "mark.sanitize"), MARK],
        drop("event", kind="mark"),
        "EVT-006",
    ),
    (
        "a later injector is given another name",
        INJECTING,
        put("given/event/name", "b", "enter", callback=LATER),
        "EVT-018",
    ),
    (
        "a later injector is given another time",
        INJECTING,
        put("given/event/timestamp", "2026-01-01T00:00:01+00:00", "enter", callback=LATER),
        "EVT-018",
    ),
    (
        "a later injector is given another uuid",
        INJECTING,
        put("given/event/uuid", OTHER_UUID, "enter", callback=LATER),
        "EVT-018",
    ),
    (
        "metadata that are no object do not stay",
        [SUB, register("a", "event.metadata", {"op": "edit", "set": {"/k": 1}}), MARK],
        put("given/event/metadata", "text", "enter", callback="a.inject"),
        "EVT-020",
    ),
    (
        "a stream that went well ends with another status",
        [SUB, STREAM],
        put("event/metadata/otel.status_code", "ERROR", *end("g")[:1], **end("g")[1]),
        "EVT-010",
    ),
    (
        "what a sanitizer left of a stream's answer is not told",
        [SUB, register("x", "llm.sanitize_response"), STREAM],
        put("event/data", "text", *end("g")[:1], **end("g")[1]),
        "EVT-023",
    ),
    (
        "a plain subscriber is told another time of a guardrail",
        [SUB, {**SUB, "as": "u", "name": "u"}, register("q", "llm.conditional"), LLM],
        put("event/timestamp", "2026-01-01T00:00:00+00:00", "event", subscriber="u", category="guardrail"),
        "EVT-031",
    ),
    (
        "a guardrail ends under another uuid for one that came late",
        [
            SUB,
            register("q", "llm.conditional"),
            intercept({"op": "step", "step": {**SUB, "as": "u", "name": "u"}}),
            LLM,
            {**LLM, "as": "d"},
        ],
        put("event/uuid", OTHER_UUID, "event", subscriber="u", category="guardrail", scope_category="end"),
        "EVT-002",
    ),
    (
        "a plugin's guardrail ends with its start",
        [
            SUB,
            {"step": "install", "as": "p", "do": [{"op": "step", "step": register("q", "llm.conditional")}]},
            LLM,
        ],
        lambda log: put(
            "event/timestamp",
            log[at(log, "event", category="guardrail")]["event"]["timestamp"],
            "event",
            category="guardrail",
            scope_category="end",
        )(log),
        "EVT-011",
    ),
    (
        "a callback runs before a call in the background is made",
        [SUB, BACKGROUND, OPEN],
        swap(("done", {"step": "s"}), ("enter", {"callback": "t.provider"})),
        "MID-001",
    ),
    (
        "a callback goes on when a call in the background has come back",
        [SUB, BACKGROUND, OPEN],
        swap(("leave", {"callback": "t.provider"}), ("done", {"step": "t"})),
        "MID-001",
    ),
    (
        "a stream's callback runs before the call is made",
        [SUB, register("w", "llm.stream"), STREAM],
        swap(("done", {"step": "w"}), ("enter", {"callback": "w"})),
        "MID-001",
    ),
    (
        "a callback runs while a plugin is installed",
        [SUB, {"step": "install", "as": "p", "do": []}, TOOL],
        swap(("done", {"step": "p"}), ("enter", {"callback": "t.provider"})),
        "MID-001",
    ),
    (
        "a stream begins before its intercept is over",
        [SUB, intercept(), {**STREAM, "provider": [FAILING]}],
        swap(("leave", {"callback": "i"}), ("enter", {"callback": "r.source"})),
        "LIF-005",
    ),
    (
        "two calls have one traceparent",
        [LLM, {**LLM, "as": "d"}],
        lambda log: put(
            "given/request/headers/traceparent",
            log[at(log, "enter", callback="c.provider")]["given"]["request"]["headers"]["traceparent"],
            "enter",
            callback="d.provider",
        )(log),
        "LIF-010",
    ),
    (
        "a stream's intercept is given another agent",
        [{**SCOPE, "type": "agent"}, register("w", "llm.stream"), STREAM, OVER],
        put("given/request/headers/x-dynamo-session-id", "another", "enter", callback="w"),
        "LIF-017",
    ),
    (
        "a mark of a name that a call has is in another scope",
        [SUB, SCOPE, {**MARK, "name": "gpt"}, LLM, OVER],
        put("event/parent_uuid", OTHER_UUID, "event", kind="mark"),
        "LIF-021",
    ),
    (
        "another annotation is told beside a sanitizer of results",
        [
            SUB,
            register("x", "tool.sanitize_response"),
            {**TOOL, "provider": [{"op": "edit", "set": {"/annotation": "cache"}}]},
        ],
        put("event/category_profile/tool_result_annotation", "b", *end("t")[:1], **end("t")[1]),
        "TOL-013",
    ),
    (
        "a mark of a helper's outcome says something else",
        [intercept(marks("m1")), {"step": "helper", "as": "h", "name": "gpt"}, SCOPE, OVER],
        put("value/pending_marks/0/data", 1, "done", step="h"),
        "HLP-012",
    ),
    (
        "the caller of a tool is given another error",
        [{**TOOL, "provider": [FAILING]}],
        put("error/message", "another", "done", step="t"),
        "TOL-012",
    ),
    (
        "the caller of a call in the background is given another error",
        [{**LLM, "background": True, "provider": [BEHIND, FAILING]}, OPEN],
        put("error/message", "another", "done", step="c"),
        "FLT-003",
    ),
    (
        "the caller of a call that is wrapped is given another error",
        [register("x", "llm.execution"), {**LLM, "provider": [FAILING]}],
        put("error/message", "another", "done", step="c"),
        "MID-019",
    ),
    (
        "what an intercept raises is another exception for the caller",
        [register("x", "llm.execution", {"op": "next"}, FAILING), LLM],
        put("error/same_as", "c.provider", "done", step="c"),
        "OUT-012",
    ),
    (
        "the reader of a stream that fails is given another error",
        [{**STREAM, "provider": [{"op": "yield", "chunks": [1]}, FAILING]}],
        put("error/message", "another", "done", step="r"),
        "STR-009",
    ),
    (
        "the reader of a stream whose collector fails is given another error",
        [{**STREAM, "collector": [FAILING]}],
        put("error/message", "another", "done", step="r"),
        "STR-010",
    ),
]


@pytest.mark.long
@pytest.mark.parametrize(("steps", "change", "rule"), [pytest.param(*row[1:], id=row[0]) for row in SPOKEN_OF])
def test_a_change_that_a_statement_speaks_of_breaks_that_rule(steps: list[Json], change: Change, rule: str) -> None:
    prepared = prepare(*steps, dialect="python")
    log = lawful(prepared, 1, "python")
    assert broken(judged(prepared, log, NEWEST, "python")) == {}

    change(log)

    assert rule in broken(judged(prepared, log, NEWEST, "python"))


@pytest.mark.parametrize(
    ("steps", "change"),
    [
        ([{"step": "list", "as": "l"}], put("value", "text", "done", step="l")),
        ([{**STREAM, "drain": False}, *READ], put("value/ended", 1, "done", step="n")),
        ([register("w", "llm.stream"), STREAM], put("value", 1, "answer", callback="w")),
    ],
)
def test_a_value_that_an_adapter_makes_has_its_form(steps: list[Json], change: Change) -> None:
    prepared = prepare(*steps, dialect="python")
    log = lawful(prepared, 1, "python")
    change(log)

    with pytest.raises(ObservationError):
        prepared.observe(log)


def test_a_stream_whose_intercept_swallows_a_late_failure_ends_well() -> None:
    late = register("w", "llm.stream", {"op": "yield"}, {"op": "next", "catch": True})
    prepared = prepare(SUB, late, {**STREAM, "provider": [FAILING]}, dialect="python")
    log = lawful(prepared, 1, "python")

    assert log[at(log, "event", scope_category="end")]["event"]["metadata"]["otel.status_code"] == "OK"
    assert broken(judged(prepared, log, NEWEST, "python")) == {}


@pytest.mark.long
@pytest.mark.parametrize("dialect", ["python", "rust", "worker-raw", "native"])
def test_of_a_sample_of_changes_nearly_all_that_a_statement_speaks_of_are_named(
    dialect: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole of it is `python -m benchmarks.attribution --dialect all`."""
    found = measure_part(Asked(NEWEST, dialect, generated=200, each=4, seed=0), part=0, parts=8)

    assert found.logs > 20
    assert tell(dialect, found, most=40), capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("dialect", ["python", "node"])
def test_what_callbacks_are_given_is_stated(dialect: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The whole of it is `python -m benchmarks.attribution --given --all --dialect all`."""
    found = measure_part(Asked(NEWEST, dialect, generated=100, each=6, seed=1, kinds=GIVEN), part=0, parts=6)

    assert all(sum(found.counts[kind].values()) > 20 for kind in GIVEN)
    assert tell(dialect, found, most=40), capsys.readouterr().out


def test_a_change_is_in_one_place_and_leaves_the_log_alone() -> None:
    prepared = prepare(SUB, intercept(marks("m1")), LLM, {**LLM, "as": "d", "name": "e"}, dialect="python")
    log = lawful(prepared, 1, "python")
    before = repr(log)
    for kind in KINDS.values():
        others = [changed(log, kind, place) for place in kind.places(log, lanes(prepared))]
        assert others
        assert all(abs(len(other) - len(log)) <= 1 for other in others)
        assert any(other != log for other in others)
    assert repr(log) == before


def test_the_words_of_a_guardrails_error_are_open_for_each_subscriber() -> None:
    """The reference words them anew for each, as a binding may."""
    failing = register("q", "tool.conditional", FAILING)
    prepared = prepare(SUB, {**SUB, "as": "u", "name": "u"}, failing, TOOL, dialect="python")

    assert [broken(judged(prepared, lawful(prepared, seed, "python"), NEWEST, "python")) for seed in range(8)] == [
        {}
    ] * 8
