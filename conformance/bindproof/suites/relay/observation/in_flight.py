"""Calls in flight: which there were, which were cancelled, and what changed in the registrations meanwhile.

Enters: a Story. Leaves: steps and spans. It states facts and judges nothing.
"""

from __future__ import annotations

from bindproof.suites.relay.observation.scopes import registrations
from bindproof.suites.relay.observation.spans import Span, spans
from bindproof.suites.relay.observation.story import Act, Story, kept


@kept
def flights(story: Story) -> list[Act]:
    """Return the calls in the background."""
    return [act for act in story.acts if act.step.get("background")]


@kept
def managed_spans(story: Story) -> list[Span]:
    """Return the spans of managed calls where one was in the background."""
    found = [span for kind in ("llm", "tool") for span in spans(story, kind)] if flights(story) else []
    return [span for span in found if span.act.step["step"] == "call"]


@kept
def cancellings(story: Story) -> list[Act]:
    """Return the calls that were in flight when a step cancelled them, and are done."""
    cancelled = {act.step["of"] for act in story.of_kind("cancel")}
    return [act for act in story.acts if act.stood and act.step["as"] in cancelled]


def names_of_cancelled(story: Story) -> set[str]:
    """Return the names of calls that a step cancels, in flight or not.

    By a name alone it is known which end may be told later than it is due (see `observation.lanes`).
    """
    cancelled = {act.step["of"] for act in story.of_kind("cancel")}
    return {act.step["name"] for act in story.of_kind("call") if act.step["as"] in cancelled}


def registered(story: Story, family: str) -> list[Act]:
    """Return the steps that registered something of a family."""
    return [act for act, _ in registrations(story, family)]


def taken_back(story: Story, family: str) -> list[int]:
    """Return where in the log something of a family was taken back, or its scope was closed."""
    names = {act.step["as"] for act in registered(story, family)}
    scopes = {act.step["scope"] for act in registered(story, family)}
    acts = [act for act in story.acts if act.error is None and act.done is not None]
    return [
        act.done or 0
        for act in acts
        if (act.step["step"] == "deregister" and act.step["of"] in names)
        or (act.step["step"] == "end" and act.step["of"] in scopes)
    ]
