"""Planted faults about what the end of a call that failed says of its error (EVT)."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.observation.in_flight import cancellings
from bindproof.suites.relay.observation.spans import call_spans
from bindproof.suites.relay.observation.status import DESCRIPTION
from bindproof.suites.relay.observation.transcript import Act

FAULTS: dict[str, Fault] = {}

PLANTED_TYPE = "planted"


def _spoil(spoiled: Spoiled, name: str, spoil: Callable[[Act, Json], bool]) -> bool:
    """Spoil the metadata of ends of calls that failed, where they say this; tell whether any were."""
    if spoiled.rewrites("end.sanitize", "event.metadata"):
        return False
    cancelled, done = cancellings(spoiled.transcript), False
    for span in call_spans(spoiled.transcript):
        for _, end in span.ends:
            if span.act.error is not None and span.act not in cancelled and name in (end["metadata"] or {}):
                done |= spoil(span.act, end["metadata"])
    return done


@plant(FAULTS, "blank_description", "the end of a failed call does not say what failed", "EVT-053")
def blank_description(spoiled: Spoiled) -> bool:
    """Take the description away."""
    return _spoil(spoiled, DESCRIPTION, lambda act, metadata: metadata.pop(DESCRIPTION) is not None)


@plant(FAULTS, "untyped_failure", "the end of a failed call has no type of its error", "EVT-054")
def untyped_failure(spoiled: Spoiled) -> bool:
    """Take the types away that no caller has stated."""
    return _spoil(spoiled, "error.type", lambda act, metadata: _untyped(act, metadata, own=False))


@plant(FAULTS, "forget_own_type", "the end of a failed call has not the type that its caller has stated", "EVT-009")
def forget_own_type(spoiled: Spoiled) -> bool:
    """Take the types away that callers have stated."""
    return _spoil(spoiled, "error.type", lambda act, metadata: _untyped(act, metadata, own=True))


def _untyped(act: Act, metadata: Json, *, own: bool) -> bool:
    """Take the type of an error away where the caller has stated one, or has not."""
    if _states(act, "error.type") is own:
        del metadata["error.type"]
        return True
    return False


def _states(act: Act, name: str) -> bool:
    """Tell whether the caller has stated this in the call's metadata."""
    return isinstance(act.step["metadata"], dict) and name in act.step["metadata"]


@plant(FAULTS, "another_class", "the end of a failed call names no class of exception, or another one", "EVT-055")
def another_class(spoiled: Spoiled) -> bool:
    """Say another class where the caller is given the very exception, and else null."""

    def spoil(act: Act, metadata: Json) -> bool:
        if _states(act, "exception.type"):
            return False
        metadata["exception.type"] = PLANTED_TYPE if (act.error or {}).get("same_as") else None
        return True

    return _spoil(spoiled, "exception.type", spoil)
