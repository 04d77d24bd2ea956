"""Checks of the chapter *Dialects* (DLC)."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, same
from bindproof.suites.relay.checks.common import PROGRAM, Check, Found, part, register, start_is_rewritten
from bindproof.suites.relay.checks.outcomes import refusals_of
from bindproof.suites.relay.observation.reading import LlmCall, Reading, marks_of
from bindproof.suites.relay.scenario.spelling import UNREAD

CHECKS: dict[str, Check] = {}

FOREIGN_KEYS = frozenset(
    {"categoryProfile", "dataSchema", "parentUuid", "propagationRootUuid", "scopeCategory", "atofVersion"}
)
"""Camel-case spellings of event keys: no binding may use them in an event."""


@register(CHECKS, "DLC-001")
def events_are_canonical(reading: Reading) -> Found:
    """No event has a key in a binding's own spelling."""
    events = reading.events
    if not events:
        return None
    return [
        Evidence(subscriber, "events keep the canonical spelling", index, "canonical keys", sorted(event))
        for subscriber, (index, event) in events
        if not FOREIGN_KEYS.isdisjoint(event)
    ]


@register(CHECKS, "DLC-002")
def the_own_spelling_arrives(reading: Reading) -> Found:
    """A mark's profile in the binding's own spelling arrives as the event's `category_profile`."""
    own = reading.spelling.mark_reply.get("category_profile", "category_profile")
    found = [
        (mark["category_profile"], sub, event)
        for call, sub, mark, event in reading.matched_marks
        if not start_is_rewritten(reading, call.act, "mark.sanitize")
        if isinstance(mark.get("category_profile"), dict)
    ]
    if not found:
        return None
    return [
        Evidence(subscriber, f"{own} arrives as category_profile", index, profile, seen)
        for profile, subscriber, (index, event) in found
        if (seen := event.get("category_profile")) is None and "category_profile" in event
    ]


@register(CHECKS, "DLC-003")
def helpers_answer_in_the_own_spelling(reading: Reading) -> Found:
    """The helper's outcome and its marks have the binding's own keys and no other spelling of them."""
    found = [call for call in reading.helpers if isinstance(call.raw_value, dict)]
    return [evidence for call in found for evidence in _helper_keys(reading, call)] if found else None


def _helper_keys(reading: Reading, call: LlmCall) -> Iterator[Evidence]:
    wanted = sorted(reading.spelling.helper.get(key, key) for key in ("annotated_request", "pending_marks", "request"))
    unread = sorted(key for key in call.value if key.startswith(UNREAD))
    if unread or any(key not in call.raw_value for key in wanted):
        yield Evidence(
            PROGRAM, "the helper answers in the binding's own names", call.done, wanted, sorted(call.raw_value)
        )
    for mark in marks_of(call.value):
        if "category_profile" not in mark or any(key.startswith(UNREAD) for key in mark):
            names = sorted(key.removeprefix(UNREAD) for key in mark)
            yield Evidence(PROGRAM, "the helper's marks are in the binding's own names", call.done, None, names)


@register(CHECKS, "DLC-004")
def arguments_are_in_the_own_spelling(reading: Reading) -> Found:
    """An intercept is given `name`, `request` and the annotation under the binding's name for it."""
    wanted = {"name", "request", reading.spelling.argument.get("annotated_request", "annotated_request")}
    found = [one for call in reading.calls for one in call.intercepts]
    if not found:
        return None
    return [
        Evidence(
            PROGRAM, "an intercept is given its arguments by name", one.entered, sorted(wanted), sorted(one.raw_given)
        )
        for one in found
        if set(one.raw_given) != wanted
    ]


@register(CHECKS, "DLC-005")
def the_wire_spelling_of_a_profile_is_refused(reading: Reading) -> Found:
    """A mark that says `category_profile` where the binding has its own name is refused."""
    return refusals_of(reading, "DLC-005", "a pending mark has the wire's spelling")


@register(CHECKS, "DLC-006")
def the_wire_spelling_of_marks_is_not_read(reading: Reading) -> Found:
    """Marks under `pending_marks` are not emitted where the binding's own name is another."""
    found = [
        (call, marks)
        for call in reading.calls
        for one in call.intercepts
        if one.replied and isinstance(marks := part(one.reply, UNREAD + "pending_marks"), list)
    ]
    if not found:
        return None
    events = [(sub, event) for call, _ in found for sub, life in call.lives.items() for event in life.marks]
    return [
        Evidence(subscriber, "pending_marks is no other spelling", index, None, event)
        for _, marks in found
        for subscriber, (index, event) in [*events, *reading.unowned]
        if any(same(part(mark, "name"), event.get("name")) for mark in marks)
    ]


@register(CHECKS, "DLC-007")
def undefined_is_refused(reading: Reading) -> Found:
    """An outcome that holds an undefined is refused."""
    return refusals_of(reading, "DLC-007", "the outcome holds an undefined")
