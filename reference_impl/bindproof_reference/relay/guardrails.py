"""Chapter *Middleware* (MID), conditionals: each is a scope of its own, and the first that rejects ends the call."""

from __future__ import annotations

from functools import partial

from bindproof_reference.relay import events
from bindproof_reference.relay.chains import verdict
from bindproof_reference.relay.emission import World
from bindproof_reference.relay.events import Span
from bindproof_reference.relay.run import FailedError, failed
from bindproof_reference.relay.values import ANY, Json, Opaque


class RejectedError(FailedError):
    """A conditional rejected; carries the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(failed("guardrail_rejected", message={"$text": reason}).error)
        self.reason = reason


def conditionals(world: World, step: Json, family: str, given: Json, kind: Json) -> None:
    """Ask the conditionals of a family in order; raises RejectedError, or what one of them raises (MID-008)."""
    around = world.around(step)
    tell = partial(world.emit, audience=world.audience(), if_heard=True)  # MID-026
    encoded = world.run.policy("percent_encoded_names")
    for number, guardrail in enumerate(world.chain(family)):
        name = world.levels.shown_name(guardrail, encoded=encoded)
        span = Span(f"{step['as']}/guard/{number}", "guardrail", name, around.identity, around.root)
        metadata = step.get("metadata")
        tell(span.start(kind, None, metadata))
        try:
            reason = verdict(world.run, guardrail, given)
        except FailedError as ended:
            message = ended.error["message"]
            error = Opaque({"allowed": False, "error": {"$text": ""} if message == ANY else message})
            tell(span.end(error, None, metadata))
            raise
        if reason is not None:
            tell(span.end({"allowed": False, "rejected": True, "rejection_reason": reason}, None, metadata))
            raise RejectedError(reason)
        tell(span.end({"allowed": True, "rejected": False}, None, metadata))


def rejection_mark(world: World, step: Json, reason: str) -> events.Emitted:
    """Return the mark that tells of a call that was rejected: it bears the call's name (MID-009)."""
    around = world.around(step)
    name = f"{step['as']}/rejected"
    fields = {
        "name": step["name"],
        "category": None,
        "category_profile": None,
        "data": {"rejected": True, "rejection_reason": reason},
        "data_schema": None,
        "metadata": step["metadata"],
    }
    return events.mark(name, fields, around.identity, around.root, {"as": name})
