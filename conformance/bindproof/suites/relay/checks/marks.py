"""Checks of the chapter *Pending marks* (MRK)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    PROGRAM,
    Check,
    Found,
    judged,
    part,
    register,
    start_is_rewritten,
)
from bindproof.suites.relay.checks.outcomes import refusals_of
from bindproof.suites.relay.observation.outcomes import names_of_marks
from bindproof.suites.relay.observation.reading import Call, Event, Life, Reading

CHECKS: dict[str, Check] = {}

OFFSET_NS = 1000
SEVERITY_KEY = "nemo_relay.log.severity"


@register(CHECKS, "MRK-001")
def every_mark_once(reading: Reading) -> Found:
    """As many marks of each name are emitted as the accepted outcomes state."""
    found = reading.marked
    return (
        [evidence for call, subscriber, life in found for evidence in _counted(call, subscriber, life)]
        if found
        else None
    )


def _counted(call: Call, subscriber: str, life: Life) -> Iterator[Evidence]:
    if not life.events():
        return  # LIF-008 speaks of a subscriber that was told nothing
    stated = [mark.get("name") for mark in call.pending_marks]
    told = [event.get("name") for _, event in life.marks]
    if stated == told:
        return
    expected, seen = Counter(stated), Counter(told)
    if expected != seen:
        text = "every pending mark is emitted exactly once"
        record = life.marks[0][0] if life.marks else None
        names = sorted(map(str, expected.elements())), sorted(map(str, seen.elements()))
        spans = [f"{call.step['as']}/mark/{n}" for n, name in enumerate(stated) if expected[name] > seen[name]]
        also = [at for at, event in life.marks if seen[event.get("name")] > expected[event.get("name")]]
        yield Evidence(subscriber, text, record, *names, also=tuple(also), about=tuple(spans))


@register(CHECKS, "MRK-002")
def marks_keep_their_order(reading: Reading) -> Found:
    """Marks come in the order in which the outcomes state them."""
    found = [(call, sub, life) for call, sub, life in reading.marked if len(call.pending_marks) > 1]
    return (
        [evidence for call, subscriber, life in found for evidence in _ordered(call, subscriber, life)]
        if found
        else None
    )


def _ordered(call: Call, subscriber: str, life: Life) -> Iterator[Evidence]:
    expected = [mark.get("name") for mark in call.pending_marks]
    seen = [event.get("name") for _, event in life.marks]
    if expected != seen and Counter(expected) == Counter(seen):
        at = next(index for index, pair in enumerate(zip(expected, seen, strict=True)) if pair[0] != pair[1])
        yield Evidence(subscriber, "marks come in the outcomes' order", life.marks[at][0], expected, seen)


@register(CHECKS, "MRK-003")
def marks_are_a_microsecond_after_the_start(reading: Reading) -> Found:
    """A pending mark's time is the start's plus 1 µs exactly."""
    found = [(sub, life, event) for _, sub, life in reading.marked if life.starts for event in life.marks]
    if not found:
        return None
    return [
        Evidence(subscriber, "the mark's time is start + 1 µs", index, _later(life), event.get("timestamp"))
        for subscriber, life, (index, event) in found
        if isinstance(_later(life), int) and event.get("timestamp") != _later(life)
    ]


def _later(life: Life) -> Json:
    time = life.starts[0][1].get("timestamp")
    return time + OFFSET_NS if isinstance(time, int) else None


@register(CHECKS, "MRK-004")
def the_parent_is_the_call(reading: Reading) -> Found:
    """A pending mark's parent is the LLM scope."""
    found = [(sub, life, event) for _, sub, life in reading.marked if life.starts or life.ends for event in life.marks]
    if not found:
        return None
    return [
        Evidence(subscriber, "the mark's parent is the LLM scope", index, scope, event.get("parent_uuid"))
        for subscriber, life, (index, event) in found
        if event.get("parent_uuid") != (scope := (life.starts + life.ends)[0][1].get("uuid"))
    ]


@register(CHECKS, "MRK-005")
def marks_have_their_own_uuid(reading: Reading) -> Found:
    """Within what one subscriber is told, no two marks and no mark and scope share a uuid."""
    found = [(sub, life) for _, sub, life in reading.marked if life.marks]
    return [evidence for subscriber, life in found for evidence in _unique(subscriber, life)] if found else None


def _unique(subscriber: str, life: Life) -> Iterator[Evidence]:
    seen = {event.get("uuid") for _, event in life.starts + life.ends}
    for index, event in life.marks:
        if not isinstance(event.get("uuid"), str) or event["uuid"] in seen:
            yield Evidence(subscriber, "a mark has a uuid of its own", index, "a new uuid", event.get("uuid"))
        seen.add(event.get("uuid"))


@register(CHECKS, "MRK-006")
def marks_carry_their_fields(reading: Reading) -> Found:
    """An event has the name, category, profile, data and metadata of its mark; absent ones are null."""
    found = reading.matched_marks
    return judged([evidence for one in found for evidence in _fields(reading, *one)], found)


def _fields(reading: Reading, call: Call, subscriber: str, mark: Json, event: Event) -> Iterator[Evidence]:
    """What sanitizers and injectors rewrite is told as they leave it (EVT-016 to EVT-021)."""
    index, seen = event
    rewritten = {"metadata"} if start_is_rewritten(reading, call.act, "event.metadata") else set()
    if start_is_rewritten(reading, call.act, "mark.sanitize"):
        rewritten = {"category_profile", "data", "metadata"}
    for key in ("category", "category_profile", "data", "metadata"):
        if key in rewritten:
            continue
        expected, value = mark.get(key), seen.get(key)
        if key == "category_profile":
            expected, value = _known(expected), _known(value)
        if key == "metadata" and mark.get("severity") is not None:
            expected, value = _other(expected), _other(value)
        if key in seen and not same(expected, value):
            yield Evidence(subscriber, f"a mark's event carries its {key}", index, expected, value)


def _known(profile: Json) -> Json:
    return {k: v for k, v in profile.items() if v is not None} if isinstance(profile, dict) else profile


def _other(metadata: Json) -> Json:
    """Metadata less the severity, {} where nothing else is there."""
    return {k: v for k, v in metadata.items() if k != SEVERITY_KEY} if isinstance(metadata, dict) else {}


@register(CHECKS, "MRK-007")
def marks_need_a_name(reading: Reading) -> Found:
    """A pending mark without a name is refused."""
    return refusals_of(reading, "MRK-007", "a pending mark has no name")


@register(CHECKS, "MRK-008")
def marks_have_no_other_key(reading: Reading) -> Found:
    """A pending mark with a key that is not its own is refused."""
    return refusals_of(reading, "MRK-008", "a pending mark has an unknown key")


@register(CHECKS, "MRK-009")
def breaking_marks_are_kept(reading: Reading) -> Found:
    """The marks of the intercept that broke the chain are emitted, or returned by the helper."""
    found = [
        (call, marks)
        for call in reading.calls
        if call.intercepted and call.intercepts and reading.intercepts[call.intercepts[-1].callback]["break_chain"]
        if (marks := names_of_marks(call.intercepts[-1].reply))
    ]
    return [evidence for call, names in found for evidence in _kept(call, names)] if found else None


def _kept(call: Call, names: list[Json]) -> Iterator[Evidence]:
    text = "the breaking intercept's marks are kept"
    if call.helper:
        seen = names_of_marks(call.value)
        if set(map(str, names)) - set(map(str, seen)):
            yield Evidence(PROGRAM, text, call.done, names, seen)
    for subscriber in [] if call.helper else call.audience:
        life = call.lives.get(subscriber) or Life()
        told = [event.get("name") for _, event in life.marks]
        if life.events() and not set(map(str, names)) & set(map(str, told)):
            yield Evidence(subscriber, text, None, names, told)


@register(CHECKS, "MRK-010")
def failure_discards_all_marks(reading: Reading) -> Found:
    """When the interception failed, no mark of an earlier intercept is emitted."""
    found = [
        (call, names)
        for call in reading.managed
        if call.error is not None and not call.executions
        if (names := {mark.get("name") for mark in call.pending_marks})
    ]
    if not found:
        return None
    loose = [(subscriber, event) for subscriber, event in reading.unowned if event[1].get("kind") == "mark"]
    return [
        Evidence(subscriber, "the marks of a failed interception are discarded", index, None, event)
        for call, names in found
        for subscriber, (index, event) in [
            *loose,
            *((sub, mark) for sub, life in call.lives.items() for mark in life.marks),
        ]
        if event.get("name") in names
    ]


@register(CHECKS, "MRK-011")
def marks_stay_out_of_requests(reading: Reading) -> Found:
    """No pending mark shows in what the provider, the codec or the start event is given."""
    found = [call for call in reading.reached if call.pending_marks]
    return [evidence for call in found for evidence in _leaked(call)] if found else None


def _leaked(call: Call) -> Iterator[Evidence]:
    text = "pending marks are kept apart from the request"
    for one in call.providers + call.encodes:
        for place in (one.given, *one.given.values()):
            if _has_marks(place):
                yield Evidence(PROGRAM, text, one.entered, None, place)
    for subscriber, life in call.lives.items():
        for index, event in life.starts:
            places = (event.get("data"), part(event, "data", "content"), event.get("category_profile"))
            if any(_has_marks(place) for place in (*places, part(event, "category_profile", "annotated_request"))):
                yield Evidence(subscriber, text, index, None, event)


def _has_marks(place: Json) -> bool:
    if not isinstance(place, dict):
        return False
    return "pending_marks" in place or "pendingMarks" in place or _has_marks(place.get("content"))


@register(CHECKS, "MRK-012")
def schema_and_severity_arrive(reading: Reading) -> Found:
    """A data schema arrives as `data_schema`, a severity in the metadata."""
    found = [
        (call, sub, mark, event)
        for call, sub, mark, event in reading.matched_marks
        if mark.get("data_schema") is not None or mark.get("severity") is not None
    ]
    return judged([evidence for one in found for evidence in _tagged(reading, *one)], found)


def _tagged(reading: Reading, call: Call, subscriber: str, mark: Json, event: Event) -> Iterator[Evidence]:
    index, seen = event
    schema = mark.get("data_schema")
    if schema is not None:
        expected = {key: part(schema, key) for key in ("name", "version")}
        if not same(expected, seen.get("data_schema")):
            yield Evidence(subscriber, "the data schema arrives", index, expected, seen.get("data_schema"))
    severity = mark.get("severity")
    told = not start_is_rewritten(reading, call.act, "mark.sanitize")
    if severity is not None and told and part(seen, "metadata", SEVERITY_KEY) != severity:
        yield Evidence(subscriber, "the severity arrives in the metadata", index, severity, seen.get("metadata"))
