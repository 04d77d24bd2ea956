"""What ran when one event was published, beside the event as it was told: facts about a transcript.

Enters: a Transcript. Leaves: publications, and the chains of call sanitizers. It judges nothing.
"""

from __future__ import annotations

from collections import deque
from operator import itemgetter

from msgspec import Struct, field

from bindproof.core.model import Json
from bindproof.suites.relay.observation.deliveries import lives
from bindproof.suites.relay.observation.scopes import effective, end_of, registrations
from bindproof.suites.relay.observation.spans import started
from bindproof.suites.relay.observation.streams import streams
from bindproof.suites.relay.observation.transcript import Act, Entry, Event, Transcript, kept
from bindproof.suites.relay.scenario.spelling import SANITIZERS

FIELDS = ("data", "category_profile", "metadata")


class Publication(Struct, eq=False):
    """The injectors and sanitizers that one event went through, in order, and the event as a subscriber was told it."""

    told: Event
    injectors: list[Entry] = field(default_factory=list)
    sanitizers: list[Entry] = field(default_factory=list)

    def runs(self) -> list[Entry]:
        """All that ran, in the order of the log."""
        return sorted(self.injectors + self.sanitizers, key=lambda run: run.entered)


@kept
def publications(transcript: Transcript) -> list[Publication]:
    """Return what each event that a subscriber was told went through; each event once, as first told."""
    found: dict[Json, Publication] = {}
    for events in transcript.events.values():
        for told in events:
            found.setdefault(identity(told[1]), Publication(told))
    runs = [(run, event) for run in transcript.published if isinstance(event := run.given.get("event"), dict)]
    if not runs:
        return list(found.values())
    looks = {(identity(event), run.callback) for run, event in runs}
    looked_at = {key for key, _ in looks}
    strange = {_named(one.told[1]): one for key, one in reversed(found.items()) if key not in looked_at}
    at_once: dict[Json, list[Publication]] = {}
    for one in found.values():
        for moment in _moments(one.told[1]):
            at_once.setdefault(moment, []).append(one)
    for run, event in runs:
        near = (other for moment in _moments(event) for other in at_once.get(moment, ()))
        # A callback looks at an event once: where it did, it is another that this look is of.
        now = next((other for other in near if (identity(other.told[1]), run.callback) not in looks), None)
        its = found.get(identity(event)) or now or strange.get(_named(event))
        if its is not None:
            (its.sanitizers if run.part in SANITIZERS else its.injectors).append(run)
    return list(found.values())


def _named(event: Json) -> Json:
    """Return what tells which event one is whose uuid is told otherwise than its callbacks were given it."""
    return repr([event.get(key) for key in ("kind", "scope_category", "name")])  # of any form, and a key


def _moments(event: Json) -> list[Json]:
    """Return what tells which event one is, of which one member alone is told otherwise."""
    time = repr(event.get("timestamp"))
    return [(time, repr(event.get("uuid"))), (time, _named(event))]


def identity(event: Json) -> str:
    """Return what tells one event from all others: its uuid, and whether it is a start or an end."""
    return repr([event.get("uuid"), event.get("scope_category")])


class Payload(Struct, eq=False):
    """A chain of call sanitizers as it ran for one start or end: the call, the callbacks, the event as it was told."""

    act: Act
    runs: list[Entry]
    told: Event


MEMBER = {
    "llm.sanitize_request": "request",
    "llm.sanitize_response": "response",
    "tool.sanitize_request": "args",
    "tool.sanitize_response": "result",
}
"""Family → the member of what it is given that is the payload."""


@kept
def payloads(transcript: Transcript) -> list[Payload]:
    """Return the chains of call sanitizers, each with the start or end that shows what it left.

    A family's sanitizers run in the order in which the events are emitted, for each those that are registered then. Of
    a stream that was not read to its end it is not known when that is emitted, so where there is one nothing is said
    of responses; nor where an LLM call failed that has data, which some editions sanitize (EVT-047), beside others.
    Nor is anything said where steps by hand are sanitized apart, and a managed call comes behind one.
    """
    found: list[Payload] = []
    for family in [family for family in MEMBER if registrations(transcript, family)]:
        runs = deque(run for run in transcript.published if run.part == family)
        events = _emitted(transcript, family) if runs else []
        if transcript.apart and _overtaking([act for act, _, _ in events]):
            continue
        emitted = [
            (act, told, {one.step["as"] for one in effective(transcript, family, at)}) for act, at, told in events
        ]
        later = deque(there for _, _, there in emitted if there)
        for act, told, there in emitted:
            if there:
                later.popleft()
            chain = _chain(runs, there, later, told)
            if chain and told is not None:
                found.append(Payload(act, chain, told))
    return found


def rewriting(transcript: Transcript, act: Act) -> list[Entry]:
    """Return what ran for what is told of a call: the sanitizers of its payloads, and those that its events were given
    to.
    """
    told = {at for life in lives(transcript, act).values() for at, _ in life.events()}
    runs = [run for one in payloads(transcript) if one.act is act for run in one.runs]
    return runs + [run for one in publications(transcript) if one.told[0] in told for run in one.runs()]


def passes(run: Entry) -> bool:
    """Tell whether a call's sanitizer replied with a payload."""
    if not run.returned or (run.part.startswith("llm.") and run.reply is None):
        return False
    return run.part != "llm.sanitize_request" or _is_request(run.reply)


def _is_request(reply: Json) -> bool:
    return isinstance(reply, dict) and isinstance(reply.get("headers"), dict) and "content" in reply


def _chain(runs: deque[Entry], there: set[str], later: deque[set[str]], told: Event | None) -> list[Entry]:
    """Take the callbacks of one event off those that ran: each at most once.

    later: who is registered at each event to come, where anybody is. Behind one that failed another may be due, or is
    the first of the next event: it is that where no more are left than such events, where all that is left is what
    they are due, or where the event was told before.
    """
    chain: list[Entry] = []
    left = set(there)
    while runs and runs[0].step["as"] in left:
        if chain and not passes(chain[-1]) and ((told is not None and told[0] < runs[0].entered) or _due(runs, later)):
            break
        left.discard(runs[0].step["as"])
        chain.append(runs.popleft())
    return chain


def _due(runs: deque[Entry], events: deque[set[str]]) -> bool:
    """Tell whether what is left to run may be of the events to come: there are no more, or it is what is due at each.

    Due are all who are registered, until one fails.
    """
    if len(runs) <= len(events):
        return True
    left = deque(runs)
    for there in events:
        due = set(there)
        while due and left and left[0].step["as"] in due:
            run = left.popleft()
            due = due - {run.step["as"]} if passes(run) else set()
        if due:
            return False
    return not left


def _overtaking(acts: list[Act]) -> bool:
    """Tell whether a managed call is behind a step by hand."""
    steps = [act.step["step"] for act in acts]
    return "start" in steps and "call" in steps[steps.index("start") :]


def _emitted(transcript: Transcript, family: str) -> list[tuple[Act, int, Event | None]]:
    """Return what emits the events of a family's payloads, in order: the step, where, and the event as it was told."""
    kind, _, phase = family.partition(".")
    begun = started(transcript, kind)
    if phase == "sanitize_request":
        return [(act, act.started_at, _first(transcript, act, "start")) for act in begun]
    read_out = {stream.act: stream.read_out() for stream in streams(transcript)}
    if kind == "llm" and (failed := failed_with_data(transcript)):
        return [(act, act.done or 0, _first(transcript, act, "end")) for act in failed] if len(begun) == 1 else []
    if kind == "llm" and None in read_out.values():
        return []
    ended = [(act, read_out.get(act, end_of(transcript, act))) for act in begun if act.error is None]
    return sorted([(act, at, _first(transcript, act, "end")) for act, at in ended if at is not None], key=itemgetter(1))


def failed_with_data(transcript: Transcript) -> list[Act]:
    """Return the managed LLM calls that failed, without an answer or a stream, and have data."""
    read = {stream.act for stream in streams(transcript) if (outer := stream.outermost()) and outer.raised is None}
    calls = [act for act in started(transcript, "llm") if act.step["step"] == "call" and act not in read]
    return [act for act in calls if act.error is not None and act.step["data"] is not None]


def _first(transcript: Transcript, act: Act, phase: str) -> Event | None:
    """Return the start or end of a step as it was told first."""
    own = [life.starts if phase == "start" else life.ends for life in lives(transcript, act).values()]
    return min((events[0] for events in own if events), key=itemgetter(0), default=None)
