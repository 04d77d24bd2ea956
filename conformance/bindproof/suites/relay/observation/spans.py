"""Which events are of which step: a step that was told of, as one subscriber was.

Enters: a Transcript. Leaves: spans, each a step with its start, its ends and its marks. It states facts and judges
nothing.
"""

from __future__ import annotations

from operator import itemgetter

from msgspec import Struct, field

from bindproof.core.model import Json
from bindproof.suites.relay.observation.deliveries import everyone
from bindproof.suites.relay.observation.gates import is_named
from bindproof.suites.relay.observation.scopes import registrations
from bindproof.suites.relay.observation.transcript import Act, Event, Transcript, kept

STEP_KINDS = {"llm": ("llm", "llm_stream")}
"""Kind of a span → the kinds of the steps that start one, where they are several."""


class ToldSpan(Struct, eq=False):
    """What one subscriber was told of one step: its start, its ends, and the marks that are of it."""

    act: Act
    subscriber: str
    start: Event
    ends: list[Event] = field(default_factory=list)
    marks: list[Event] = field(default_factory=list)


@kept
def steady(transcript: Transcript) -> dict[str, int]:
    """Return the subscribers that are told of everything from some place in the log on.

    They are never taken back, and no gate is about them.
    """
    taken = {act.step["of"] for act in transcript.of_kind("deregister")}
    return {
        act.step["as"]: act.done
        for act, _ in registrations(transcript, "subscriber")
        if act.step["scope"] == "global"
        and (act.within is None or act.plugin)
        and act.step["as"] not in taken
        and act.done is not None
        and not is_named(transcript, act.step)
    }


@kept
def started(transcript: Transcript, kind: str) -> list[Act]:
    """Return the steps that start a span of a kind (`llm`, `tool`, `scope`), in the order in which they do."""
    kinds = STEP_KINDS.get(kind, (kind,))
    found = [act for act in (*transcript.of_kind("call"), *transcript.of_kind("start")) if act.step["kind"] in kinds]
    return sorted([act for act in found if act.started], key=lambda act: act.started_at)


@kept
def spans(transcript: Transcript, kind: str) -> list[ToldSpan]:
    """Return the spans of a kind, for each subscriber that was there when the step started and was told so."""
    found = everyone(transcript, started(transcript, kind))
    return [
        ToldSpan(act, subscriber, life.starts[0], life.ends, sorted(life.marks + life.chunks, key=itemgetter(0)))
        for act, subscriber, life in found
        if life.starts
    ]


@kept
def call_spans(transcript: Transcript) -> list[ToldSpan]:
    """Return the spans of managed calls."""
    found = [span for kind in ("llm", "tool") for span in spans(transcript, kind)]
    return [span for span in found if span.act.step["step"] == "call"]


@kept
def all_spans(transcript: Transcript) -> list[ToldSpan]:
    """Return the spans of scopes and calls."""
    return [span for kind in ("scope", "llm", "tool") for span in spans(transcript, kind)]


def is_start(event: Json) -> bool:
    """Tell whether an event starts something."""
    return bool(event.get("kind") == "scope" and event.get("scope_category") == "start")


@kept
def families(transcript: Transcript) -> set[str]:
    """Return the families of which something was registered."""
    return {act.step["family"] for act in transcript.of_kind("register") if act.error is None}
