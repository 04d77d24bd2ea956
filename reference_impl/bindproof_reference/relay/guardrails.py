"""Chapter *Middleware* (MID), conditionals: each is a scope of its own, and the first that rejects ends the call."""

from __future__ import annotations

from functools import partial

from bindproof_reference.relay import events
from bindproof_reference.relay.chains import verdict
from bindproof_reference.relay.emission import World
from bindproof_reference.relay.events import Emitted, Span
from bindproof_reference.relay.flight import CancelledError
from bindproof_reference.relay.run import FailedError, failed
from bindproof_reference.relay.scopes import Scope
from bindproof_reference.relay.values import ANY, Json, Opaque


class RejectedError(FailedError):
    """A conditional rejected; carries the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(failed("guardrail_rejected", message={"$text": reason}).error)
        self.reason = reason


def conditionals(world: World, step: Json, family: str, given: Json, kind: Json) -> None:
    """Ask the conditionals of a family in order; raises RejectedError, or what one of them raises (MID-008)."""
    around = world.around(step)
    audience = world.audience()
    tell = partial(world.emit, audience=audience, if_heard=True)  # MID-026
    encoded = world.run.policy("percent_encoded_names")
    chain = world.chain(family)
    names = [world.levels.shown_name(guardrail, encoded=encoded) for guardrail in chain]
    metadata = step.get("metadata")
    for number, (guardrail, name) in enumerate(zip(chain, names, strict=True)):
        begun = Span(f"{step['as']}/guard/{number}", "guardrail", name, around.identity, world.stack.top().root)
        tell(begun.start(kind, None, metadata))
        try:
            reason = verdict(world.run, guardrail, given)
        except FailedError as ended:
            message = ended.error["message"]
            error = Opaque({"allowed": False, "error": {"$text": ""} if message == ANY else message})
            tell(_end(world, begun, error, metadata))
            raise
        except CancelledError:
            told = Opaque({"allowed": False, "cancelled": True, "error": {"$text": "cancelled"}})
            world.emit_cancelled(_end(world, begun, told, metadata), audience, if_heard=True)
            raise
        if reason is not None:
            rejected = {"allowed": False, "rejected": True, "rejection_reason": reason}
            tell(_end(world, begun, rejected, metadata))
            raise RejectedError(reason)
        tell(_end(world, begun, {"allowed": True, "rejected": False}, metadata))


def _end(world: World, begun: Span, data: Json, metadata: Json) -> Emitted:
    """Return the end of a guardrail: it is of the root of its moment, as any end is (EVT-003)."""
    return begun.at(world.stack.top().root).end(data, None, metadata)


def rejection_mark(world: World, around: Scope, step: Json, reason: str) -> events.Emitted:
    """Return the mark that tells of a call that was rejected: it bears the call's name (MID-009).

    around: the scope in which the call was made.
    """
    name = f"{step['as']}/rejected"
    fields = {
        "name": step["name"],
        "category": None,
        "category_profile": None,
        "data": {"rejected": True, "rejection_reason": reason},
        "data_schema": None,
        "metadata": step["metadata"],
    }
    return events.mark(name, fields, around.identity, world.stack.top().root, {"as": name})
