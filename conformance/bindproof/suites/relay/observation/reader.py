"""Reads the records of a log into its transcript: which callback ran in which step, one inside the other.

Enters: a complete scenario, the records of its normalised log. Leaves: the Transcript. Must not know what is lawful.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from bindproof.core.model import Json
from bindproof.suites.relay.observation import records
from bindproof.suites.relay.observation.records import Record
from bindproof.suites.relay.observation.transcript import Act, Asked, Entry, Event, Transcript
from bindproof.suites.relay.scenario.callbacks import (
    BESIDE,
    HOLDING,
    PUBLISHED,
    callback_named,
    callback_of,
    is_of_sanitizer,
)
from bindproof.suites.relay.scenario.complete import all_steps
from bindproof.suites.relay.scenario.metrics import as_mark
from bindproof.suites.relay.scenario.rules.plugins import raises
from bindproof.suites.relay.scenario.spelling import SANITIZERS, Spelling

ENTERED = ("call", "helper", "install", "go_on")
"""Steps of the program in which callbacks run."""


def transcript(full: Json, log: list[Record], spelling: Spelling) -> Transcript:
    """Read a normalised log. What does not nest, such as an entry that never leaves, is kept as far as it went."""
    return _Reader(full, spelling).read(log)


def _failed(install: Act) -> bool:
    """Tell whether a plugin is not installed, or should not be: its callback raises."""
    return install.error is not None or raises(install.step)


class _Reader:
    def __init__(self, full: Json, spelling: Spelling) -> None:
        self.spelling = spelling
        self.steps = {step["as"]: as_mark(step) for step in all_steps(full)}
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

    def read(self, log: list[Record]) -> Transcript:
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
        return Transcript(self.acts, self.published, events, apart=self.spelling.apart)

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
            self._around(entry, index).append(entry)
            self.open.append(entry)

    def _around(self, entry: Entry, index: int) -> list[Entry]:
        """Return the entries among which one is: those of what is open, or of the step that is going on.

        Where a callback goes on several times at once it is of the one that went on with what it is given.
        """
        waiting = [asked for asked in self.open if isinstance(asked, Asked)]
        if len(waiting) > 1 and entry.part == "provider":
            given = [entry.given.get("request"), entry.given.get("args")]
            fitting = [asked for asked in waiting if asked.argument in given] or waiting
            return next((one for one in fitting if not one.inside), fitting[0]).inside
        return self.open[-1].inside if self.open else self._act(index).runs

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
        """Take what is over off what is open, with all that was open inside it.

        What runs when events are published is over by itself: one may be awaited while another one runs.
        """
        last = callback_named(record.callback).part
        entry = self.entered.get((record.callback, record.k))
        if last in BESIDE:
            return entry
        if last in PUBLISHED or (last == "decode" and record.k):
            self.publishing = [one for one in self.publishing if one is not entry]
            return entry
        if entry is not None and entry in self.open and self._is_beside(entry):
            self.open.remove(entry)
            return entry
        while self.open:
            top = self.open.pop()
            if isinstance(top, Entry) and top.callback == record.callback:
                return top
        return None

    def _is_beside(self, entry: Entry) -> bool:
        """Tell whether there is another entry of the callback at the same time."""
        return any(isinstance(one, Entry) and one.callback == entry.callback and one is not entry for one in self.open)

    def next(self, index: int, record: records.Next) -> None:
        """A callback goes on; one that has given its stream may do so beside the program."""
        entry = self.entered.get((record.callback, record.k))
        if entry is None:
            return
        before, asked = entry.asked[-1:], Asked(index, record.given)
        entry.asked.append(asked)
        if self.open and self.open[-1] in (entry, *before):
            self.open.append(asked)

    def answer(self, index: int, record: records.Answer) -> None:
        """Going on is over."""
        entry = self.entered.get((record.callback, record.k))
        if entry is None or not entry.asked:
            return
        asked = next((one for one in entry.asked if one.answered is None), entry.asked[-1])
        asked.answered = index
        asked.value = None if record.value is UNSET else record.value
        asked.error = None if record.error is UNSET else record.error
        if asked in self.open:
            del self.open[self.open.index(asked) :]

    def wait(self, index: int, record: records.Wait) -> None:
        """The call of a callback that waits at a latch stands; the program goes on, as it does beside publication."""
        if callback_named(record.callback).part in HOLDING:
            return
        self.standing[record.callback, record.k] = self.current, self.open
        self.current, self.open = None, []

    def resume(self, index: int, record: records.Resume) -> None:
        """It is taken up again."""
        if callback_named(record.callback).part in HOLDING:
            return
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
            around = self.publishing if is_of_sanitizer(record.step) else self.open
            within = next((top for top in reversed(around) if isinstance(top, Entry)), None)
            act = Act(step, index, within=within)
            if within is not None and within.part == "install":
                act.plugin, act.nth = within.callback, within.k
        act.done = index
        act.value = None if record.value is UNSET else record.value
        act.error = None if record.error is UNSET else record.error
        if step["step"] == "uninstall" or (step["step"] == "install" and _failed(act)):
            self._take_back(step.get("of", step["as"]), index)
        self.acts.append(act)
        self.by_step.setdefault(step["as"], act)

    def _take_back(self, plugin: str, index: int) -> None:
        """Tell what the end of plugins means for each of their registrations."""
        for act in list(self.acts):
            if act.plugin == plugin and act.step["step"] == "register" and act.error is None:
                gone = {"step": "deregister", "as": "", "of": act.step["as"]}
                self.acts.append(Act(gone, index, index, True, plugin=plugin, nth=act.nth))

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
