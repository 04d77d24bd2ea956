"""The program of a scenario as it went: what each step ran, one thing inside the other, and what was told of it.

Enters: a complete scenario, the records of its normalised log. Leaves: a Story in canonical names: the one reading of
an observation, which all checks and planted faults ask. It states facts and judges nothing; the reference is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from msgspec import UNSET

from bindproof.core.model import Json
from bindproof.suites.relay.observation import records
from bindproof.suites.relay.observation.once import once
from bindproof.suites.relay.observation.records import Record
from bindproof.suites.relay.scenario.callbacks import BESIDE, PUBLISHED, callback_named, callback_of
from bindproof.suites.relay.scenario.complete import all_steps
from bindproof.suites.relay.scenario.rules.plugins import raises
from bindproof.suites.relay.scenario.spelling import SANITIZERS, Spelling

ENTERED = ("call", "helper", "install")
"""Steps of the program in which callbacks run."""

EXECUTING = ("provider", "source", "llm.execution", "llm.stream", "tool.execution")
"""The parts of a call that run once it has started."""

Event = tuple[int, Json]
"""Where an event stands in the log, and the event."""


@dataclass(eq=False, slots=True)
class Entry:
    """One entry of a callback, to its end.

    part: a family, or `provider`, `source`, `collector`, `finalizer`, `decode`, `encode`, `install`. step: what
    registered it, or the call that it is of. given and reply are canonical, the raw ones as they were recorded. left:
    where its `leave` or `refused` record is. refused: the binding's own constructor would not take the reply, so it was
    never returned. told: where it was told that its call is cancelled. inside: what it ran. asked: what it went on with
    by `next`, in order. chunks: what it handed over, with places; over: where its stream ended, and how.
    """

    callback: str
    k: int
    part: str
    step: Json
    entered: int
    given: Json
    raw_given: Json
    left: int | None = None
    replied: bool = False
    reply: Json = None
    raw_reply: Json = None
    raised: str | None = None
    refused: bool = False
    told: list[int] = field(default_factory=list)
    inside: list[Entry] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    chunks: list[tuple[int, Json]] = field(default_factory=list)
    over: tuple[int, records.Over] | None = None

    def unasked(self) -> Iterator[Entry]:
        """Yield this entry and all that ran inside it, but for what it went on to by `next`, in order of entry."""
        yield self
        for entry in self.inside:
            yield from entry.unasked()

    def values(self) -> list[Json]:
        """Return the chunks that it handed over."""
        return [value for _, value in self.chunks]

    def ended(self) -> bool:
        """Tell whether its stream came to its own end."""
        return self.over is not None and self.over[1].how == "ended"

    def refusals(self) -> list[Json]:
        """Return the errors that it got when it went on."""
        return [asked.error for asked in self.asked if asked.error is not None]


@dataclass(eq=False, slots=True)
class Asked:
    """One `next`: where, with what, what ran in it, and the answer or the error."""

    at: int
    argument: Json
    answered: int | None = None
    value: Json = None
    error: Json = None
    inside: list[Entry] = field(default_factory=list)


@dataclass(eq=False)
class Act:
    """One step as it went, also one inside a callback (`within`). began: where the log stood when it began.

    runs: the callbacks that it entered itself, in order. reads: what the reader of a stream got, with places. stood: a
    callback of it stood at a latch when it was done. plugin: the step that installed the plugin which it registers for,
    or whose end takes it back. measured: where a raw step was measured; facts: what was.
    """

    step: Json
    began: int
    done: int | None = None
    value: Json = None
    error: Json = None
    runs: list[Entry] = field(default_factory=list)
    reads: list[tuple[int, Json]] = field(default_factory=list)
    within: Entry | None = None
    stood: bool = False
    plugin: str = ""
    measured: int | None = None
    facts: Json = None

    @property
    def code(self) -> Json:
        """The status that a raw step failed with, None where it did not."""
        return None if self.error is None else self.error.get("code")

    @once
    def _unasked(self) -> list[Entry]:
        return [inner for run in self.runs for inner in run.unasked()]

    @once
    def everything(self) -> list[Entry]:
        """All callbacks that ran in the step, also those that others went on to by `next`."""
        found = list(self.runs)
        for run in found:  # grows while it is read
            found += [*run.inside, *(inner for asked in run.asked for inner in asked.inside)]
        return found

    def all(self) -> list[Entry]:
        """Return all callbacks that ran in the step, also those that others went on to by `next`."""
        return self.everything

    def of(self, *parts: str) -> list[Entry]:
        """Return the callbacks of these parts that ran in the step and none went on to by `next`, in order of entry."""
        return [run for run in self._unasked if run.part in parts]

    @once
    def executions(self) -> list[Entry]:
        """The outermost callbacks of the step's execution, in order of entry: what it comes to after interception."""
        return [run for run in self.runs if run.part in EXECUTING]

    @once
    def started(self) -> bool:
        """Whether the step got as far as its start: a call does when its interception succeeded."""
        if self.step["step"] == "call":
            return bool(self.executions) or (self.done is not None and self.error is None)
        return self.step["step"] == "start" and self.error is None

    @once
    def started_at(self) -> int:
        """Where in the log the step had not started yet, and nothing that came later had."""
        runs = self.executions if self.step["step"] == "call" else []
        return runs[0].entered if runs else self.done or 0


@dataclass(eq=False)
class Story:
    """acts: every step that was done, in the order of the log. published: what ran when events were published.

    Where a plugin goes, or is not installed after all, a `deregister` for each of its registrations comes before that.
    events: what each subscriber was told, in order. memo: what was worked out of it, by what did (see `kept`).
    """

    acts: list[Act]
    published: list[Entry]
    events: dict[str, list[Event]]
    memo: dict[Any, Any] = field(default_factory=dict)

    def calls(self, kind: str) -> list[Act]:
        """Return the managed calls of a kind."""
        return self._calls.get(kind, [])

    @once
    def _calls(self) -> dict[str, list[Act]]:
        found: dict[str, list[Act]] = {}
        for act in self.acts:
            if act.step["step"] == "call":
                found.setdefault(act.step["kind"], []).append(act)
        return found

    @once
    def steps(self) -> dict[str, list[Act]]:
        """The acts by the kind of their steps."""
        found: dict[str, list[Act]] = {}
        for act in self.acts:
            found.setdefault(act.step["step"], []).append(act)
        return found

    def of_kind(self, kind: str) -> list[Act]:
        """Return the acts of the steps of a kind, in order."""
        return self.steps.get(kind, [])

    @once
    def working(self) -> list[Act]:
        """The calls and helpers in which something ran. What ran outside any is of none (LIF-022)."""
        return [act for act in self.acts if act.step["step"] in ("call", "helper") and act.step["as"] and act.runs]


Rest = ParamSpec("Rest")
Result = TypeVar("Result")


def kept(
    work: Callable[Concatenate[Story, Rest], Result],
) -> Callable[Concatenate[Story, Rest], Result]:
    """Return the same function of a story, whose result is worked out once and kept with the story."""

    @wraps(work)
    def once_worked_out(story: Story, *args: Rest.args, **kwargs: Rest.kwargs) -> Result:
        key = (work, *args)
        if key not in story.memo:
            story.memo[key] = work(story, *args, **kwargs)
        result: Result = story.memo[key]
        return result

    return cast(Callable[Concatenate[Story, Rest], Result], once_worked_out)


def story(full: Json, log: list[Record], spelling: Spelling) -> Story:
    """Read a normalised log. What does not nest, such as an entry that never leaves, is kept as far as it went."""
    return _Reader(full, spelling).read(log)


def _failed(install: Act) -> bool:
    """Tell whether a plugin is not installed, or should not be: its callback raises."""
    return install.error is not None or raises(install.step)


class _Reader:
    def __init__(self, full: Json, spelling: Spelling) -> None:
        self.spelling = spelling
        self.steps = {step["as"]: step for step in all_steps(full)}
        self.registered = {callback_of(step): step for step in self.steps.values() if step["step"] == "register"}
        self.program = [step for step in full["steps"] if step["step"] in ENTERED]
        self.acts: list[Act] = []
        self.by_step: dict[str, Act] = {}
        self.published: list[Entry] = []
        self.open: list[Entry | Asked] = []
        self.publishing: list[Entry] = []
        self.entered: dict[tuple[str, int], Entry] = {}
        self.current: Act | None = None
        self.standing: dict[tuple[str, int], tuple[Act | None, list[Entry | Asked]]] = {}

    def read(self, log: list[Record]) -> Story:
        events: dict[str, list[Event]] = {}
        readers = _READERS
        for index, record in enumerate(log):
            kind = type(record)
            if kind is records.Event:
                events.setdefault(record.subscriber, []).append((index, record.event))  # type: ignore[union-attr]
            elif kind in readers:
                readers[kind](self, index, record)
        self.acts += [act for act, _ in self.standing.values() if act is not None]
        if self.current is not None:
            self.acts.append(self.current)
        return Story(self.acts, self.published, events)

    def enter(self, index: int, record: records.Enter) -> None:
        """A callback is entered: at publication, beside the program, inside what is open, or in the step going on."""
        step, part, last = self._of(record.callback)
        entry = Entry(record.callback, record.k, part, step, index, self._given(part, record.given), record.given)
        self.entered[record.callback, record.k] = entry
        if last in PUBLISHED or (last == "decode" and record.k):
            self.published.append(entry)
            self.publishing.append(entry)
        elif last in BESIDE:
            act = self.by_step.get(step.get("as", "")) or self._act(index)
            act.runs.append(entry)
        else:
            (self.open[-1].inside if self.open else self._act(index).runs).append(entry)
            self.open.append(entry)

    def _of(self, callback: str) -> tuple[Json, str, str]:
        """Return what brought a callback, which part of that it is, and what of PARTS its id says."""
        step = self.registered.get(callback)
        name, last = callback_named(callback)
        if step is not None:
            return step, step["family"], last
        own = self.steps.get(name, {})
        return own, last or str(own.get("step", "")), last

    def _act(self, index: int) -> Act:
        """Return the call or helper that is going on."""
        if self.current is None:
            self.current = Act(self.program.pop(0) if self.program else {"as": "", "step": "call", "kind": ""}, index)
        return self.current

    def leave(self, index: int, record: records.Leave | records.Refused) -> None:
        """A callback is over."""
        entry = self._closed(record)
        if entry is None:
            return
        entry.left, entry.refused = index, type(record) is records.Refused
        if type(record) is records.Leave and record.raised is not UNSET:
            entry.raised = str(record.raised)
        if record.reply is not UNSET:
            entry.replied, entry.raw_reply = True, record.reply
            entry.reply = self._reply(entry.part, record.reply)

    def _closed(self, record: records.Leave | records.Refused) -> Entry | None:
        """Take what is over off what is open, with all that was open inside it."""
        last = callback_named(record.callback).part
        if last in BESIDE:
            return self.entered.get((record.callback, record.k))
        published = last in PUBLISHED or (last == "decode" and record.k)
        stack: list[Any] = self.publishing if published else self.open
        while stack:
            top = stack.pop()
            if isinstance(top, Entry) and top.callback == record.callback:
                return top
        return None

    def next(self, index: int, record: records.Next) -> None:
        """A callback goes on; one that has given its stream may do so beside the program."""
        entry = self.entered.get((record.callback, record.k))
        if entry is None:
            return
        asked = Asked(index, record.given)
        entry.asked.append(asked)
        if self.open and self.open[-1] is entry:
            self.open.append(asked)

    def answer(self, index: int, record: records.Answer) -> None:
        """Going on is over."""
        entry = self.entered.get((record.callback, record.k))
        if entry is None or not entry.asked:
            return
        asked = entry.asked[-1]
        asked.answered = index
        asked.value = None if record.value is UNSET else record.value
        asked.error = None if record.error is UNSET else record.error
        if asked in self.open:
            del self.open[self.open.index(asked) :]

    def wait(self, index: int, record: records.Wait) -> None:
        """The call of a callback that waits at a latch stands; the program goes on."""
        self.standing[record.callback, record.k] = self.current, self.open
        self.current, self.open = None, []

    def resume(self, index: int, record: records.Resume) -> None:
        """It is taken up again."""
        self.current, self.open = self.standing.pop((record.callback, record.k), (None, []))

    def cancelled(self, index: int, record: records.Cancelled) -> None:
        """A callback is told that its call is cancelled."""
        entry = self.entered.get((record.callback, record.k))
        if entry is not None:
            entry.told.append(index)

    def chunk(self, index: int, record: records.Chunk) -> None:
        """A callback hands over a chunk."""
        entry = self.entered.get((record.callback, record.k))
        if entry is not None:
            entry.chunks.append((index, record.value))

    def over(self, index: int, record: records.Over) -> None:
        """A callback's stream is over."""
        entry = self.entered.get((record.callback, record.k))
        if entry is not None:
            entry.over = index, record

    def read_chunk(self, index: int, record: records.Read) -> None:
        """A reader got a chunk: of the call that drains its stream, or of a step that reads of it."""
        of = self.steps.get(record.step, {}).get("of", record.step)
        act = self.by_step.get(of) or (self.current if self.current and self.current.step["as"] == of else None)
        if act is not None:
            act.reads.append((index, record.value))

    def measure(self, index: int, record: records.Measure) -> None:
        """Something was counted of a raw step."""
        act = self.by_step.get(record.name)
        if act is not None:
            act.measured, act.facts = index, record.value

    def done(self, index: int, record: records.Done) -> None:
        """A step came back."""
        step = self.steps.get(record.step)
        if step is None:
            return
        if step["step"] in ENTERED:
            act = self.current or self._stood(step) or Act(step, index)
            act.step, self.current, self.open = step, None, []
            if self.program and self.program[0] is step:
                self.program.pop(0)
        else:
            within = next((top for top in reversed(self.open) if isinstance(top, Entry)), None)
            act = Act(step, index, within=within)
            act.plugin = within.callback if within is not None and within.part == "install" else ""
        act.done = index
        act.value = None if record.value is UNSET else record.value
        act.error = None if record.error is UNSET else record.error
        if step["step"] == "uninstall" or (step["step"] == "install" and _failed(act)):
            self._take_back(step.get("of", step["as"]), index)
        self.acts.append(act)
        self.by_step.setdefault(step["as"], act)

    def _take_back(self, plugin: str, index: int) -> None:
        """Tell what the end of a plugin means for each of its registrations."""
        for act in list(self.acts):
            if act.plugin == plugin and act.step["step"] == "register" and act.error is None:
                gone = {"step": "deregister", "as": "", "of": act.step["as"]}
                self.acts.append(Act(gone, index, index, True, plugin=plugin))

    def _stood(self, step: Json) -> Act | None:
        """Return the call that is done though a callback of it stands at a latch."""
        for key, (act, _) in list(self.standing.items()):
            if act is not None and act.step is step:
                del self.standing[key]
                act.stood = True
                return act
        return None

    def _given(self, part: str, given: Json) -> Json:
        if part == "llm.request":
            return self.spelling.canonical_argument(given)
        if part in SANITIZERS:
            return given | {"fields": self.spelling.canonical_fields(given.get("fields"), given=True)}
        return self.spelling.canonical_encode(given) if part == "encode" else given

    def _reply(self, part: str, reply: Json) -> Json:
        if part == "llm.request":
            return self.spelling.canonical_reply(reply)
        if part == "tool.execution":
            return self.spelling.canonical_tool_reply(reply)
        return self.spelling.canonical_fields(reply, given=False) if part in SANITIZERS else reply


_READERS: dict[type, Callable[[_Reader, int, Any], None]] = {
    records.Enter: _Reader.enter,
    records.Leave: _Reader.leave,
    records.Refused: _Reader.leave,
    records.Next: _Reader.next,
    records.Answer: _Reader.answer,
    records.Wait: _Reader.wait,
    records.Resume: _Reader.resume,
    records.Cancelled: _Reader.cancelled,
    records.Chunk: _Reader.chunk,
    records.Over: _Reader.over,
    records.Read: _Reader.read_chunk,
    records.Measure: _Reader.measure,
    records.Done: _Reader.done,
}
