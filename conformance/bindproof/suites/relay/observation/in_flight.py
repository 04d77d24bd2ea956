"""Calls in flight: which there were, which were cancelled, and what changed in the registrations meanwhile.

Enters: a Transcript. Leaves: steps and spans. It states facts and judges nothing.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.observation.scopes import registrations
from bindproof.suites.relay.observation.spans import ToldSpan, call_spans
from bindproof.suites.relay.observation.transcript import Act, Transcript, kept


def is_of_one_time(full: Json) -> bool:
    """Tell whether every call of a program is over when its step is, so that no event of it comes later."""
    return not any(step.get("background") or step.get("drain") is False for step in full["steps"])


@kept
def calls_in_flight(transcript: Transcript) -> list[Act]:
    """Return the calls in the background."""
    return [act for act in transcript.acts if act.step.get("background")]


@kept
def managed_spans(transcript: Transcript) -> list[ToldSpan]:
    """Return the spans of managed calls where one was in the background."""
    return call_spans(transcript) if calls_in_flight(transcript) else []


@kept
def cancellings(transcript: Transcript) -> list[Act]:
    """Return the calls that were in flight when a step cancelled them, and are done."""
    cancelled = {act.step["of"] for act in transcript.of_kind("cancel")}
    return [act for act in transcript.acts if act.stood and act.step["as"] in cancelled]


def scopes_look_like_calls(transcript: Transcript) -> bool:
    """Tell whether a scope has the category of a call: events do not tell them apart."""
    return any(act.step.get("type") in ("llm", "tool") for act in transcript.acts if act.step.get("kind") == "scope")


def names_of_cancelled(transcript: Transcript) -> set[str]:
    """Return the names of calls that a step cancels, in flight or not.

    By a name alone it is known which end may be told later than it is due (see `observation.lanes`).
    """
    cancelled = {act.step["of"] for act in transcript.of_kind("cancel")}
    return {act.step["name"] for act in transcript.of_kind("call") if act.step["as"] in cancelled}


def registered(transcript: Transcript, family: str) -> list[Act]:
    """Return the steps that registered something of a family."""
    return [act for act, _ in registrations(transcript, family)]


def taken_back(transcript: Transcript, family: str) -> list[int]:
    """Return where in the log something of a family was taken back, or its scope was closed."""
    names = {act.step["as"] for act in registered(transcript, family)}
    scopes = {act.step["scope"] for act in registered(transcript, family)}
    acts = [act for act in transcript.acts if act.error is None and act.done is not None]
    return [
        act.done or 0
        for act in acts
        if (act.step["step"] == "deregister" and act.step["of"] in names)
        or (act.step["step"] == "end" and act.step["of"] in scopes)
    ]
