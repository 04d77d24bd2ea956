"""Programs in which what a managed call has to sanitize may overtake what a step by hand has to.

In one edition the first is sanitized in its call, the second waits in a queue. Before it neither waits, from the next
on both do: there the order is known (source observed G03).

Enters: the steps of a complete scenario. Leaves: whether the order is open. Must not know what was observed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bindproof.core.model import Json

EDITION: Final = "0.7"


def may_overtake(steps: Sequence[Json]) -> bool:
    """Tell whether steps have payloads of one kind sanitized both of a step by hand and of a managed call."""
    sanitized = {step["family"].partition(".")[0] for step in steps if ".sanitize_" in step.get("family", "")}
    by_hand = {step["kind"] for step in steps if step["step"] == "start"}
    managed = {step["kind"].removesuffix("_stream") for step in steps if step["step"] == "call"}
    return not sanitized.isdisjoint(by_hand & managed)
