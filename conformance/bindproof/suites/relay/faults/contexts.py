"""Planted faults about contexts that have scope stacks of their own (LIF)."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.observation.scopes import context_at, open_scopes, scopes_around
from bindproof.suites.relay.observation.spans import ToldSpan, all_spans

FAULTS: dict[str, Fault] = {}


@plant(
    FAULTS,
    "share_stack",
    "what is around all in a new context is the scope that is open around the context",
    "LIF-029",
    also=("REF-000",),
)
def share_stack(spoiled: Spoiled) -> bool:
    """Put the innermost scope around a context in place of what is around all in it, wherever that is told."""
    told = all_spans(spoiled.transcript)
    uuids = {span.act.step["as"]: span.start[1]["uuid"] for span in told}
    for context in (act for act in spoiled.transcript.of_kind("context") if act.step["from"] is None):
        scopes = open_scopes(spoiled.transcript, context.done or 0)
        around = uuids.get(scopes[-1].step["as"]) if scopes else None
        own = [span.start[1]["parent_uuid"] for span in told if _is_first(spoiled, context.step["as"], span)]
        if around is not None and own:
            spoiled.log[:] = [_replaced(record, own[0], around) for record in spoiled.log]
            return True
    return False


def _is_first(spoiled: Spoiled, context: str, span: ToldSpan) -> bool:
    """Tell whether a step starts something outside any scope of a context."""
    act = span.act
    is_own = act.within is None and act.step["parent"] is None and context_at(spoiled.transcript, act.began) == context
    return is_own and not scopes_around(spoiled.transcript, act)


def _replaced(value: Json, old: str, new: str) -> Json:
    if isinstance(value, dict):
        return {key: _replaced(item, old, new) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item, old, new) for item in value]
    return new if value == old else value
