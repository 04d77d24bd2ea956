"""Checks of the chapter *Events* (EVT): what each event says, and what its step gave it to say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from operator import itemgetter

from msgspec import UNSET

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    EVERY_LANE,
    Check,
    Found,
    end_is_rewritten,
    judged,
    part,
    register,
    start_is_rewritten,
)
from bindproof.suites.relay.observation.guardrails import guarded
from bindproof.suites.relay.observation.no_json import chunks
from bindproof.suites.relay.observation.outcomes import names_of_marks
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import ends_of
from bindproof.suites.relay.observation.spans import ToldSpan, all_spans, families, is_start
from bindproof.suites.relay.observation.status import STATUS
from bindproof.suites.relay.observation.streams import StreamCall
from bindproof.suites.relay.observation.transcript import Act, Event
from bindproof.suites.relay.scenario.no_json import WORD as NO_JSON

CHECKS: dict[str, Check] = {}

MICROSECOND = 1000
SEVERITY = "nemo_relay.log.severity"
PLAIN_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.(\d{3}){1,3})?\+00:00")


def _told(reading: Reading) -> list[Event]:
    """Every event that a subscriber was told, in the order of the log."""
    return [(at, event) for _, (at, event) in reading.events]


def pending_names(reading: Reading) -> set[Json]:
    """Return the names of the marks that intercepts stated."""
    return {str(name) for act in reading.transcript.acts for run in act.all() for name in names_of_marks(run.reply)}


def rewritten(reading: Reading, *named: str) -> bool:
    """Tell whether something may rewrite what is judged."""
    return bool(families(reading.transcript) & set(named))


def as_was(reading: Reading, span: ToldSpan) -> list[Event]:
    """Return the start and the ends of a span that no sanitizer of events rewrites."""
    starts = [] if start_is_rewritten(reading, span.act, "start.sanitize") else [span.start]
    return starts + ([] if end_is_rewritten(reading, span.act, "end.sanitize") else span.ends)


SANITIZERS = ("mark.sanitize", "start.sanitize", "end.sanitize", "event.metadata")


@register(CHECKS, "EVT-001")
def events_have_the_editions_form(reading: Reading) -> Found:
    """Every event satisfies the schema of its kind."""
    found = _told(reading)
    return judged(
        [
            Evidence(EVERY_LANE, "the event satisfies its schema", at, "an event of the edition's schema", event)
            for at, event in found
            if not _lawful(reading, at, event)
        ],
        found,
    )


def _lawful(reading: Reading, at: int, event: Json) -> bool:
    form = reading.forms["mark-event" if event.get("kind") == "mark" else "scope-event"]
    return isinstance(event.get("timestamp"), int) and form.accepts(reading.raw[at]["event"])


@register(CHECKS, "EVT-002")
def uuids_are_their_own(reading: Reading) -> Found:
    """A start and its ends have one uuid, and no other event has it."""
    found = []
    for subscriber in reading.transcript.events:
        events = [event for at, event in reading.transcript.events[subscriber]]
        starts = Counter(event.get("uuid") for event in events if is_start(event))
        marks = Counter(event.get("uuid") for event in events if event.get("kind") == "mark")
        found += [uuid for uuid, count in (starts + marks).items() if count > 1]
    return judged(
        [Evidence(EVERY_LANE, "an event has a uuid of its own", None, 1, uuid) for uuid in found]
        + [
            Evidence(subscriber, "an end has the uuid of a start", at, "that of its start", event.get("uuid"))
            for subscriber, (at, event) in reading.unowned
            if event.get("scope_category") == "end" and _has_begun(reading, subscriber, event)
        ]
        + [
            Evidence(
                subscriber, "an end has the uuid of a start", at, start.get("uuid"), end.get("uuid"), also=(begun,)
            )
            for subscriber, (begun, start), (at, end) in _parted(reading)
        ]
        + [
            Evidence(EVERY_LANE, "one uuid for all subscribers", at, first.get("uuid"), event.get("uuid"), also=(own,))
            for (own, first), (at, event) in _alike(reading)
            if event.get("uuid") != first.get("uuid")
        ],
        _told(reading),
    )


def _parted(reading: Reading) -> Iterator[tuple[str, Event, Event]]:
    """Yield each start of a guardrail that has no end with the end of its name, told later, that has no start."""
    for subscriber, events in reading.transcript.events.items():
        told = [event for event in events if event[1].get("category") == "guardrail"]
        starts = {event[1].get("uuid"): event for event in told if is_start(event[1])}
        ends = {event[1].get("uuid"): event for event in told if not is_start(event[1])}
        for uuid in starts.keys() - ends.keys():
            start = starts[uuid]
            lone = [end for own, end in ends.items() if own not in starts and end[0] > start[0]]
            yield from ((subscriber, start, end) for end in lone if end[1].get("name") == start[1].get("name"))


def _has_begun(reading: Reading, subscriber: str, event: Json) -> bool:
    """Tell whether a subscriber was told of a start of this name, and of no end of it."""
    names = (event.get("category"), event.get("name"))
    return any(
        life.starts and not life.ends and (life.starts[0][1].get("category"), life.starts[0][1].get("name")) == names
        for lives in reading.deliveries.lives.values()
        for life in [lives.get(subscriber)]
        if life is not None
    )


def _alike(reading: Reading) -> Iterator[tuple[Event, Event]]:
    """Yield what is one event and was told to several, as the first was told it and as another was."""
    told = reading.deliveries
    for lives in told.lives.values():
        own = list(lives.values())
        for each in ([life.starts for life in own], [life.ends for life in own]):
            yield from _beside_the_first([events[0] for events in each if len(events) == 1])
        for same_mark in zip(*([event for _, event in life.pending] for life in own if life.pending), strict=False):
            yield from _beside_the_first([event for event in same_mark if event is not None])
        for same_chunk in zip(*(life.chunks for life in own if life.chunks), strict=False):
            yield from _beside_the_first(list(same_chunk))
    for marks in (*told.marked.values(), *told.rejected.values()):
        yield from _beside_the_first(list(marks.values()))
    others: dict[Json, list[Event]] = {}
    for _, event in told.unowned:  # guardrails: a uuid tells which they are
        others.setdefault((event[1].get("uuid"), event[1].get("scope_category")), []).append(event)
    for events in others.values():
        yield from _beside_the_first(events)


def _beside_the_first(events: list[Event]) -> Iterator[tuple[Event, Event]]:
    first, *others = sorted(events, key=itemgetter(0)) if events else [(0, None)]
    return ((first, other) for other in others)


@register(CHECKS, "EVT-031")
def all_are_told_the_same(reading: Reading) -> Found:
    """What several subscribers are told of one event is the same."""
    found = list(_alike(reading))
    return judged(
        [
            Evidence(EVERY_LANE, f"{member} is the same for all", at, first.get(member), event.get(member), also=(own,))
            for (own, first), (at, event) in found
            for member in sorted({*first, *event} - {"uuid"})
            if not same(first.get(member), event.get(member))
        ],
        found,
    )


@register(CHECKS, "EVT-003")
def an_end_agrees_with_its_start(reading: Reading) -> Found:
    """Name, category, attributes and parent of an end are those of its start."""
    found = _pairs(reading)
    keys = ("name", "category", "attributes", "parent_uuid")
    return judged(
        [
            Evidence(EVERY_LANE, f"start and end agree in {key}", at, start.get(key), end.get(key))
            for (_, start), (at, end) in found
            for key in keys
            if not same(start.get(key), end.get(key))
        ],
        found,
    )


def _pairs(reading: Reading) -> list[tuple[Event, Event]]:
    """Each end with its start: of scopes, of calls, and of guardrails, but for a plugin's, whose names are open."""
    found = [(span.start, end) for span in all_spans(reading.transcript) for end in span.ends]
    scopes = (scope for one in guarded(reading.transcript) for scope in one.scopes or ())
    return found + [(start, end) for due, start, end in scopes if end is not None and not due.plugin]


@register(CHECKS, "EVT-004")
def the_category_is_the_sort_of_work(reading: Reading) -> Found:
    """The category of a scope is its type, of a call its kind; a span bears the name that it was started with."""
    found = all_spans(reading.transcript)
    return judged(
        [
            Evidence(EVERY_LANE, "category and name of the step", span.start[0], expected, seen)
            for span in found
            if (expected := _sort(span.act)) != (seen := (span.start[1].get("category"), span.start[1].get("name")))
        ],
        found,
    )


def _sort(act: Act) -> tuple[str, str]:
    kind = act.step["kind"]
    return act.step["type"] if kind == "scope" else kind.removesuffix("_stream"), act.step["name"]


@register(CHECKS, "EVT-010")
def an_end_says_how_a_call_went(reading: Reading) -> Found:
    """The end of a managed call has a status: OK, or ERROR where the call failed.

    Of a stream that is not read to its end the chapter on streams says it.
    """
    unread = {stream.step["as"] for stream in reading.streams if not stream.ended and not stream.errors}
    found = [span for span in all_spans(reading.transcript) if span.act.step["step"] == "call" and span.ends]
    found = [span for span in found if not end_is_rewritten(reading, span.act, "end.sanitize")]
    found = [span for span in found if span.act.step["as"] not in unread and not _has_failed(reading, span.act)]
    found = [span for span in found if not says_failed(span)]
    return judged(
        [
            Evidence(EVERY_LANE, "the end says how the call went", at, expected, seen)
            for span in found
            for at, end in span.ends
            if (seen := part(end, "metadata", STATUS)) != (expected := _status(span.act))
        ],
        found,
    )


def says_failed(span: ToldSpan) -> bool:
    """Tell whether the result of a tool's call says that it is of a failure: from some edition on its end says so."""
    step = span.act.step
    ends = [end for _, end in span.ends]
    result = ends[0].get("data") if ends and step["kind"] == "tool" else None
    if not isinstance(result, dict) or result.get("schema") != "nemo.relay.tool_result@1" or "result" not in result:
        return False
    return result.get("is_error") is True and isinstance(result.get("content", 0), str | list | None)


def _has_failed(reading: Reading, act: Act) -> bool:
    """Tell whether an act is a stream of which a callback failed: STR-009 to STR-012 are about those."""
    stream = next((one for one in reading.streams if one.act is act), None)
    if stream is None or _fails_by_a_chunk(reading, stream):
        return False
    ends = [one.over[1].raised for one in stream.wrappers + stream.sources if one.over is not None]
    inside = stream.collected + stream.finals
    return bool(stream.errors) or any(end is not UNSET for end in ends) or any(one.raised is not None for one in inside)


def _fails_by_a_chunk(reading: Reading, stream: StreamCall) -> bool:
    """Tell whether JSON lacks something of a chunk that its reader would be given (DLC-015), and no callback fails."""
    if NO_JSON not in reading.words or not stream.collects_all():
        return False
    return any(of is stream and one is stream.outermost() for of, one, _ in chunks(reading.transcript))


def _status(act: Act) -> str:
    """Return how a call went; what wraps a stream may have swallowed a failure of what it wraps."""
    raised = act.step["kind"] != "llm_stream" and act.runs and act.runs[-1].raised is not None
    return "ERROR" if raised or act.error is not None else "OK"


@register(CHECKS, "EVT-011")
def an_end_is_later_than_its_start(reading: Reading) -> Found:
    """Every end is a microsecond later than its start, or more: what has its uuid is its start, whatever it is of."""
    given = {
        at
        for span in all_spans(reading.transcript)
        if any(act.step["timestamp"] is not None for act in ends_of(reading.transcript, span.act))
        for at, _ in span.ends
    }
    found = [
        (at, start["timestamp"], end["timestamp"])
        for (_, start), (at, end) in _of_one_uuid(reading)
        if at not in given
        if isinstance(start.get("timestamp"), int) and isinstance(end.get("timestamp"), int)
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "an end is later than its start", at, start + MICROSECOND, end)
            for at, start, end in found
            if end < start + MICROSECOND
        ],
        found,
    )


def _of_one_uuid(reading: Reading) -> Iterator[tuple[Event, Event]]:
    """Yield each end with its start, as one subscriber was told them."""
    for events in reading.transcript.events.values():
        starts = {told[1].get("uuid"): told for told in events if is_start(told[1])}
        for at, event in events:
            if event.get("scope_category") == "end" and event.get("uuid") in starts:
                yield starts[event["uuid"]], (at, event)


@register(CHECKS, "EVT-013")
def times_have_nanoseconds(reading: Reading) -> Found:
    """The time of every event has groups of three digits of a second and the offset +00:00."""
    return _of_form(reading, "timestamp", PLAIN_TIME, "groups of three digits and +00:00")


def _of_form(reading: Reading, key: str, form: re.Pattern[str], words: str) -> Found:
    raw = [(at, str(reading.raw[at]["event"].get(key))) for at, _ in _told(reading)]
    return judged(
        [Evidence(EVERY_LANE, f"{key}: {words}", at, words, seen) for at, seen in raw if not form.fullmatch(seen)], raw
    )
