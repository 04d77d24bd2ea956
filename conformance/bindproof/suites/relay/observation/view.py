"""What happened, call by call: the normalised log ordered into the shape in which the chapters speak.

Enters: what a scenario's steps are, its normalised log, the dialect's spelling. Leaves: a View with calls, their
callbacks and events, in canonical names, and what several checks ask of them, worked out once. It states facts and
judges nothing; the reference is not asked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from bindproof.core.model import Json
from bindproof.spec.forms import Form
from bindproof.suites.relay.observation.calls import Call, Event, Invocation, Life, marks_of
from bindproof.suites.relay.observation.once import once
from bindproof.suites.relay.observation.story import Story, story
from bindproof.suites.relay.observation.streams import Stream, streams
from bindproof.suites.relay.scenario.callbacks import inner_steps
from bindproof.suites.relay.scenario.complete import all_steps
from bindproof.suites.relay.scenario.raw import Raw
from bindproof.suites.relay.scenario.rules.program import words
from bindproof.suites.relay.scenario.spelling import Spelling

PLAIN_STEPS = ("register", "call", "helper", "flush", "raw")

__all__ = ["Call", "Event", "Invocation", "Life", "View", "marks_of", "view"]


@dataclass(eq=False)
class View:
    """One observation, ready to be judged.

    log and raw: the same records, normalised and as recorded. events: every event with its subscriber, in the order of
    the log. forms: name of a contract object → its form in the edition. raws: the raw steps that came back, in
    order. plain: there is nothing in the scenario but LLM calls, their helpers, global request intercepts and
    subscribers; else there are no calls here, and `story` alone tells what happened. unowned: events that belong to no
    call. intercepts: registration steps by callback id.
    """

    edition: str
    spelling: Spelling
    full: Json
    log: list[Json]
    raw: list[Json]
    calls: list[Call]
    events: list[tuple[str, Event]]
    unowned: list[tuple[str, Event]]
    intercepts: Mapping[str, Json]
    forms: Mapping[str, Form]
    raws: list[Raw]
    plain: bool = True

    @once
    def words(self) -> frozenset[str]:
        """What is in the scenario, in words (see `misfits.words`)."""
        return words(all_steps(self.full))

    @once
    def story(self) -> Story:
        """The program as it went: steps with the callbacks that ran in them, and the events."""
        return story(self.full, self.log, self.spelling)

    @once
    def streams(self) -> list[Stream]:
        """The stream calls as they went."""
        return streams(self.full, self.log)

    @once
    def managed(self) -> list[Call]:
        """The managed calls."""
        return [call for call in self.calls if not call.helper]

    @once
    def provided(self) -> list[Call]:
        """The managed calls that reached their provider."""
        return [call for call in self.managed if call.providers]

    @once
    def coded(self) -> list[Call]:
        """The managed calls with a codec."""
        return [call for call in self.calls if call.codec]

    @once
    def scripted(self) -> list[Call]:
        """The managed calls whose codec is scripted: what it was given and said is on record."""
        return [call for call in self.coded if isinstance(call.step["codec"], dict)]

    @once
    def builtin(self) -> list[Call]:
        """The managed calls whose codec is a built-in one."""
        return [call for call in self.coded if isinstance(call.step["codec"], str)]

    @once
    def helpers(self) -> list[Call]:
        """The standalone helpers."""
        return [call for call in self.calls if call.helper]

    @once
    def lived(self) -> list[tuple[Call, str, Life]]:
        """Each call whose interception succeeded with each subscriber of its audience and what that was told."""
        return [
            (call, subscriber, call.lives.get(subscriber) or Life())
            for call in self.managed
            if call.intercepted
            for subscriber in call.audience
        ]

    @once
    def marked(self) -> list[tuple[Call, str, Life]]:
        """The lives of calls whose intercepts stated marks."""
        return [(call, subscriber, life) for call, subscriber, life in self.lived if call.pending_marks]

    @once
    def matched_marks(self) -> list[tuple[str, Json, Event]]:
        """Marks beside their events: the n-th mark of a name with the n-th event of that name."""
        found = []
        for call, subscriber, life in self.marked:
            waiting = list(life.marks)
            for mark in call.pending_marks:
                name = mark.get("name")
                for at, event in enumerate(waiting):
                    if event[1].get("name") == name:
                        found.append((subscriber, mark, waiting.pop(at)))
                        break
        return found

    @once
    def replies(self) -> list[tuple[Call, Invocation]]:
        """Every reply of every intercept with the call that it belongs to."""
        return [(call, one) for call in self.calls for one in call.intercepts if one.replied]

    @once
    def followed(self) -> list[tuple[Call, Invocation, Invocation]]:
        """Each intercept with its call and the intercept that ran after it."""
        return [
            (call, one, after)
            for call in self.calls
            if len(call.intercepts) > 1
            for one, after in zip(call.intercepts, call.intercepts[1:], strict=False)
        ]


def view(
    full: Json,
    log: list[Json],
    raw: list[Json],
    edition: str,
    spelling: Spelling,
    forms: Mapping[str, Form],
) -> View:
    """Order a normalised log into calls.

    Program records belong to the top-level step that is done next. LLM scopes are given to the calls of their name that
    reached the provider, first come first served; surplus ones to calls that should have none; marks by their parent.
    """
    if not is_plain(full):
        told = [(r["subscriber"], (index, r["event"])) for index, r in enumerate(log) if r["fact"] == "event"]
        return View(edition, spelling, full, log, raw, [], told, told, {}, forms, [], plain=False)
    builder = _Builder(full, spelling)
    events: list[tuple[str, Event]] = []
    for index, record in enumerate(log):
        fact = record["fact"]
        if fact == "event":
            events.append((record["subscriber"], (index, record["event"])))
        elif fact == "enter":
            builder.enter(index, record)
        elif fact == "done":
            builder.done(index, record)
        elif fact == "measure":
            builder.measure(index, record)
        elif fact != "settled":
            builder.leave(index, record)
    builder.finish()
    unowned = _give_events(events, builder.calls) if events else []
    return View(
        edition, spelling, full, log, raw, builder.calls, events, unowned, builder.intercepts, forms, builder.raws
    )


def is_plain(full: Json) -> bool:
    """Tell whether a scenario has no more than LLM calls, helpers, global request intercepts and subscribers in it."""
    return all(step["step"] in PLAIN_STEPS and _is_plain_step(step) for step in all_steps(full))


def _is_plain_step(step: Json) -> bool:
    if step["step"] == "register":
        return bool(step["family"] in ("subscriber", "llm.request") and step["scope"] == "global" and not step["odd"])
    if step["step"] == "call":
        ours = step["kind"] == "llm" and not step["background"]
        return bool(ours and step["metadata"] is None and step["parent"] is None)
    return bool(step["step"] != "helper" or step["kind"] == "llm.request")


class _Builder:
    """Reads the program's records in order."""

    def __init__(self, full: Json, spelling: Spelling) -> None:
        self.spelling = spelling
        self.steps: dict[str, Json] = {}
        for step in full["steps"]:
            for inner in inner_steps(step):
                self.steps[inner["as"]] = inner
        for step in full["steps"]:
            self.steps[step["as"]] = step
        self.intercepts = {key: step for key, step in self.steps.items() if step.get("family") == "llm.request"}
        self.queue = deque([step for step in full["steps"] if step["step"] in ("call", "helper")])
        self.calls: list[Call] = []
        self.subscribers: list[str] = []
        self.current: Call | None = None
        self.open: dict[tuple[str, int], Invocation] = {}
        self.raws: list[Raw] = []

    def enter(self, index: int, record: Json) -> None:
        """Add the entry of a callback."""
        call = self.current or self._call()
        callback, raw = record["callback"], record["given"]
        part = "intercept" if callback in self.intercepts else callback.rpartition(".")[2]
        one = Invocation(callback, index, self._given(part, raw), raw)
        self.open[callback, record["k"]] = one
        if call is None:
            return
        if part == "intercept":
            call.intercepts.append(one)
        elif part == "provider":
            call.providers.append(one)
        elif part == "decode":
            call.decodes.append(one)
        elif part == "encode":
            call.encodes.append(one)

    def leave(self, index: int, record: Json) -> None:
        """Add a callback's reply, what it raised, or the binding's refusal to build its reply."""
        one = self.open.get((record["callback"], record["k"]))
        if one is None:
            return
        one.left = index
        one.refused = record["fact"] == "refused"
        one.raised = record.get("raised")
        if "reply" in record:
            one.replied, one.raw_reply = True, record["reply"]
            intercept = one.callback in self.intercepts
            one.reply = self.spelling.canonical_reply(one.raw_reply) if intercept else one.raw_reply

    def done(self, index: int, record: Json) -> None:
        """Add the end of a step."""
        step = self.steps.get(record["step"])
        if step is None:
            return
        if step["step"] == "register":
            if step["family"] == "subscriber" and "error" not in record:
                self._subscribed(step["as"])
        elif step["step"] == "raw":
            self.raws.append(Raw(step, index, record.get("value"), record.get("error")))
        elif step["step"] != "flush":
            call = self.current or self._call()
            if call is not None:
                call.done, call.error, call.raw_value = index, record.get("error"), record.get("value")
                call.value = self.spelling.canonical_helper(call.raw_value) if call.helper else call.raw_value
                self.calls.append(call)
                self.current = None

    def measure(self, index: int, record: Json) -> None:
        """Add what was measured of a raw step."""
        for raw in self.raws:
            if raw.step["as"] == record["name"]:
                raw.measured, raw.facts = index, record["value"]

    def finish(self) -> None:
        """Close a call that was never done."""
        if self.current is not None:
            self.calls.append(self.current)

    def _call(self) -> Call | None:
        if self.queue:
            step = self.queue.popleft()
            helper = step["step"] == "helper"
            codec = not helper and step["codec"] != "none"
            self.current = Call(step, helper, codec, audience=list(self.subscribers))
        return self.current

    def _given(self, part: str, raw: Json) -> Json:
        if part == "intercept":
            return self.spelling.canonical_argument(raw)
        return self.spelling.canonical_encode(raw) if part == "encode" else raw

    def _subscribed(self, subscriber: str) -> None:
        self.subscribers.append(subscriber)
        if self.current is not None:
            late = bool(self.current.providers)
            (self.current.latecomers if late else self.current.audience).append(subscriber)


def _give_events(found: list[tuple[str, Event]], calls: list[Call]) -> list[tuple[str, Event]]:
    """Give each event to the call that it is about; returns those that are about none."""
    owners = _owners(found, calls)
    started: dict[str, Call] = {}
    unowned: list[tuple[str, Event]] = []
    for subscriber, placed in found:
        event = placed[1]
        scope = event.get("kind") == "scope"
        owner = owners.get(event.get("uuid") if scope else event.get("parent_uuid"))
        if owner is None and not scope:
            owner = started.get(subscriber)
        if owner is None:
            unowned.append((subscriber, placed))
            continue
        life = owner.lives.get(subscriber)
        if life is None:
            life = owner.lives[subscriber] = Life()
        if not scope:
            life.marks.append(placed)
        elif event.get("scope_category") == "start":
            started[subscriber] = owner
            life.starts.append(placed)
        else:
            life.ends.append(placed)
    return unowned


def _owners(events: list[tuple[str, Event]], calls: list[Call]) -> dict[Json, Call]:
    """LLM scope → the call that it is of.

    The first of its name that has none, and whose audience has the subscriber.
    """
    managed = [call for call in calls if not call.helper]
    waiting = [call for call in managed if call.providers] + [call for call in managed if not call.providers]
    owners: dict[Json, Call] = {}
    for subscriber, (_, event) in events:
        if event.get("kind") != "scope" or event.get("category") != "llm" or event.get("uuid") in owners:
            continue
        named = [call for call in waiting if call.step["name"] == event.get("name")]
        owner = next((call for call in named if subscriber in call.audience), named[0] if named else None)
        if owner is not None:
            waiting.remove(owner)
            owners[event.get("uuid")] = owner
    return owners
