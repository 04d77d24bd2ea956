"""Checks about the objects that a binding builds (DLC)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bindproof.core.model import Evidence, Json, same
from bindproof.spec.forms import Form
from bindproof.suites.relay.checks.common import PROGRAM, Check, Found, judged, part, register
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.building import MEMBERS, malformed_members

CHECKS: dict[str, Check] = {}

FORMS = {"request": "llm-request", "mark": "pending-mark", "outcome": "outcome"}
"""Object → the schema of its form; those of tools leave open which members there are."""

SINCE = ("instructions", "api_specific", "traceparent", "tracestate")
"""Members of objects without a schema that these have from some edition on, and where they were left out."""

STATED = ("asked", "version")
"""What such an object says though nobody stated it: what it answers, and the one version that there is."""

TOOLS = {"tool_result": {"result", "annotation"}, "tool_outcome": {"result", "annotation", "pending_marks"}}

LISTS = ("pending_marks", "optimization_contributions")
"""Members that are empty where they were left out."""

INSIDE = {"request": "request", "pending_marks": "mark"}
"""Member of an object → the object that it is, or that each of it is."""

MAY_BE_GONE = ("model_name", "tool_call_id", "subtype")
"""Members of a category profile that may be gone where they are null."""

NOTHING = "(nothing)"
"""Stands for a member that is not there."""

Difference = tuple[str, Json, Json]
"""A place, what is expected there, and what was read back."""


def _builds(reading: Reading, *, well_formed: bool) -> list[Act]:
    acts = [act for act in reading.transcript.acts if act.step["step"] == "build"]
    return [act for act in acts if _is_well_formed(act.step["object"], act.step["value"], reading.forms) is well_formed]


def _is_well_formed(name: str, value: Json, forms: Mapping[str, Form]) -> bool:
    if name in MEMBERS:
        return not malformed_members(name, value)
    if name in FORMS:
        return forms[FORMS[name]].accepts(value)
    known = value.keys() <= TOOLS[name] and "result" in value
    return known and (name == "tool_result" or forms["tool-outcome"].accepts(value))


@register(CHECKS, "DLC-008")
def an_object_reads_back_what_it_is_made_of(reading: Reading) -> Found:
    """It is built, and each member that was stated has its value."""
    acts = [act for act in _builds(reading, well_formed=True) if act.step["object"] not in MEMBERS]
    return judged([evidence for act in acts for evidence in stated(act)], acts)


def stated(act: Act) -> Iterator[Evidence]:
    """Yield what of the members that were stated reads back as something else, or that the object was not built."""
    if act.error is not None:
        yield Evidence(PROGRAM, "a well-formed object is built", act.done, act.step["value"], act.error)
        return
    for place, expected, found in _differences(act.step["object"], act.step["value"], act.value):
        yield Evidence(PROGRAM, f"{place} reads back as it was stated", act.done, expected, found)


def _differences(name: str, stated: Json, read: Json) -> Iterator[Difference]:
    """Yield the members that were stated and read back as something else, those of inner objects too."""
    for member, value in stated.items():
        found = part(read, member)
        inner = INSIDE.get(member)
        if member == "pending_marks" and isinstance(found, list) and len(found) == len(value):
            for mark, other in zip(value, found, strict=True):
                yield from _differences("mark", mark, other)
        elif inner is not None and member == "request":
            yield from _differences(inner, value, found)
        elif not same(_told(name, member, value), _told(name, member, found)):
            yield member, value, found


def _told(name: str, member: str, value: Json) -> Json:
    """Return what of a member's value is to be told."""
    if name != "mark" or not isinstance(value, dict):
        return value
    if member == "category_profile":
        return {key: item for key, item in value.items() if item is not None or key not in MAY_BE_GONE}
    return {key: value.get(key) for key in ("name", "version")} if member == "data_schema" else value


@register(CHECKS, "DLC-009")
def what_was_left_out_is_null_or_empty(reading: Reading) -> Found:
    """Every member that the object has is there; one that was not stated is null, or an empty list."""
    acts = [act for act in _builds(reading, well_formed=True) if act.error is None]
    found = [(act, list(_left_out(act.step["object"], act.step["value"], act.value, reading.forms))) for act in acts]
    return judged(
        [
            Evidence(PROGRAM, f"{place} was left out", act.done, expected, seen)
            for act, differences in found
            for place, expected, seen in differences
        ],
        acts,
    )


def _left_out(name: str, stated: Json, read: Json, forms: Mapping[str, Form]) -> Iterator[Difference]:
    if name in MEMBERS:
        yield from _left_out_without_schema(name, stated, read)
        return
    members = forms[FORMS[name]].keys if name in FORMS else TOOLS[name]
    if not isinstance(read, dict) or read.keys() != set(members):
        yield name, sorted(members), read
        return
    for member in sorted(members - stated.keys()):
        empty: Json = [] if member in LISTS else None
        if read[member] != empty:
            yield member, empty, read[member]
    for member, inner in INSIDE.items():
        made = stated.get(member) if isinstance(stated.get(member), list) else [stated.get(member)]
        other = read.get(member) if isinstance(read.get(member), list) else [read.get(member)]
        for one, seen in zip(made or [], other or [], strict=False):
            if isinstance(one, dict):
                yield from _left_out(inner, one, seen, forms)


def _left_out_without_schema(name: str, stated: Json, read: Json) -> Iterator[Difference]:
    members = [member for member in MEMBERS[name] if member not in SINCE]
    if not isinstance(read, dict) or not read.keys() >= set(members):
        yield name, members, read
        return
    for member in sorted(read.keys() - stated.keys() - set(STATED)):
        if read[member] is not None:
            yield member, None, read[member]


@register(CHECKS, "DLC-010")
def a_malformed_object_is_refused(reading: Reading) -> Found:
    """Building it fails, and says that the arguments are at fault."""
    acts, text = _builds(reading, well_formed=False), "a malformed object is refused"
    return judged(
        [
            Evidence(PROGRAM, text, act.done, "invalid_argument", act.error or _otherwise(act))
            for act in acts
            if part(act.error, "kind") != "invalid_argument"
        ],
        acts,
    )


def _otherwise(act: Act) -> Json:
    """Return the members of what was built that are not as they were stated."""
    stated, read = act.step["value"], act.value
    if not isinstance(read, dict):
        return read
    keys = sorted(stated.keys() | read.keys())
    return {key: read.get(key, NOTHING) for key in keys if not same(stated.get(key, NOTHING), read.get(key, NOTHING))}
