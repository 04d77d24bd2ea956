"""Which events are of which step: the spans of a story, as its steady subscribers were told of them.

Enters: a Story. Leaves: spans, each a step with its start, its end and its marks. It states facts and judges nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from bindproof.core.model import Json
from bindproof.suites.relay.observation.story import Act, Event, Story

newest = lru_cache(maxsize=16)
"""Keeps what was worked out of the stories that are judged now: every check of a chapter asks for it again."""

EXECUTING = ("provider", "source", "llm.execution", "llm.stream", "tool.execution")
"""The parts of a call that run once it has started."""

STEP_KINDS = {"llm": ("llm", "llm_stream")}
"""Kind of a span → the kinds of the steps that start one, where they are several."""


@dataclass(eq=False, slots=True)
class Span:
    """What one subscriber was told of one step: its start, its ends, and the marks that name it as parent."""

    act: Act
    subscriber: str
    start: Event
    ends: list[Event] = field(default_factory=list)
    marks: list[Event] = field(default_factory=list)


@newest
def steady(story: Story) -> dict[str, int]:
    """Return the subscribers that are told of everything from some place in the log on: they are never taken back."""
    taken = {act.step["of"] for act in story.acts if act.step["step"] == "deregister"}
    return {
        act.step["as"]: act.done
        for act in story.acts
        if act.step["step"] == "register" and act.step["family"] == "subscriber" and act.step["scope"] == "global"
        if act.error is None
        and (act.within is None or act.plugin)
        and act.step["as"] not in taken
        and act.done is not None
    }


@newest
def started(story: Story, kind: str) -> list[Act]:
    """Return the steps that start a span of a kind (`llm`, `tool`, `scope`), in the order in which they do."""
    kinds = STEP_KINDS.get(kind, (kind,))
    found = [act for act in story.acts if act.step["step"] in ("call", "start") and act.step["kind"] in kinds]
    return sorted([act for act in found if has_started(act)], key=started_at)


def has_started(act: Act) -> bool:
    """Tell whether a step got as far as its start: a call does when its interception succeeded."""
    return act.error is None or bool(act.of(*EXECUTING))


def started_at(act: Act) -> int:
    """Return where in the log a step had not started yet, and nothing that came later had."""
    runs = act.of(*EXECUTING) if act.step["step"] == "call" else []
    return runs[0].entered if runs else act.done or 0


@newest
def spans(story: Story, kind: str) -> list[Span]:
    """Return the spans of a kind that each steady subscriber was told of, where starts and steps are equally many."""
    found: list[Span] = []
    for subscriber, since in steady(story).items():
        acts = [act for act in started(story, kind) if act.began >= since]
        events = story.events.get(subscriber, [])
        starts = [event for event in events if is_start(event[1]) and _is_of(kind, event[1])]
        if len(starts) == len(acts):
            found += [_span(act, subscriber, start, events) for act, start in zip(acts, starts, strict=True)]
    return found


def all_spans(story: Story) -> list[Span]:
    """Return the spans of scopes and calls, as each steady subscriber was told of them."""
    return [span for kind in ("scope", "llm", "tool") for span in spans(story, kind)]


def is_start(event: Json) -> bool:
    """Tell whether an event starts something."""
    return bool(event.get("kind") == "scope" and event.get("scope_category") == "start")


def _is_of(kind: str, event: Json) -> bool:
    category = str(event.get("category"))
    return category == kind if kind != "scope" else category not in ("llm", "tool", "guardrail")


def _span(act: Act, subscriber: str, start: Event, events: list[Event]) -> Span:
    span, uuid = Span(act, subscriber, start), start[1].get("uuid")
    for event in events:
        told = event[1]
        if told.get("kind") == "mark" and told.get("parent_uuid") == uuid:
            span.marks.append(event)
        elif told.get("kind") == "scope" and told.get("scope_category") == "end" and told.get("uuid") == uuid:
            span.ends.append(event)
    return span


@newest
def families(story: Story) -> set[str]:
    """Return the families of which something was registered."""
    return {act.step["family"] for act in story.acts if act.step["step"] == "register" and act.error is None}
