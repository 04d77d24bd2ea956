"""Checks about what a program asks of the binding: the current scope and handles (LIF)."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register
from bindproof.suites.relay.observation.deliveries import lives
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import context_at, open_scopes, scopes_around
from bindproof.suites.relay.observation.spans import all_spans, started
from bindproof.suites.relay.observation.transcript import Act, Transcript

CHECKS: dict[str, Check] = {}


def _asked(reading: Reading, *, inside: bool) -> list[tuple[Act, list[Act]]]:
    """Return the steps that ask for the current scope with those that are open, where some are or where none is."""
    acts = [act for act in reading.transcript.acts if act.step["step"] == "current"]
    found = [(act, open_scopes(reading.transcript, act.done or 0)) for act in acts]
    return [(act, scopes) for act, scopes in found if bool(scopes) is inside]


@register(CHECKS, "LIF-024")
def the_current_scope_is_the_innermost(reading: Reading) -> Found:
    """Inside a scope the current one is the innermost open one."""
    uuids = {act.step["as"]: _uuid(reading.transcript, act) for act in started(reading.transcript, "scope")}
    found = [
        (
            act,
            {"uuid": uuids.get(scopes[-1].step["as"]) or part(act.value, "uuid"), "name": scopes[-1].step["name"]},
        )
        for act, scopes in _asked(reading, inside=True)
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "the innermost open scope", act.done, expected, act.error or act.value)
            for act, expected in found
            if act.error is not None or act.value != expected
        ],
        found,
    )


def _uuid(transcript: Transcript, act: Act) -> Json:
    """Return the uuid of a scope, as whoever was told of it was told first; None where nobody was."""
    told = [event for life in lives(transcript, act).values() for event in (*life.starts, *life.ends)]
    return min(told, key=itemgetter(0))[1].get("uuid") if told else None


@register(CHECKS, "LIF-025")
def the_current_scope_is_the_root(reading: Reading) -> Found:
    """Outside any scope the current one is the parent of what is outside any."""
    parents = {
        (context_at(reading.transcript, span.act.began), span.start[1].get("parent_uuid"))
        for span in all_spans(reading.transcript)
        if _is_outside(reading.transcript, span.act)
    }
    found = [
        (act, parent)
        for act, _ in _asked(reading, inside=False)
        for context, parent in parents
        if context == context_at(reading.transcript, act.done or 0)
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "the parent of what is outside any scope", act.done, parent, act.error or act.value)
            for act, parent in found
            if act.error is not None or part(act.value, "uuid") != parent
        ],
        found,
    )


def _is_outside(transcript: Transcript, act: Act) -> bool:
    return act.within is None and not scopes_around(transcript, act)


@register(CHECKS, "LIF-028")
def a_handle_says_what_was_started(reading: Reading) -> Found:
    """A handle says what its scope or call was started with, and whom its start was told as."""
    steps = reading.transcript.by_id
    found = [
        (act, steps[act.step["of"]])
        for act in reading.transcript.of_kind("handle")
        if act.step["of"] in steps and steps[act.step["of"]].error is None
    ]
    return judged(
        [
            Evidence(EVERY_LANE, f"the {name} that a handle says", act.done, expected, seen)
            for act, begun in found
            for name, expected in _stated(reading.transcript, begun)
            for seen in [_said(act, name, begun)]
            if not same(expected, seen)
        ],
        found,
    )


def _said(act: Act, name: str, begun: Act) -> Json:
    """Return a member of what a handle says; data and metadata that handles of calls may lack count as stated."""
    may_lack = begun.step["kind"] != "scope" and name in ("data", "metadata")
    if act.error is not None:
        return act.error
    lacks = isinstance(act.value, dict) and name not in act.value
    return begun.step[name] if may_lack and lacks else part(act.value, name)


def _stated(transcript: Transcript, begun: Act) -> Iterator[tuple[str, Json]]:
    """Yield what a handle has to say: each member with its value."""
    step = begun.step
    yield from ((name, step[name]) for name in ("name", "data", "metadata", "type") if name in step)
    yield "attributes", sorted(step["attributes"])
    starts = [life.starts[0] for life in lives(transcript, begun).values() if life.starts]
    if starts:
        start = min(starts, key=itemgetter(0))[1]
        yield from ((name, start.get(name)) for name in ("uuid", "parent_uuid"))
