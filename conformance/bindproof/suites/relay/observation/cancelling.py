"""Calls that the program cancels: which there were, and the lanes of what they are told.

Enters: records, a Story. Leaves: lanes, and the calls. It judges nothing.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.observation.spans import newest
from bindproof.suites.relay.observation.story import Act, Story


def lane_of_event(record: Json) -> str:
    """Return the lane of what a subscriber was told: its own, but for the end of a cancelled call.

    That end comes some time after the cancelling, whatever the program does meanwhile.
    """
    subscriber, event = str(record["subscriber"]), record["event"]
    return f"{subscriber}.cancelled.{event.get('name')}" if is_cancelled_end(event) else subscriber


def is_cancelled_end(event: Json) -> bool:
    """Tell whether an event is the end of a call that was cancelled, as it says itself."""
    metadata = event.get("metadata") if isinstance(event, dict) and event.get("scope_category") == "end" else None
    return isinstance(metadata, dict) and "cancelled" in str(metadata.get("otel.status_description"))


@newest
def cancellings(story: Story) -> list[Act]:
    """Return the calls that were in flight when a step cancelled them, and are done."""
    cancelled = {act.step["of"] for act in story.acts if act.step["step"] == "cancel"}
    return [act for act in story.acts if act.stood and act.step["as"] in cancelled]
