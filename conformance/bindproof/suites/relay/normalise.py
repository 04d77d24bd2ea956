"""Raw observation to normalised log: uuids become labels, times nanoseconds, errors get a kind.

Enters: the log as an adapter recorded it, in the binding's spelling. Leaves: the same records in the same order.
Changes are made
only at the positions named here, never inside content, data or metadata; nothing is sorted or dropped.

| position | becomes |
|-|-|
| event `uuid`, `parent_uuid`, `propagation_root_uuid` | label of its event: `llm:gpt`, `mark:m#2`; `outside#1` |
| an identity or `name` of an event that is an object or a list | its JSON text |
| event `timestamp` | nanoseconds since the epoch; a text that is no RFC 3339 time stays |
| provider's header `traceparent` | `trace(<label>)` when trace and span are those of one uuid |
| error of `done` | gets `kind` |
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from bindproof.model import Json

_TIME = re.compile(r"(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TRACE = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-0[01]")
_IDENTITIES = ("uuid", "parent_uuid", "propagation_root_uuid")


@dataclass(frozen=True, slots=True)
class ErrorRules:
    """How a dialect's errors get their kind. raised: marker text → callback; patterns: (kind, pattern), first wins."""

    raised: Mapping[str, str]
    patterns: Sequence[tuple[str, re.Pattern[str]]]


@dataclass(frozen=True, slots=True)
class Normalised:
    """A normalised log, and the raw uuid behind each label."""

    log: list[Json]
    identities: dict[str, str]


def normalise(raw: list[Json], errors: ErrorRules) -> Normalised:
    """Return the normalised form of a raw log; records of unknown facts pass as they are."""
    labels = _Labels(raw)
    log: list[Json] = []
    refusals: list[tuple[str, str]] = []
    for record in raw:
        fact = record.get("fact")
        if fact == "event":
            record = {**record, "event": _event(record["event"], labels)}
        elif fact == "enter" and record["callback"].endswith(".provider"):
            record = _traced(record, labels)
        elif fact == "refused":
            message = record["error"].get("message")
            refusals.append((record["callback"], message if isinstance(message, str) else ""))
        elif fact == "done" and "error" in record:
            record = record | {"error": {"kind": kind_of(record["error"], errors, refusals), **record["error"]}}
        log.append(record)
    return Normalised(log, labels.raw_by_label())


class _Labels:
    """Labels of one log: one label, one raw uuid, both ways."""

    def __init__(self, raw: list[Json]) -> None:
        self._by_uuid: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._taken: set[str] = set()
        for record in raw:
            if record.get("fact") == "event":
                event = record["event"]
                uuid = event.get("uuid") if isinstance(event, dict) else None
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
            count = self._counts["outside"] = self._counts.get("outside", 0) + 1
            label = self._by_uuid[uuid] = f"outside#{count}"
        return uuid if label is None else label

    def raw_by_label(self) -> dict[str, str]:
        """Return label → raw uuid."""
        return {label: uuid for uuid, label in self._by_uuid.items()}


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
    if "name" in changed:
        changed["name"] = _plain(changed["name"])
    time = changed.get("timestamp")
    if isinstance(time, str):
        changed["timestamp"] = nanoseconds(time)
    return changed


def _traced(record: Json, labels: _Labels) -> Json:
    """Label the traceparent that the runtime gave a provider, when it is one uuid's."""
    request = record["given"].get("request")
    headers = request.get("headers") if isinstance(request, dict) else None
    if not isinstance(request, dict) or not isinstance(headers, dict):
        return record
    trace = headers.get("traceparent")
    found = _TRACE.fullmatch(trace) if isinstance(trace, str) else None
    if found is None or found[1][16:] != found[2]:
        return record
    digits = found[1]
    uuid = f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
    headers = headers | {"traceparent": f"trace({labels.of(uuid)})"}
    return record | {"given": record["given"] | {"request": request | {"headers": headers}}}


def kind_of(error: Json, rules: ErrorRules, refusals: Sequence[tuple[str, str]] = ()) -> str:
    """Return the kind of an error: a raised marker, then a constructor's refusal seen before.

    Then the dialect's patterns.
    """
    message = error.get("message") or ""
    for text, callback in rules.raised.items():
        if text in message:
            return "codec_failed" if _of_codec(callback) else "callback_raised"
    for callback, refusal in refusals:
        if refusal and refusal in message:
            return "codec_failed" if _of_codec(callback) else "outcome_malformed"
    return next((kind for kind, pattern in rules.patterns if pattern.search(message)), "unknown")


def _of_codec(callback: str) -> bool:
    return callback.endswith((".decode", ".encode"))


def nanoseconds(text: str) -> int | str:
    """Return an RFC 3339 time as nanoseconds since the epoch, or the text itself when it is none."""
    found = _TIME.fullmatch(text)
    if found is None:
        return text
    second, fraction, offset = found.groups()
    whole = _epoch(second, offset)
    if whole is None:
        return text
    return whole + int(fraction.ljust(9, "0")) if fraction else whole


@lru_cache(maxsize=64)
def _epoch(second: str, offset: str) -> int | None:
    """Return a whole second in nanoseconds since the epoch, None for one that no calendar has."""
    zone = "+00:00" if offset in "Zz" else offset
    try:
        return int(datetime.fromisoformat(second.upper() + zone).timestamp()) * 1_000_000_000
    except ValueError:
        return None
