"""Checks of *Managed LLM lifecycle* (LIF) about contexts: each has a scope stack of its own."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, register
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import context_at, place_of, received_at, scopes_around
from bindproof.suites.relay.observation.spans import all_spans
from bindproof.suites.relay.observation.transcript import Act, Event

CHECKS: dict[str, Check] = {}


@register(CHECKS, "LIF-029")
def a_context_has_scopes_of_its_own(reading: Reading) -> Found:
    """Outside any scope of its context nothing has a parent that is another context's: a scope, or what is around."""
    outside = list(_outside(reading))
    scopes = [
        (context_at(reading.transcript, span.act.done or 0), span.start[1].get("uuid"))
        for span in all_spans(reading.transcript)
        if span.act.step["step"] == "start" and span.act.step["kind"] == "scope"
    ]
    roots = _roots(outside)
    found = [
        (event, {uuid for context, uuid in (*scopes, *roots) if context != here and uuid is not None})
        for here, event in outside
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "the parent is of another context", at, "one of its own context", seen)
            for (at, event), others in found
            if (seen := event.get("parent_uuid")) in others
        ],
        [others for _, others in found if others],
    )


def begun(reading: Reading) -> Iterator[tuple[Act, Event]]:
    """Yield the starts and marks of the program's own steps that name no parent."""
    starts = [(span.act, span.start) for span in all_spans(reading.transcript)]
    marks = [(act, event) for act, told in reading.deliveries.marked.items() for event in told.values()]
    yield from ((act, event) for act, event in (*starts, *marks) if act.within is None and act.step["parent"] is None)


def _outside(reading: Reading) -> Iterator[tuple[str, Event]]:
    """Yield the starts and marks of the program's own steps that are outside any scope, each with its context.

    A context that is made of something captured is left out: PRP-003.
    """
    for act, event in begun(reading):
        place = place_of(act)
        if not scopes_around(reading.transcript, act) and received_at(reading.transcript, place) is None:
            yield context_at(reading.transcript, place), event


def _roots(outside: list[tuple[str, Event]]) -> list[tuple[str, Json]]:
    """Return of each context what the first event outside any scope has as its parent: who comes later is judged."""
    first: dict[Json, str] = {}
    for context, (_, event) in sorted(outside, key=lambda one: one[1][0]):
        first.setdefault(event.get("parent_uuid"), context)
    return [(context, uuid) for uuid, context in first.items()]
