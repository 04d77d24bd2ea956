"""Calls in flight: which there were, what was registered at a place of the log, and who was told of them.

Enters: a Story. Leaves: steps and spans. It states facts and judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.suites.relay.observation.scopes import open_scopes
from bindproof.suites.relay.observation.spans import Span, newest, spans, started_at
from bindproof.suites.relay.observation.story import Act, Story


@newest
def flights(story: Story) -> list[Act]:
    """Return the calls in the background."""
    return [act for act in story.acts if act.step.get("background")]


@newest
def managed_spans(story: Story) -> list[Span]:
    """Return the spans of managed calls where one was in the background."""
    found = [span for kind in ("llm", "tool") for span in spans(story, kind)] if flights(story) else []
    return [span for span in found if span.act.step["step"] == "call"]


def registered(story: Story, family: str) -> list[Act]:
    """Return the steps that registered something of a family."""
    acts = [act for act in story.acts if act.step["step"] == "register" and act.error is None]
    return [act for act in acts if act.step["family"] == family and act.done is not None]


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


def effective(story: Story, family: str, at: int) -> list[Act]:
    """Return what is registered of a family at a place in the log: globally, or on a scope that is open there."""
    levels = {"global", *(act.step["as"] for act in open_scopes(story, at))}
    steps = {act.step["as"]: act.step for act in registered(story, family)}
    there: dict[tuple[str, str, str], Act] = {}
    for act in story.acts:
        if act.error is not None or act.done is None or act.done >= at:
            continue
        if act.step["step"] == "register" and act.step["family"] == family:
            there[act.plugin, act.step["scope"], act.step["name"]] = act
        elif act.step["step"] == "deregister" and act.step["of"] in steps:
            step = steps[act.step["of"]]
            there.pop((act.plugin, step["scope"], step["name"]), None)
    return [act for (_, scope, _), act in there.items() if scope in levels]


def audience(story: Story, act: Act) -> Iterator[tuple[str, bool]]:
    """Yield each subscriber with whether it was there when a call started."""
    there = {one.step["as"] for one in effective(story, "subscriber", started_at(act))}
    for one in registered(story, "subscriber"):
        yield one.step["as"], one.step["as"] in there
