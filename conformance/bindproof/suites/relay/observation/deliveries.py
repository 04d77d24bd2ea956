"""Who was told what: to each step the events that are of it, for each subscriber, whatever else is in the scenario.

A scope event is of the step that its uuid was first told of: by category and name, those that started in their order,
those that were there to be told first. A mark is of what stated it: a call's pending mark, a step, a rejection. It is
found by its parent and its name, and where its parent is another's by its name alone, so that a mark under a wrong
parent is still that mark. What is left over has no owner.

Enters: a Transcript. Leaves: what each subscriber was told of each step. It states facts and judges nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from operator import itemgetter

from msgspec import Struct, field

from bindproof.core.model import Json, same
from bindproof.suites.relay.observation.outcomes import accepted_marks, rejection
from bindproof.suites.relay.observation.scopes import audience, registrations
from bindproof.suites.relay.observation.transcript import Act, Event, Transcript, kept

CHUNK_MARK = "llm.chunk"
"""The name of the mark that each chunk of a stream leaves."""

CONTRIBUTION_MARK = "nemo_relay.llm.optimization"
"""The name of the mark that tells of a contribution (CTR-003)."""

MANAGED_LLM = ("llm", "llm_stream")


class Life(Struct, eq=False):
    """What one subscriber was told of one step: its start, its ends, and the marks that are of it."""

    starts: list[Event] = field(default_factory=list)
    ends: list[Event] = field(default_factory=list)
    marks: list[Event] = field(default_factory=list)
    """Those that its callbacks stated, and those that nobody did and that name it as parent."""
    chunks: list[Event] = field(default_factory=list)
    """The marks that tell of chunks."""
    contributions: list[Event] = field(default_factory=list)
    """The marks that tell what its intercepts saved."""
    pending: list[tuple[Json, Event | None]] = field(default_factory=list)
    """Each mark that was stated beside the event that it became, or None."""

    def events(self) -> list[Event]:
        """Return all events, in the order of the log."""
        return sorted(self.starts + self.marks + self.chunks + self.contributions + self.ends, key=itemgetter(0))


class Deliveries(Struct, eq=False):
    """lives: what each subscriber was told of each step that starts something. marked: the event of a step `mark`.

    rejected: the mark of a call that a conditional rejected. unowned: the events that are of nothing.
    """

    lives: dict[Act, dict[str, Life]] = field(default_factory=dict)
    marked: dict[Act, dict[str, Event]] = field(default_factory=dict)
    rejected: dict[Act, dict[str, Event]] = field(default_factory=dict)
    unowned: list[tuple[str, Event]] = field(default_factory=list)

    def life(self, act: Act, subscriber: str) -> Life:
        """Return what a subscriber was told of a step, to be added to."""
        return self.lives.setdefault(act, {}).setdefault(subscriber, Life())


class _Stated(Struct, eq=False):
    """A mark that is due: by which step, for which the call's uuid is the parent, and what was stated of it."""

    act: Act
    name: Json
    mark: Json = None
    pending: bool = False


@kept
def deliveries(transcript: Transcript) -> Deliveries:
    """Return who was told what."""
    found = Deliveries()
    owners = _owners(transcript, found)
    due = _due(transcript)
    for subscriber, events in transcript.events.items():
        marks = [event for event in events if event[1].get("kind") != "scope"]
        if marks or due:
            _give_marks(transcript, subscriber, marks, due, owners, found)
    found.unowned.sort(key=lambda one: one[1][0])
    return found


def sort_of(act: Act) -> tuple[Json, Json]:
    """Return category and name of what a step starts: a scope's type, or the kind of a call."""
    kind = act.step["kind"]
    return act.step["type"] if kind == "scope" else kind.removesuffix("_stream"), act.step["name"]


def _owners(transcript: Transcript, found: Deliveries) -> dict[Json, Act]:
    """Give each scope event to the step that it is of; return the steps by uuid."""
    waiting: dict[tuple[Json, Json], list[Act]] = defaultdict(list)
    starting = [act for act in transcript.acts if act.step["step"] in ("call", "start") and act.step["kind"]]
    begun = sorted([act for act in starting if act.started], key=lambda act: act.started_at)
    for act in (*begun, *(act for act in starting if not act.started)):
        waiting[sort_of(act)].append(act)
    owners: dict[Json, Act] = {}
    scopes = [one for one in _in_order(transcript) if one[1][1].get("kind") == "scope"]
    starts = [one for one in scopes if one[1][1].get("scope_category") == "start"]
    ends = [one for one in scopes if one[1][1].get("scope_category") != "start"]
    loose = [one for one in (*starts, *ends) if not _given(transcript, *one, waiting, owners, found)]
    by_name = _by_name(waiting)
    for subscriber, event in loose:
        event_by_name = event[1] | {"category": None}
        if not _given(transcript, subscriber, event, by_name, owners, found, event_by_name):
            found.unowned.append((subscriber, event))
    return owners


def _given(
    transcript: Transcript,
    subscriber: str,
    event: Event,
    waiting: dict[tuple[Json, Json], list[Act]],
    owners: dict[Json, Act],
    found: Deliveries,
    named: Json = None,
) -> bool:
    """Give a scope event to the step whose uuid it has, else to the first that waits; tell whether there is one."""
    told, named = event[1], named or event[1]
    uuid, sort = told.get("uuid"), (named.get("category"), named.get("name"))
    owner = owners.get(uuid) or _first(transcript, waiting.get(sort, []), subscriber)
    if owner is None:
        return False
    owners[uuid] = owner
    life = found.life(owner, subscriber)
    (life.starts if told.get("scope_category") == "start" else life.ends).append(event)
    return True


def _by_name(waiting: dict[tuple[Json, Json], list[Act]]) -> dict[tuple[Json, Json], list[Act]]:
    """Return the steps that still wait by their name alone: an event of theirs may have a wrong category."""
    found: dict[tuple[Json, Json], list[Act]] = defaultdict(list)
    for (_, name), acts in waiting.items():
        found[None, name] += acts
    return found


def _in_order(transcript: Transcript) -> list[tuple[str, Event]]:
    """Return all events in the order of the log, each with its subscriber."""
    if len(transcript.events) == 1:
        return [(subscriber, event) for subscriber, events in transcript.events.items() for event in events]
    found = [(subscriber, event) for subscriber, events in transcript.events.items() for event in events]
    return sorted(found, key=lambda one: one[1][0])


def _first(transcript: Transcript, waiting: list[Act], subscriber: str) -> Act | None:
    """Take the first step that waits to be told of, of those that the subscriber was there for where there are some.

    Else the first that was not over when the subscriber came: some editions tell it of the end of that.
    """
    came = next(
        (act.done or 0 for act, _ in registrations(transcript, "subscriber") if act.step["as"] == subscriber), 0
    )
    there = (act for act in waiting if subscriber in audience(transcript, act))
    going_on = (act for act in waiting if act.done is None or act.step["step"] != "call" or act.done > came)
    act = next(there, None) or next(going_on, None) or next(iter(waiting), None)
    if act is not None:
        waiting.remove(act)
    return act


def _due(transcript: Transcript) -> list[_Stated]:
    """Return the marks that are due, in the order in which they are stated."""
    found: list[_Stated] = []
    for act in transcript.acts:
        match act.step["step"]:
            case "mark" if act.error is None:
                found.append(_Stated(act, act.step["name"]))
            case "call":
                found += [_Stated(act, mark.get("name"), mark, True) for mark in accepted_marks(act)]
                if rejection(act) is not None:
                    found.append(_Stated(act, act.step["name"]))
    return found


def _give_marks(
    transcript: Transcript,
    subscriber: str,
    marks: list[Event],
    due: list[_Stated],
    owners: dict[Json, Act],
    found: Deliveries,
) -> None:
    """Give each mark that a subscriber was told to what stated it, or to the call that it names as parent."""
    taken = _matched(transcript, subscriber, marks, due, owners)
    for stated, event in zip(due, taken, strict=True):
        act = stated.act
        if event is None and subscriber not in audience(transcript, act):
            continue
        if stated.pending:
            life = found.life(act, subscriber)
            life.pending.append((stated.mark, event))
            life.marks += [] if event is None else [event]
        elif event is not None:
            (found.marked if act.step["step"] == "mark" else found.rejected).setdefault(act, {})[subscriber] = event
    given = {event[0] for event in taken if event is not None}
    for event in marks:
        if event[0] in given:
            continue
        parent = owners.get(event[1].get("parent_uuid"))
        if parent is None:
            found.unowned.append((subscriber, event))
        else:
            life = found.life(parent, subscriber)
            _marks_of_a_kind(life, parent, event[1].get("name")).append(event)
    for lives in found.lives.values():
        if subscriber in lives:
            lives[subscriber].marks.sort(key=itemgetter(0))


def _marks_of_a_kind(life: Life, act: Act, name: Json) -> list[Event]:
    """Return where a mark of this name belongs that names a step as its parent, and that nobody stated."""
    if act.step["kind"] == "llm_stream" and name == CHUNK_MARK:
        return life.chunks
    if act.step["step"] == "call" and act.step["kind"] in MANAGED_LLM and name == CONTRIBUTION_MARK:
        return life.contributions
    return life.marks


def _matched(
    transcript: Transcript, subscriber: str, marks: list[Event], due: list[_Stated], owners: dict[Json, Act]
) -> list[Event | None]:
    """Return the event of each mark that is due, or None: first under its own call, then wherever one of its name is.

    A step's own mark has no call as parent, and a rejection's has none. What a subscriber is due comes first: one that
    came later is told of nothing before.
    """
    taken: list[Event | None] = [None] * len(due)
    left = dict.fromkeys(range(len(marks)))
    expected = [subscriber in audience(transcript, stated.act) for stated in due]
    for there, fits in (*((True, fits) for fits in (_is_own, _says_the_same, _has_its_name)), (False, _is_own)):
        for at, stated in enumerate(due):
            if taken[at] is not None or expected[at] is not there:
                continue
            index = next((index for index in left if fits(stated, marks[index][1], owners)), None)
            if index is not None:
                taken[at] = marks[index]
                del left[index]
        if not left:
            break
    return taken


def _has_its_name(stated: _Stated, event: Json, owners: dict[Json, Act]) -> bool:
    return bool(event.get("name") == stated.name)


def _says_the_same(stated: _Stated, event: Json, owners: dict[Json, Act]) -> bool:
    mark = stated.mark if stated.pending else stated.act.step
    return _has_its_name(stated, event, owners) and same(event.get("data"), mark.get("data"))


def _is_own(stated: _Stated, event: Json, owners: dict[Json, Act]) -> bool:
    if not _has_its_name(stated, event, owners):
        return False
    parent = owners.get(event.get("parent_uuid"))
    return parent is stated.act if stated.pending else parent is None or parent.step["step"] != "call"


def lives(transcript: Transcript, act: Act) -> dict[str, Life]:
    """Return what each subscriber was told of a step."""
    return deliveries(transcript).lives.get(act, {})


def everyone(transcript: Transcript, acts: list[Act]) -> Iterator[tuple[Act, str, Life]]:
    """Yield each of these steps with each subscriber that was there when it started, and what that was told of it."""
    for act in acts:
        own = lives(transcript, act)
        for subscriber in sorted(audience(transcript, act)):
            yield act, subscriber, own.get(subscriber) or Life()
