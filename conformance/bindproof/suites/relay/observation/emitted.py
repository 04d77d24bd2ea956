"""Events as they were emitted: as what first looked at them was given them, before anything rewrote them.

Enters: a Reading. Leaves: a Reading of the same program in which nothing rewrites events, and where each event was
given. It states facts and judges nothing.
"""

from __future__ import annotations

from msgspec import Struct, structs

from bindproof.core.model import Json
from bindproof.suites.relay.observation.null_answers import is_of_a_stand_in
from bindproof.suites.relay.observation.published import MEMBER, identity, payloads, publications
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act, Event, Transcript, kept
from bindproof.suites.relay.scenario.spelling import SANITIZERS

OF_EVENTS = (*SANITIZERS, "event.metadata")


class Emitted(Struct, eq=False):
    """reading: of the program as if nothing rewrote its events. given: an event's place → where it was given so."""

    reading: Reading
    given: dict[int, int]


def as_emitted(reading: Reading) -> Emitted:
    """Return the events as their first injectors or sanitizers were given them, payloads as sanitizers left them."""
    return _without(reading, OF_EVENTS, _first_given(reading.transcript))


def as_payloads(reading: Reading) -> Emitted:
    """Return starts and ends whose data are what the first sanitizer of a call's payload was given.

    Not where data stand in for a null answer.
    """
    before = _first_given(reading.transcript).by_place()
    given = {
        one.told[0]: (run.entered, {**before[one.told[0]], "data": run.given.get(MEMBER[run.part])})
        for one in payloads(reading.transcript)
        for run in one.runs[:1]
        if not is_of_a_stand_in(reading.transcript, one)
    }
    return _without(reading, (*OF_EVENTS, *MEMBER), _replaced(reading.transcript, given))


class _Replaced(Struct, eq=False):
    """Subscriber → its events, some as they were given. given: an event's place → where it was given so."""

    events: dict[str, list[Event]]
    given: dict[int, int]

    def by_place(self) -> dict[int, Json]:
        return {at: event for events in self.events.values() for at, event in events}


@kept
def _first_given(transcript: Transcript) -> _Replaced:
    """Return the events as what first looked at them was given them."""
    first = {one.told[0]: one.runs()[0] for one in publications(transcript) if one.runs()}
    return _replaced(transcript, {at: (run.entered, run.given["event"]) for at, run in first.items()})


def _replaced(transcript: Transcript, given: dict[int, Event]) -> _Replaced:
    """Return all events, with these in place of those that were told. given: place → where it was given, and what."""
    told = {at: event for events in transcript.events.values() for at, event in events}
    by_event = {identity(told[at]): event for at, event in given.items()}
    found = _Replaced({}, {})
    for subscriber, events in transcript.events.items():
        own = found.events[subscriber] = []
        for at, event in events:
            before = by_event.get(identity(event))
            if before is not None:
                found.given[at] = before[0]
            own.append((at, event if before is None else before[1]))
    return found


def _without(reading: Reading, rewriting: tuple[str, ...], replaced: _Replaced) -> Emitted:
    """Return the reading with these events, and without what is of these families."""
    acts = [act for act in reading.transcript.acts if not _registers(act, rewriting)]
    other = structs.replace(reading)
    as_it_was = reading.transcript
    other.__dict__["transcript"] = Transcript(acts, as_it_was.published, replaced.events, apart=as_it_was.apart)
    return Emitted(other, replaced.given)


def _registers(act: Act, families: tuple[str, ...]) -> bool:
    return act.step["step"] == "register" and act.step["family"] in families
