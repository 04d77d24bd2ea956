"""Planted faults of the chapter *Contributions* (CTR)."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, Spoiled, plant
from bindproof.suites.relay.observation.deliveries import CONTRIBUTION_MARK
from bindproof.suites.relay.observation.reading import Life

FAULTS: dict[str, Fault] = {}


def _lives(spoiled: Spoiled, least: int = 1) -> list[Life]:
    """Return what subscribers were told of calls of which so many contributions were told, or more."""
    found = [life for _, lives in spoiled.lives() for life in lives]
    return [life for life in found if len(life.contributions) >= least]


def _as_stated(spoiled: Spoiled, least: int = 1) -> list[Life]:
    """Return the same where nothing rewrites what is told."""
    rewritten = spoiled.rewrites("mark.sanitize", "event.metadata", "end.sanitize", "llm.sanitize_response")
    return [] if rewritten else _lives(spoiled, least)


def _said(lives: list[Life]) -> list[Json]:
    """Return what is said of each contribution, in its mark and in the summary."""
    marks = [event["data"] for life in lives for _, event in life.contributions]
    return [*marks, *(said for summary in _summaries(lives) for said in summary["contributions"])]


def _summaries(lives: list[Life]) -> list[Json]:
    """Return the summaries on the ends of calls."""
    profiles = [event["category_profile"] or {} for life in lives for _, event in life.ends]
    found = [(profile.get("annotated_response") or {}).get("optimization_summary") for profile in profiles]
    return [summary for summary in found if summary]


def _spelled(spoiled: Spoiled, name: str) -> str:
    """Return what a member of a helper's outcome is called in the dialect."""
    own: str = spoiled.spelling.helper.get(name, name)
    return own


@plant(FAULTS, "drop_contribution", "a contribution is never told", "CTR-001")
def drop_contribution(spoiled: Spoiled) -> bool:
    """Drop the last contribution of each call."""
    events = [life.contributions[-1][1] for life in _lives(spoiled)]
    spoiled.drop(events)
    return bool(events)


@plant(FAULTS, "twice_contributed", "a contribution is told once more", "CTR-001")
def twice_contributed(spoiled: Spoiled) -> bool:
    """Tell the last contribution of the last call that has any again, with a new uuid."""
    told = [lives for _, lives in spoiled.lives() if any(life.contributions for life in lives)]
    found = [life.contributions[-1] for lives in told[-1:] for life in lives if life.contributions]
    for at, event in sorted(found, key=lambda one: -one[0]):
        spoiled.insert(at, {**spoiled.log[at], "event": {**event, "uuid": FOREIGN_UUID}})
    return bool(found)


@plant(FAULTS, "contributed_by_nobody", "a contribution is told that nobody has listed", "EVT-051")
def contributed_by_nobody(spoiled: Spoiled) -> bool:
    """Tell of one behind the start of each LLM call whose intercepts list none."""
    calls = [call for call, _ in spoiled.lives() if not call.contributions]
    starts = [start for call in calls[:1] for life in call.lives.values() for start in life.starts]
    for at, start in sorted(starts, key=lambda one: -one[0]):
        event = spoiled.mark_event(CONTRIBUTION_MARK, start["uuid"], like=start)
        spoiled.insert(at, {**spoiled.log[at], "event": event})
    return bool(starts)


@plant(FAULTS, "swap_contributions", "two contributions of a call change places", "CTR-001")
def swap_contributions(spoiled: Spoiled) -> bool:
    """Exchange what the first two say, but for their numbers and identities."""
    done = False
    for life in _as_stated(spoiled, 2):
        (_, one), (_, other) = life.contributions[:2]
        said = [{k: v for k, v in event["data"].items() if k not in ("id", "sequence")} for event in (one, other)]
        own = [{k: event["data"][k] for k in ("id", "sequence") if k in event["data"]} for event in (one, other)]
        if said[0] != said[1]:
            one["data"], other["data"] = said[1] | own[0], said[0] | own[1]
            done = True
    return done


@plant(FAULTS, "number_from_one", "the contributions of a call are counted from 1", "CTR-002")
def number_from_one(spoiled: Spoiled) -> bool:
    """Add one to each number, in marks and in the summary."""
    lives = _as_stated(spoiled)
    for said in _said(lives):
        said["sequence"] += 1
    return bool(lives)


@plant(FAULTS, "shared_contribution_id", "two contributions share an id", "CTR-002")
def shared_contribution_id(spoiled: Spoiled) -> bool:
    """Give all contributions of each call one id, in marks and in the summary."""
    lives = _as_stated(spoiled, 2)
    for said in _said(lives):
        said["id"] = FOREIGN_UUID
    return bool(lives)


@plant(FAULTS, "contribution_without_schema", "a contribution is told under no schema", "CTR-003")
def contribution_without_schema(spoiled: Spoiled) -> bool:
    """Take the schema off each mark of a contribution."""
    events = [event for life in _as_stated(spoiled) for _, event in life.contributions]
    for event in events:
        event["data_schema"] = None
    return bool(events)


@plant(FAULTS, "lose_what_is_new", "members of a contribution that no reader knows are lost", "CTR-003")
def lose_what_is_new(spoiled: Spoiled) -> bool:
    """Take what begins with `x` out of each mark of a contribution."""
    done = False
    for life in _as_stated(spoiled):
        for _, event in life.contributions:
            for name in [name for name in event["data"] if name.startswith("x")]:
                del event["data"][name]
                done = True
    return done


@plant(FAULTS, "fail_for_a_payload", "a call fails for a payload without a schema", "CTR-004", "OUT-013")
def fail_for_a_payload(spoiled: Spoiled) -> bool:
    """Let a helper fail whose intercepts list such a contribution."""
    for call in spoiled.reading.calls:
        bare = [one for one in call.contributions if one.get("payload") is not None and not one.get("payload_schema")]
        if bare and call.helper and call.error is None:
            error = {"type": "Error", "message": spoiled.message("outcome_malformed"), "code": None, "same_as": None}
            spoiled.fail(call.act, error)
            return True
    return False


@plant(FAULTS, "no_summary", "an end does not say what was saved", "CTR-005")
def no_summary(spoiled: Spoiled) -> bool:
    """Take the contributions out of each summary."""
    found = [summary for summary in _summaries(_as_stated(spoiled)) if summary["contributions"]]
    for summary in found:
        summary["contributions"] = []
    return bool(found)


@plant(FAULTS, "helper_without_contributions", "a helper gives no contributions back", "CTR-006")
def helper_without_contributions(spoiled: Spoiled) -> bool:
    """Empty the list of each helper."""
    key = _spelled(spoiled, "optimization_contributions")
    found = [call for call in spoiled.reading.calls if call.helper and call.error is None and call.contributions]
    for call in found:
        value = spoiled.log[call.done or 0]["value"]
        spoiled.succeed(call.act, {**value, key: []})
    return bool(found)


@plant(FAULTS, "accept_a_nameless_contribution", "a contribution of nobody is taken", "CTR-007")
def accept_a_nameless_contribution(spoiled: Spoiled) -> bool:
    """Let a helper that was refused for it come back."""
    for call in spoiled.reading.calls:
        bare = [one for one in call.contributions if not isinstance(one.get("producer"), str)]
        if bare and call.helper and call.error is not None:
            parts: Json = {"annotated_request": None, "pending_marks": [], "optimization_contributions": []}
            said = {_spelled(spoiled, name): value for name, value in parts.items()}
            spoiled.succeed(call.act, {"request": call.requested, **said})
            return True
    return False
