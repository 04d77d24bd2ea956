from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bindproof.suites.relay.observation.normalise import ErrorRules, Places, kind_of, nanoseconds
from bindproof.suites.relay.observation.normalise import normalise as normalised_in_place
from bindproof.suites.relay.observation.records import decode
from tests.choices import STEADY

Json = Any

RULES = ErrorRules(
    {"boom-1!": "i", "boom-2!": "c.decode"},
    [("content_changed", "^invalid argument: .* changed"), ("codec_failed", "codec")],
)
PLACES = Places(RULES)
UUIDS = [f"{number:08x}-0000-7000-8000-000000000000" for number in range(6)]


def event(uuid: Json, name: str = "m", kind: str = "mark", **more: Json) -> Json:
    return {"fact": "event", "subscriber": "s", "event": {"uuid": uuid, "name": name, "kind": kind, **more}}


def scope(uuid: Json, name: str = "gpt", **more: Json) -> Json:
    return event(uuid, name, "scope", category="llm", **more)


def normalise(log: list[Json], places: Places) -> list[Json]:
    """The normalised rows; the typed records say the same."""
    records = decode(log)
    rows = normalised_in_place(records, log, places)
    assert decode(rows) == records
    return rows


def events(log: list[Json]) -> list[Json]:
    return [record["event"] for record in normalise(log, PLACES)]


def test_labels_say_kind_name_and_number() -> None:
    log = [scope(UUIDS[0]), event(UUIDS[1], parent_uuid=UUIDS[0]), event(UUIDS[2]), scope(UUIDS[3]), scope(UUIDS[0])]
    assert [(e["uuid"], e.get("parent_uuid")) for e in events(log)] == [
        ("llm:gpt", None),
        ("mark:m", "llm:gpt"),
        ("mark:m#2", None),
        ("llm:gpt#2", None),
        ("llm:gpt", None),
    ]


def test_a_uuid_that_no_event_has_is_outside_and_what_is_none_stays() -> None:
    log = [scope(UUIDS[0], parent_uuid=UUIDS[4], propagation_root_uuid=UUIDS[5]), scope(UUIDS[1], parent_uuid=UUIDS[4])]
    first, second = events(log)
    assert (first["parent_uuid"], first["propagation_root_uuid"], second["parent_uuid"]) == (
        "outside#1",
        "outside#2",
        "outside#1",
    )
    assert [e["parent_uuid"] for e in events([scope(None, parent_uuid=3), scope(UUIDS[0], parent_uuid="root")])] == [
        3,
        "root",
    ]


identities = st.sampled_from([*UUIDS, None])
names = st.sampled_from(["m", "m#2", "m#3", "", "gpt", "gpt#2"])
records = st.builds(
    lambda make, uuid, name, parent, root: make(uuid, name, parent_uuid=parent, propagation_root_uuid=root),
    st.sampled_from([event, scope]),
    identities,
    names,
    identities,
    identities,
)


@pytest.mark.long
@STEADY
@given(st.lists(records, max_size=10))
def test_one_label_is_one_uuid_both_ways(log: list[Json]) -> None:
    before = deepcopy(log)
    rows = normalise(log, PLACES)
    by_uuid: dict[Json, Json] = {}
    for raw, seen in zip(log, rows, strict=True):
        for key in ("uuid", "parent_uuid", "propagation_root_uuid"):
            assert by_uuid.setdefault(raw["event"][key], seen["event"][key]) == seen["event"][key]
    assert by_uuid.get(None) is None
    labels = {uuid: label for uuid, label in by_uuid.items() if uuid is not None}
    assert len(set(labels.values())) == len(labels)
    assert log == before


@pytest.mark.long
@STEADY
@given(
    st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)),
    st.integers(-23 * 60 - 59, 23 * 60 + 59),
    st.integers(0, 9),
    st.integers(0, 999),
)
def test_nanoseconds_are_those_of_datetime(moment: datetime, offset: int, digits: int, below: int) -> None:
    aware = moment.replace(tzinfo=timezone(timedelta(minutes=offset)))
    fraction = f"{moment.microsecond:06}{below:03}"[:digits]
    sign, minutes = ("-" if offset < 0 else "+"), abs(offset)
    zone = "Z" if offset == 0 else f"{sign}{minutes // 60:02}:{minutes % 60:02}"
    text = f"{moment:%Y-%m-%dT%H:%M:%S}".rjust(19, "0") + (f".{fraction}" if fraction else "") + zone
    whole = (aware.replace(microsecond=0) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1)
    assert nanoseconds(text) == whole * 1_000_000_000 + int(fraction.ljust(9, "0"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01t00:00:01.5z", 1_500_000_000),
        ("1970-01-01T01:00:00.000000001+01:00", 1),
        ("1969-12-31T23:59:59.999999999-00:00", -1),
        ("2026-11-21T12:00:00.123456789+00:00", 1_795_262_400_123_456_789),
    ],
)
def test_times_that_are_known(text: str, expected: int) -> None:
    assert nanoseconds(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-11-21",
        "2026-11-21T12:00:00",
        "2026-11-21 12:00:00Z",
        "2026-11-21T12:00:00.Z",
        "2026-11-21T12:00:00,5Z",
        "2026-11-21T12:00:00Z\n",
        "2026-13-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-01-01T25:00:00Z",
        "٢٠٢٦-01-01T00:00:00Z",
    ],
)
def test_a_text_that_is_no_time_stays(text: str) -> None:
    assert nanoseconds(text) == text
    assert events([scope(UUIDS[0], timestamp=text)])[0]["timestamp"] == text


DIGITS = UUIDS[1].replace("-", "")


def provided(trace: Json) -> Json:
    headers = {"h": 1} if trace is None else {"h": 1, "traceparent": trace}
    return {"fact": "enter", "callback": "c.provider", "k": 0, "given": {"request": {"headers": headers, "content": 1}}}


@pytest.mark.parametrize(
    ("trace", "expected"),
    [
        (f"00-{DIGITS}-{DIGITS[16:]}-01", "trace(llm:gpt)"),
        (f"00-{DIGITS}-{DIGITS[16:]}-00", "trace(llm:gpt)"),
        (f"00-{UUIDS[2].replace('-', '')}-{DIGITS[16:]}-01", "trace(outside#1)"),
        (f"00-{DIGITS}-{'1' * 16}-01", {"trace": "llm:gpt", "span": "outside#1"}),
        (f"00-{'1' * 32}-{DIGITS[16:]}-01", {"trace": "outside#1", "span": "llm:gpt"}),
        (f"01-{DIGITS}-{DIGITS[16:]}-01", None),
        (f"00-{DIGITS.upper()}x-{DIGITS[16:]}-01", None),
        ("caller", None),
        (3, None),
    ],
)
def test_a_traceparent_is_labelled_by_the_scopes_that_it_names(trace: Json, expected: Json) -> None:
    log = normalise([provided(trace), scope(UUIDS[1])], PLACES)
    assert log[0]["given"]["request"]["headers"]["traceparent"] == (trace if expected is None else expected)


def test_a_trace_header_that_the_scenario_states_stays() -> None:
    trace = f"00-{DIGITS}-{'1' * 16}-01"
    log = normalise([provided(trace), scope(UUIDS[1])], Places(RULES, stated=lambda text: text == trace))
    assert log[0]["given"]["request"]["headers"]["traceparent"] == trace


def test_what_an_execution_is_given_is_labelled_as_what_the_provider_is() -> None:
    request = provided(f"00-{DIGITS}-{DIGITS[16:]}-01")["given"]["request"]
    log = [
        {"fact": "enter", "callback": "x", "k": 0, "given": {"name": "gpt", "request": request}},
        {"fact": "next", "callback": "x", "k": 0, "given": request},
        {"fact": "enter", "callback": "i", "k": 0, "given": {"name": "gpt", "request": request}},
        scope(UUIDS[1]),
    ]
    enter, asked, other, _ = normalise(log, Places(RULES, frozenset({"x"})))
    assert enter["given"]["request"]["headers"]["traceparent"] == "trace(llm:gpt)"
    assert asked["given"]["headers"]["traceparent"] == "trace(llm:gpt)"
    assert other["given"]["request"] == request


def test_what_a_helper_answers_is_labelled_as_what_the_provider_is_given() -> None:
    request = provided(f"00-{DIGITS}-{DIGITS[16:]}-01")["given"]["request"]
    done = {"fact": "done", "step": "h", "value": {"request": request}}
    helper, other, _ = normalise([done, {**done, "step": "c"}, scope(UUIDS[1])], Places(RULES, frozenset({"h"})))
    assert helper["value"]["request"]["headers"]["traceparent"] == "trace(llm:gpt)"
    assert other["value"]["request"] == request


def test_the_event_that_a_sanitizer_is_given_is_read_as_an_event() -> None:
    event = scope(UUIDS[1], timestamp="2026-01-01T00:00:00Z")["event"]
    log = [{"fact": "enter", "callback": "z.sanitize", "k": 0, "given": {"event": event, "fields": {}}}]
    seen = normalise(log, PLACES)[0]["given"]["event"]
    assert seen["uuid"] == "llm:gpt"
    assert isinstance(seen["timestamp"], int)


def test_only_the_positions_of_the_contract_are_touched() -> None:
    inside = {"uuid": UUIDS[0], "timestamp": "1970-01-01T00:00:00Z", "headers": {"traceparent": f"00-{DIGITS}"}}
    log = [
        {"fact": "enter", "callback": "i", "k": 0, "given": {"request": {"headers": inside, "content": inside}}},
        {"fact": "leave", "callback": "i", "k": 0, "reply": inside},
        scope(UUIDS[0], data=inside, metadata=inside),
        {"fact": "done", "step": "c", "value": inside},
        provided(None),
        {"fact": "settled"},
    ]
    seen = normalise(log, PLACES)
    assert seen[:2] + seen[3:] == log[:2] + log[3:]
    assert (seen[2]["event"]["data"], seen[2]["event"]["metadata"]) == (inside, inside)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("internal error: boom-1!", "callback_raised"),
        ("codec: boom-2!", "codec_failed"),
        ("invalid argument: 'i' changed it", "content_changed"),
        ("the codec broke", "codec_failed"),
        ("invalid argument: boom-1! changed", "content_changed"),
        ("said: codec boom-1!", "codec_failed"),
        ("something else", "unknown"),
        ("", "unknown"),
    ],
)
def test_an_errors_kind(message: str, kind: str) -> None:
    error = {"type": "E", "message": message, "code": None, "same_as": None}
    assert kind_of(error, RULES) == kind
    done = normalise([{"fact": "done", "step": "c", "error": error}], PLACES)[0]
    assert done["error"] == {"kind": kind, **error}


@pytest.mark.parametrize(("callback", "kind"), [("i", "outcome_malformed"), ("c.encode", "codec_failed")])
def test_a_constructors_refusal_gives_the_error_its_kind(callback: str, kind: str) -> None:
    refused = {"fact": "refused", "callback": callback, "k": 0, "error": {"type": "T", "message": "bad argument"}}
    error = {"type": "E", "message": "internal error: bad argument", "code": None, "same_as": None}
    assert normalise([refused, {"fact": "done", "step": "c", "error": error}], PLACES)[1]["error"]["kind"] == kind


@pytest.mark.parametrize("message", [None, "", 5, []])
def test_a_refusal_without_words_says_nothing_of_later_errors(message: Json) -> None:
    refused = {"fact": "refused", "callback": "i", "k": 0, "error": {"message": message}}
    error = {"type": "E", "message": "something else", "code": None, "same_as": None}
    assert normalise([refused, {"fact": "done", "step": "c", "error": error}], PLACES)[1]["error"]["kind"] == "unknown"
