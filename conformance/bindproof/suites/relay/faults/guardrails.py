"""Planted faults of the chapter *Middleware* (MID): who is told of guardrails, and what these and rejections say."""

from __future__ import annotations

from bindproof.core.model import Json, copied
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.guardrails import guarded, listening
from bindproof.suites.relay.observation.scopes import open_scopes
from bindproof.suites.relay.observation.spans import all_spans
from bindproof.suites.relay.observation.transcript import Act

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "tell_newcomers", "who comes while a conditional runs is told of the guardrail's end", "MID-026")
def tell_newcomers(spoiled: Spoiled) -> bool:
    """Tell a subscriber that a conditional registered of the end that another was told of."""
    ends = [end for one in guarded(spoiled.transcript) for end in one.ends]
    late = [one.subscriber for one in listening(spoiled.transcript) if not one.due]
    for at, end in ends[:1] if late else []:
        spoiled.insert(at, {"fact": "event", "subscriber": late[0], "event": copied(end)})
        return True
    return False


@plant(FAULTS, "forget_who_left", "who is taken back by a conditional is not told of the guardrail's end", "MID-026")
def forget_who_left(spoiled: Spoiled) -> bool:
    """Drop the ends of guardrails that a subscriber was told of which a conditional took back."""
    found = [end for one in listening(spoiled.transcript) for _, end in one.ends if one.due]
    spoiled.drop(found)
    return bool(found)


def _guards(spoiled: Spoiled, *phases: str) -> list[Json]:
    """Return the starts or ends of guardrails that subscribers were told of and nothing saw before."""
    if any("event" in run.given for run in spoiled.transcript.published):
        return []
    found = [event for one in guarded(spoiled.transcript) for scope in one.scopes or () for event in scope[1:]]
    return [event[1] for event in found if event is not None and event[1]["scope_category"] in phases]


def _rejections(spoiled: Spoiled) -> list[Json]:
    """Return the marks of rejections that subscribers were told and nothing saw before."""
    if any("event" in run.given for run in spoiled.transcript.published):
        return []
    return [event for told in spoiled.reading.deliveries.rejected.values() for _, event in told.values()]


@plant(FAULTS, "guard_of_no_sort", "a guardrail's start does not say of which sort it is", "MID-028", also=("EVT-031",))
def guard_of_no_sort(spoiled: Spoiled) -> bool:
    """Clear the data of every start."""
    found = _guards(spoiled, "start")
    for event in found:
        event["data"] = None
    return bool(found)


@plant(FAULTS, "guard_says_more", "a guardrail's end has a member that nobody stated", "MID-028", also=("EVT-031",))
def guard_says_more(spoiled: Spoiled) -> bool:
    """Add a member to the data of every end."""
    found = [event for event in _guards(spoiled, "end") if isinstance(event["data"], dict)]
    for event in found:
        event["data"] = {**event["data"], **PLANTED}
    return bool(found)


@plant(FAULTS, "guard_says_failed", "a guardrail that is cancelled says that it failed", "MID-028", also=("EVT-031",))
def guard_says_failed(spoiled: Spoiled) -> bool:
    """Take out of every end that it was cancelled."""
    found = [event for event in _guards(spoiled, "end") if "cancelled" in (event["data"] or {})]
    for event in found:
        event["data"] = {"allowed": False, "error": event["data"]["error"]}
    return bool(found)


def _is_inside(spoiled: Spoiled, act: Act, subscriber: str) -> bool:
    """Tell whether a call or helper is made in a scope of whose start a subscriber was told."""
    scopes = [scope.step["as"] for scope in open_scopes(spoiled.transcript, act.began)]
    told = [span.act.step["as"] for span in all_spans(spoiled.transcript) if span.subscriber == subscriber]
    return act.step.get("parent") is None and scopes[-1:] != [] and scopes[-1] in told


@plant(FAULTS, "guard_elsewhere", "a guardrail is in another scope than its call", "MID-029", also=("EVT-031",))
def guard_elsewhere(spoiled: Spoiled) -> bool:
    """Give every guardrail inside a scope another parent, on start and end."""
    found = [
        event[1]
        for one in (guarded(spoiled.transcript) if _guards(spoiled, "start") else [])
        for due, *events in one.scopes or ()
        for event in events
        if event is not None and _is_inside(spoiled, due.act, one.subscriber)
    ]
    for event in found:
        event["parent_uuid"] = FOREIGN_UUID
    return bool(found)


@plant(FAULTS, "rejection_elsewhere", "a rejection is in another scope than its call", "MID-029", also=("EVT-031",))
def rejection_elsewhere(spoiled: Spoiled) -> bool:
    """Give every rejection inside a scope another parent."""
    found = [
        event
        for act, told in (spoiled.reading.deliveries.rejected if _rejections(spoiled) else {}).items()
        for subscriber, (_, event) in told.items()
        if _is_inside(spoiled, act, subscriber)
    ]
    for event in found:
        event["parent_uuid"] = FOREIGN_UUID
    return bool(found)


@plant(FAULTS, "rejection_says_more", "a rejection says more than its reason", "MID-010", also=("EVT-031",))
def rejection_says_more(spoiled: Spoiled) -> bool:
    """Add a member to the data of every rejection."""
    found = [event for event in _rejections(spoiled) if isinstance(event["data"], dict)]
    for event in found:
        event["data"] = {**event["data"], **PLANTED}
    return bool(found)


@plant(FAULTS, "rejection_of_a_model", "a rejection's mark has a profile", "MID-010", also=("EVT-031",))
def rejection_of_a_model(spoiled: Spoiled) -> bool:
    """Give every rejection a profile."""
    found = _rejections(spoiled)
    for event in found:
        event["category_profile"] = {"model_name": "planted"}
    return bool(found)
