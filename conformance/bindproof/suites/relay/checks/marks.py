"""Checks of the chapter *Pending marks* (MRK)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    EVERY_LANE,
    PROGRAM,
    Check,
    Found,
    end_is_rewritten,
    failed_of_an_outcome,
    judged,
    part,
    register,
    start_is_rewritten,
)
from bindproof.suites.relay.checks.malformed import all_well_formed
from bindproof.suites.relay.checks.outcomes import refusals_of
from bindproof.suites.relay.checks.severities import NAMES, severity_named
from bindproof.suites.relay.checks.tool_replies import refusals_of_replies
from bindproof.suites.relay.observation.deliveries import everyone
from bindproof.suites.relay.observation.outcomes import names_of_marks
from bindproof.suites.relay.observation.reading import Event, Life, LlmCall, Reading, marks_of
from bindproof.suites.relay.observation.transcript import Act

CHECKS: dict[str, Check] = {}

OFFSET_NS = 1000
SEVERITY_KEY = "nemo_relay.log.severity"


@register(CHECKS, "OUT-014")
def no_mark_is_known(reading: Reading) -> Found:
    """Nothing is told of the marks that an intercept states."""
    found = [(call, subscriber, life) for call, subscriber, life in reading.marked if life.events()]
    return judged(
        [
            Evidence(subscriber, "what an intercept says of marks has no effect", life.marks[0][0], [], event["name"])
            for _, subscriber, life in found
            for _, event in life.marks[:1]
        ],
        found,
    )


@register(CHECKS, "MRK-001")
def every_mark_once(reading: Reading) -> Found:
    """As many marks of each name are emitted as the accepted outcomes state."""
    found = reading.marked
    return (
        [evidence for call, subscriber, life in found for evidence in _counted(call, subscriber, life)]
        if found
        else None
    )


def _counted(call: LlmCall, subscriber: str, life: Life) -> Iterator[Evidence]:
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


def _ordered(call: LlmCall, subscriber: str, life: Life) -> Iterator[Evidence]:
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
    found = _matched(reading)
    return judged([evidence for one in found for evidence in _fields(reading, *one)], found)


def _matched(reading: Reading) -> list[tuple[Act, str, Json, Event]]:
    """Pending marks of LLM calls, of streams and of tools, each beside the event that it became for a subscriber."""
    found = [(call.act, subscriber, mark, event) for call, subscriber, mark, event in reading.matched_marks]
    tools = everyone(reading.transcript, [act for act in reading.transcript.calls("tool") if act.error is None])
    return found + [
        (act, subscriber, mark, event)
        for act, subscriber, life in tools
        for mark, event in life.pending
        if event is not None
    ]


def _is_rewritten(reading: Reading, act: Act, family: str) -> bool:
    """Tell whether something rewrites a call's pending marks: an LLM's come with its start, a tool's with its end."""
    rewritten = end_is_rewritten if act.step["kind"] == "tool" else start_is_rewritten
    return rewritten(reading, act, family)


def _fields(reading: Reading, act: Act, subscriber: str, mark: Json, event: Event) -> Iterator[Evidence]:
    """What sanitizers and injectors rewrite is told as they leave it (EVT-016 to EVT-021)."""
    index, seen = event
    rewritten = {"metadata"} if _is_rewritten(reading, act, "event.metadata") else set()
    if _is_rewritten(reading, act, "mark.sanitize"):
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
    return _refused(reading, "MRK-007", "a pending mark has no name")


@register(CHECKS, "MRK-008")
def marks_have_no_other_key(reading: Reading) -> Found:
    """A pending mark with a key that is not its own is refused."""
    return _refused(reading, "MRK-008", "a pending mark has an unknown key")


def _refused(reading: Reading, requirement: str, why: str) -> Found:
    """Judge the replies of request intercepts, and those of a tool's execution intercepts."""
    found = refusals_of(reading, requirement, why)
    of_tools = refusals_of_replies(reading, requirement, f"{why}, and is taken")
    return of_tools if found is None else [*found, *(of_tools or ())]


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


def _kept(call: LlmCall, names: list[Json]) -> Iterator[Evidence]:
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


@register(CHECKS, "MRK-012")
def schema_and_severity_arrive(reading: Reading) -> Found:
    """A data schema arrives as `data_schema`, a severity in the metadata."""
    found = [
        (act, sub, mark, event)
        for act, sub, mark, event in _matched(reading)
        if mark.get("data_schema") is not None or mark.get("severity") is not None
    ]
    return judged([evidence for one in found for evidence in _tagged(reading, *one)], found)


def _tagged(reading: Reading, act: Act, subscriber: str, mark: Json, event: Event) -> Iterator[Evidence]:
    index, seen = event
    schema = mark.get("data_schema")
    if schema is not None:
        expected = {key: part(schema, key) for key in ("name", "version")}
        if not same(expected, seen.get("data_schema")):
            yield Evidence(subscriber, "the data schema arrives", index, expected, seen.get("data_schema"))
    severity = mark.get("severity")
    told = severity in NAMES and not _is_rewritten(reading, act, "mark.sanitize")
    if told and part(seen, "metadata", SEVERITY_KEY) != severity:
        yield Evidence(subscriber, "the severity arrives in the metadata", index, severity, seen.get("metadata"))


@register(CHECKS, "MRK-013")
def a_severity_is_read_whatever_its_case(reading: Reading) -> Found:
    """A severity in another spelling than its name is accepted, and told by its name."""
    spelled = [
        (call, mark)
        for call in reading.calls
        if all_well_formed(reading, call) and call.intercepts
        for mark in call.pending_marks
        if isinstance(mark.get("severity"), str) and mark["severity"] not in NAMES
    ]
    refused = [
        Evidence(EVERY_LANE, "a severity in another spelling is accepted", call.done, None, call.error)
        for call, _ in spelled
        if failed_of_an_outcome(call)
    ]
    return judged(refused + [evidence for one in spelled for evidence in _read_by_name(reading, *one)], spelled)


def _read_by_name(reading: Reading, call: LlmCall, mark: Json) -> Iterator[Evidence]:
    name, text = severity_named(mark["severity"]), "a severity is told by its name"
    if call.helper and call.error is None:
        for seen in [one for one in marks_of(call.value) if one.get("name") == mark.get("name")]:
            if seen.get("severity") != name:
                yield Evidence(PROGRAM, text, call.done, name, seen.get("severity"))
    if call.helper or _is_rewritten(reading, call.act, "mark.sanitize"):
        return
    for subscriber, life in call.lives.items():
        for index, event in [event for stated, event in life.pending if stated is mark and event is not None]:
            if part(event, "metadata", SEVERITY_KEY) != name:
                yield Evidence(subscriber, text, index, name, event.get("metadata"))
