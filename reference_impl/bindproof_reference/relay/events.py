"""Chapter *Events* (EVT): the events of scopes and marks, as matchers, and the fields of them that can be rewritten.

Enters: what an event is about. Leaves: an Emitted, and its matcher. Identities are named after the step (`c`,
`c/mark/0`), times likewise (`c/start`, `c/end`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bindproof_reference.relay.editions import Rules
from bindproof_reference.relay.values import ANY, Json, Opaque, literal

ATOF_VERSION = "0.1"
FIELDS = ("data", "category_profile", "metadata")
"""What sanitizers may rewrite (EVT-016)."""

LEAST_NS = 1000
"""A scope's end less its start, at the least, in nanoseconds (LIF-003)."""

STATUS = "otel.status_code"
OK: Json = {STATUS: "OK"}
ERROR: Json = Opaque({"$contains": {STATUS: "ERROR"}})

DESCRIPTION = "otel.status_description"
ERROR_TYPE, EXCEPTION_TYPE = "error.type", "exception.type"

INTERNAL = "internal_error"
"""The type of an error that a callback raised (EVT-054)."""

CANCELLED: Json = Opaque(
    {"$contains": {"otel.status_code": "ERROR", "otel.status_description": {"$text": "cancelled"}}}
)


@dataclass(frozen=True, slots=True)
class Emitted:
    """An event before it is published: what nobody can rewrite, and the three fields that sanitizers can."""

    fixed: Json
    data: Json = None
    category_profile: Json = None
    metadata: Json = None

    def phase(self) -> str:
        """Return what it is of: `start` or `end` of something, or `mark`."""
        return str(self.fixed.get("scope_category") or "mark")

    def fields(self) -> dict[str, Json]:
        """Return the fields that sanitizers can rewrite."""
        return {name: getattr(self, name) for name in FIELDS}

    def rewritten(self, fields: Json) -> Emitted:
        """Return the event with these fields; one that is left out is cleared (EVT-017)."""
        return replace(self, **{name: fields.get(name) for name in FIELDS})

    def matcher(self) -> dict[str, Json]:
        """Return the event as a prediction states it."""
        return {**self.fixed, **{name: literal(value) for name, value in self.fields().items()}}


@dataclass(frozen=True, slots=True)
class Span:
    """What starts and ends: identity, category, name or a matcher of it, the identities of its parent and its root."""

    identity: str
    category: str
    name: Json
    parent: str
    root: str | None
    attributes: tuple[str, ...] = ()

    def start(self, data: Json, profile: Json, metadata: Json, given: int | None = None) -> Emitted:
        """Return the start event; given: its time where a program gives one, in microseconds since 1970."""
        time = moment(f"{self.identity}/start", given)
        return Emitted(self._fixed("start") | {"timestamp": {"$time": time}}, data, profile, metadata)

    def at(self, root: str | None) -> Span:
        """Return the span as its end tells of it: an end is of the root of its moment."""
        return replace(self, root=root)

    def end(self, data: Json, profile: Json, metadata: Json, time: str = "", given: int | None = None) -> Emitted:
        """Return the end event; `time` names a second end of the same span. given: as for the start."""
        name = f"{self.identity}/end{time}"
        time_of = {"as": name, "of": f"{self.identity}/start", "at_least": LEAST_NS}
        if given is not None:
            time_of = moment(name, given)  # EVT-037
        return Emitted(self._fixed("end") | {"timestamp": {"$time": time_of}}, data, profile, metadata)

    def _fixed(self, scope_category: str) -> dict[str, Json]:
        return {
            "atof_version": ATOF_VERSION,
            "kind": "scope",
            "scope_category": scope_category,
            "category": self.category,
            "name": self.name,
            "attributes": sorted(self.attributes),  # EVT-038
            "data_schema": None,
            "uuid": {"$id": self.identity},
            "parent_uuid": {"$id": self.parent},
            **_rooted(self.root),
        }


def _rooted(root: str | None) -> dict[str, Json]:
    """Return the member that names the root; nothing where a context was received without one (PRP-004)."""
    return {} if root is None else {"propagation_root_uuid": {"$id": root}}


def moment(name: str, given: int | None) -> dict[str, Json]:
    """Return the matcher's argument of a time that is called so, and is this one where a program gives it (EVT-037)."""
    return {"as": name} if given is None else {"as": name, "at": given}


def mark(identity: str, fields: Json, parent: str, root: str | None, time: Json) -> Emitted:
    """Return a mark event. fields: name, category, category_profile, data, data_schema, metadata."""
    fixed = {
        "atof_version": ATOF_VERSION,
        "kind": "mark",
        "name": literal(fields["name"]),
        "category": literal(fields["category"]),
        "data_schema": literal(fields["data_schema"]),
        "uuid": {"$id": identity},
        "parent_uuid": {"$id": parent},
        **_rooted(root),
        "timestamp": {"$time": time},
    }
    return Emitted(fixed, fields["data"], fields["category_profile"], fields["metadata"])


def of_edition(event: Emitted, rules: Rules) -> Emitted:
    """Return the event as its edition has it: without a root, where events do not name theirs yet (LIF-014)."""
    if rules.propagation_root:
        return event
    return replace(event, fixed={key: value for key, value in event.fixed.items() if key != "propagation_root_uuid"})


def failure(metadata: Json, error: Json, rules: Rules, *, classed: bool) -> Json:
    """Return the metadata of the end of a call that failed with an error: what is said of that, and the caller's own.

    metadata: the caller's, whose types of errors stay (EVT-009). classed: whether the class of an exception is told
    (EVT-055).
    """
    message = error["message"]
    said = {STATUS: "ERROR", DESCRIPTION: message if "$text" in message else {"$text": ""}}  # EVT-053
    raised = error["kind"] == "callback_raised"
    if rules.failures_typed:
        said[ERROR_TYPE] = INTERNAL if raised else {"$text": ""}
    if rules.failures_typed and raised and classed:
        said[EXCEPTION_TYPE] = {"$text": ""} if error["type"] == ANY else error["type"]
    own = metadata if isinstance(metadata, dict) else {}
    stay = {key: literal(own[key]) for key in (ERROR_TYPE, EXCEPTION_TYPE) if key in own}
    return merged(metadata, Opaque({"$contains": {**said, **stay}}))


def merged(first: Json, second: Json) -> Json:
    """Return metadata laid over metadata: objects are joined, null adds nothing, anything else replaces."""
    if second is None:
        return first
    if isinstance(first, Opaque) and isinstance(second, dict):
        return Opaque({"$contains": {**first.matcher["$contains"], **{k: literal(v) for k, v in second.items()}}})
    if isinstance(second, Opaque) and isinstance(first, dict):
        known = {key: literal(value) for key, value in first.items() if key != DESCRIPTION}  # EVT-053
        return Opaque({"$contains": {**known, **second.matcher["$contains"]}})
    return {**first, **second} if isinstance(first, dict) and isinstance(second, dict) else second
