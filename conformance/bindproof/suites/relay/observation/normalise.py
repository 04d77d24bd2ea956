"""Raw observation to normalised log: uuids become labels, times nanoseconds, errors get a kind.

Enters: the log as an adapter recorded it, in the binding's spelling. Leaves: the same records in the same order.
Changes are made
only at the positions named here, never inside content, data or metadata; nothing is sorted or dropped.

| position | becomes |
|-|-|
| event `uuid`, `parent_uuid`, `propagation_root_uuid` | label of its event: `llm:gpt`, `mark:m#2`; `outside#1` |
| an identity or `name` of an event that is an object or a list | its JSON text |
| event `timestamp` | nanoseconds since the epoch; a text that is no RFC 3339 time stays |
| header `traceparent` of a request in an LLM's execution, or | `trace(<label>)` when it is made of one uuid, |
| that a helper answers with | `{"trace": <label>, "span": <label>}` when it is made of two |
| the event that a sanitizer or an injector is given | as an event |
| `uuid` and `parent_uuid` of the value of a step `current` or `handle` | labels of their events |
| `parent_uuid` and `root_uuid` of the value of a step `capture` | labels of their events |
| the `traceparent` in it, or that it is | as that header |
| error of `done` and `answer` | gets `kind` |
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache

from msgspec import UNSET, Struct

from bindproof.core.model import Json
from bindproof.core.patterns import compile_pattern
from bindproof.suites.relay.observation.records import Answer, Done, Enter, Event, Next, Record, Refused
from bindproof.suites.relay.scenario.callbacks import PUBLISHED, callback_named

_TIME = re.compile(r"(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TRACE = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-0[01]")
CUT = "\ufffc"
"""Stands for what a callback raised, where the words around it are looked at."""

PROVIDING = ("provider", "source")
CODEC = ("decode", "encode")

_SORTS = ("name", "kind", "category", "scope_category")
_IDENTITIES = ("uuid", "parent_uuid", "propagation_root_uuid")


class ErrorRules(Struct, frozen=True):
    """How a dialect's errors get their kind.

    An expression is compiled when there is an error to be looked at (see `core.patterns`).
    """

    raised: Mapping[str, str]
    """Marker text → callback."""
    patterns: Sequence[tuple[str, str]]
    """(kind, expression), first wins."""


class Places(Struct, frozen=True):
    """Where in a scenario's logs something stands that is normalised, and what of it the scenario states itself."""

    errors: ErrorRules
    executions: frozenset[str] = frozenset()
    """The callbacks that wrap an LLM's execution, and so are given the request that the provider is to get, and the
    helpers that answer with one."""
    scoped: frozenset[str] = frozenset()
    """The steps whose value is a scope, or what a handle says."""
    captured: frozenset[str] = frozenset()
    """The steps whose value is what another process is told."""
    built: frozenset[str] = frozenset()
    """The steps that call a constructor themselves: no callback's refusal is behind an error of theirs."""
    stated: Callable[[str], bool] = lambda text: False
    """Whether the scenario states a text; a trace header that it states names nothing in the log."""


def normalise(records: list[Record], raw: list[Json], places: Places) -> list[Json]:
    """Return the normalised form of a raw log. records: the same records as types, which are normalised in place."""
    labels = _Labels(records, places.stated)
    refusals: list[tuple[str, str]] = []
    log: list[Json] = []
    for record, row in zip(records, raw, strict=True):
        changed = _normalised(record, places, labels, refusals)
        if changed is None:
            log.append(row)
        else:
            name, value = changed
            setattr(record, name, value)
            log.append({**row, name: value})
    return log


def _normalised(
    record: Record, places: Places, labels: _Labels, refusals: list[tuple[str, str]]
) -> tuple[str, Json] | None:
    """Return the one member of a record that is normalised, with what it becomes, or None."""
    match record:
        case Event():
            return "event", _event(record.event, labels)
        case Enter():
            return _given(record, places.executions, labels)
        case Next():
            return ("given", _traced(record.given, labels)) if record.callback in places.executions else None
        case Done() | Answer() if record.error is not UNSET:
            behind = () if type(record) is Done and record.step in places.built else refusals
            return "error", {"kind": kind_of(record.error, places.errors, behind), **record.error}
        case Done() if record.step in places.captured:
            return "value", _captured(record.value, labels)
        case Done() if isinstance(record.value, dict):
            return _value(record, places, labels)
        case Refused():
            message = record.error.get("message")
            refusals.append((record.callback, message if isinstance(message, str) else ""))
    return None


def _value(record: Done, places: Places, labels: _Labels) -> tuple[str, Json] | None:
    value = record.value
    if record.step in places.executions:
        return "value", {**value, "request": _traced(value.get("request"), labels)}
    if record.step not in places.scoped:
        return None
    named = {"uuid": labels.of(value.get("uuid"))}
    if "parent_uuid" in value:
        named["parent_uuid"] = labels.of(value["parent_uuid"])
    return "value", {**value, **named}


def _captured(value: Json, labels: _Labels) -> Json:
    if isinstance(value, str):
        return _trace(value, labels)
    if not isinstance(value, dict):
        return value
    named = {name: labels.of(value[name]) for name in ("parent_uuid", "root_uuid") if name in value}
    traced = {"traceparent": _trace(value["traceparent"], labels)} if "traceparent" in value else {}
    return {**value, **named, **traced}


class _Labels:
    """Labels of one log: one label, one raw uuid, both ways."""

    def __init__(self, records: list[Record], stated: Callable[[str], bool]) -> None:
        self.stated = stated
        self._by_uuid: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._taken: set[str] = set()
        for record in records:
            event = record.event if type(record) is Event else _event_given(record) if type(record) is Enter else None
            if isinstance(event, dict):
                uuid = event.get("uuid")
                if isinstance(uuid, str) and uuid not in self._by_uuid:
                    stem = "mark" if event.get("kind") == "mark" else str(event.get("category"))
                    self._new(uuid, f"{stem}:{event.get('name')}")

    def _new(self, uuid: str, stem: str) -> str:
        label = stem
        while label in self._taken:  # an event may itself be named as the second of another: `m#2`
            count = self._counts[stem] = self._counts.get(stem, 1) + 1
            label = f"{stem}#{count}"
        self._taken.add(label)
        self._by_uuid[uuid] = label
        return label

    def of(self, uuid: Json) -> Json:
        """Return the label of a uuid; what is no uuid stays."""
        if not isinstance(uuid, str):
            return _plain(uuid)
        label = self._by_uuid.get(uuid)
        if label is None and _UUID.fullmatch(uuid):
            label = self._outside(uuid)
        return uuid if label is None else label

    def knows(self, uuid: str) -> bool:
        """Tell whether a uuid is that of an event."""
        return uuid in self._by_uuid

    def of_span(self, digits: str) -> str:
        """Return the label of the uuid that ends with these digits; where none is known they stand for one."""
        known = (label for uuid, label in self._by_uuid.items() if uuid.replace("-", "")[-16:] == digits)
        return next(known, None) or self._outside(digits)

    def _outside(self, uuid: str) -> str:
        count = self._counts["outside"] = self._counts.get("outside", 0) + 1
        label = self._by_uuid[uuid] = f"outside#{count}"
        return label


def _event_given(record: Enter) -> Json:
    """Return the event that a callback was given while it was published, or None."""
    return record.given.get("event") if callback_named(record.callback).part in PUBLISHED else None


def _plain(value: Json) -> Json:
    """Return a value that can be compared and counted: an object or a list, which is no identity, becomes its text."""
    return json.dumps(value) if isinstance(value, dict | list) else value


def _event(event: Json, labels: _Labels) -> Json:
    if not isinstance(event, dict):
        return event
    changed = event.copy()
    for key in _IDENTITIES:
        if key in changed:
            changed[key] = labels.of(changed[key])
    for key in _SORTS:
        if key in changed:
            changed[key] = _plain(changed[key])
    time = changed.get("timestamp")
    if isinstance(time, str):
        changed["timestamp"] = nanoseconds(time)
    return changed


def _given(record: Enter, executions: frozenset[str], labels: _Labels) -> tuple[str, Json] | None:
    """Label what a callback was given: the trace header of a request, and the event that a sanitizer looks at."""
    given, callback = record.given, record.callback
    part = callback_named(callback).part
    if "request" in given and (callback in executions or part in PROVIDING):
        return "given", {**given, "request": _traced(given["request"], labels)}
    event = given.get("event") if part in PUBLISHED else None
    return None if event is None else ("given", {**given, "event": _event(event, labels)})


def _traced(request: Json, labels: _Labels) -> Json:
    """Label the traceparent in a request that the runtime gave an execution, when it is made of known uuids."""
    headers = request.get("headers") if isinstance(request, dict) else None
    if not isinstance(headers, dict):
        return request
    trace = headers.get("traceparent")
    label = _trace(trace, labels)
    return request if label is trace else request | {"headers": headers | {"traceparent": label}}


def _trace(trace: Json, labels: _Labels) -> Json:
    """Return the label of a trace header that is made of known uuids; another value as it is."""
    found = _TRACE.fullmatch(trace) if isinstance(trace, str) else None
    if found is None or (not _names_an_event(found, labels) and labels.stated(found[0])):
        return trace
    outermost = labels.of(_uuid(found[1]))
    span = outermost if found[1][16:] == found[2] else labels.of_span(found[2])
    return f"trace({outermost})" if span == outermost else {"trace": outermost, "span": span}


def _names_an_event(found: re.Match[str], labels: _Labels) -> bool:
    """Tell whether a header is made of one uuid, which is that of an event."""
    return found[1][16:] == found[2] and labels.knows(_uuid(found[1]))


def _uuid(digits: str) -> str:
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def kind_of(error: Json, rules: ErrorRules, refusals: Sequence[tuple[str, str]] = ()) -> str:
    """Return the kind of an error: a constructor's refusal that was seen before, else what the binding's own words say,
    else that a callback raised.

    What a callback raised is no word of the binding's: it is cut out before its words are looked at.
    """
    message = error["message"]
    for callback, refusal in refusals:
        if refusal and refusal in message:
            return "codec_failed" if callback_named(callback).part in CODEC else "outcome_malformed"
    raised = [text for text in rules.raised if text and text in message]
    words = message
    for text in sorted(raised, key=len, reverse=True):
        words = words.replace(text, CUT)
    kind = next((kind for kind, pattern in rules.patterns if compile_pattern(pattern).search(words)), None)
    if kind is None and raised:
        of_codec = callback_named(rules.raised[raised[0]]).part in CODEC
        return "codec_failed" if of_codec else "callback_raised"
    return kind or "unknown"


def nanoseconds(text: str) -> int | str:
    """Return an RFC 3339 time as nanoseconds since the epoch, or the text itself when it is none."""
    found = _TIME.fullmatch(text)
    if found is None:
        return text
    second, fraction, offset = found.groups()
    whole = epoch(second, offset)
    if whole is None:
        return text
    return whole + int(fraction.ljust(9, "0")) if fraction else whole


@lru_cache(maxsize=64)
def epoch(second: str, offset: str) -> int | None:
    """Return a whole second in nanoseconds since the epoch, None for one that no calendar has."""
    zone = "+00:00" if offset in "Zz" else offset
    try:
        return int(datetime.fromisoformat(second.upper() + zone).timestamp()) * 1_000_000_000
    except ValueError:
        return None
