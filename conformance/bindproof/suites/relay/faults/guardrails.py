"""Faults of the chapter *Middleware* (MID): who is told of guardrails."""

from __future__ import annotations

from bindproof.core.model import copied
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.observation.guardrails import guarded, listening

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
