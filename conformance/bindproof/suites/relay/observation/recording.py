"""What every log keeps, whatever the binding does: it follows from how an adapter records.

A callback's records are written by the adapter's own code in it, a step's by the program. A binding can call a callback
too often, too late or not at all, but it cannot have it left twice. A log that breaks this is no observation.

| record | comes behind | at most | says |
|-|-|-|-|
| `enter` | those of its callback with a smaller k | once | |
| `leave`, `refused` | its `enter`, and an `answer` or `resume` for each `next` and `wait` | one of them once | below |
| `next`, `wait`, `cancelled` | its `enter`, no `wait` of its own that is not over | | a latch of the scenario |
| `answer`, `resume` | a `next` or `wait` of its own that is not over | once each | below |
| `chunk` | its `leave`, no `over` | | |
| `over` | its `leave` | once | |
| `read` | | | its step is not done |
| `done` of a step | that of the step of the program before it, where that is not in the background | once | below |
| `done` in a storm | that of the step of its program before it; that of the storm behind all of them | once | below |
| `done` in a callback | its `enter`, before its `leave`, in the order of its ops | once for each entry that does it | |
| `measure` | all steps of the program, and that of the step of COUNTED before it | once for each of them | below |
| `settled` | | once | |
| the end | a `done` of every step of the program, and unless that cancels or closes, a `leave` of every entry | | |

Steps of the kinds WITHOUT_VALUE, and calls that stream, come back with null or an error; those of FORMS have a form.
What goes on to a stream is answered null: its chunks are other records. A callback that hands over a
stream, collects or installs replies null. One that replies has done all the steps that its ops state; one that hands
over a stream may do them later. An error that is said to be a callback's own is of one that there is.

Enters: a complete scenario, the records of a log. Leaves: nothing, or an ObservationError for the first that cannot be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import Any

from msgspec import UNSET, Struct, field

from bindproof.core.model import Json
from bindproof.suite_api import ObservationError
from bindproof.suites.relay.observation import records
from bindproof.suites.relay.observation.records import Record
from bindproof.suites.relay.scenario.callbacks import callback_named, every_op, scripts, steps_of_entry
from bindproof.suites.relay.scenario.complete import all_steps
from bindproof.suites.relay.scenario.storms import storm_of

WITHOUT_VALUE = frozenset(
    {
        "register", "start", "end", "mark", "open", "cancel", "flush", "install", "uninstall", "close", "load", "gate",
        "storm", "context", "back",
    }
)  # fmt: skip
"""The steps that give a program nothing."""

GIVES_NOTHING = frozenset({"llm.stream", "install", "source", "collector"})
"""The families and parts whose callbacks reply null: what they give is in other records."""

HANDS_OVER = frozenset({"llm.stream", "source"})
"""Those that may do some of their ops when what they handed over is read."""


FORMS: dict[str, Callable[[Json], bool]] = {
    "list": lambda value: isinstance(value, list),
    "ungate": lambda value: isinstance(value, dict) and isinstance(value.get("given"), list),
    "read": lambda value: isinstance(value, dict) and isinstance(value.get("ended"), bool),
}
"""Kinds of steps whose values an adapter makes by itself → whether a value has the form of those."""


_OF_CALLS = frozenset({"asked", "sent", "events", "marks"})
COUNTED: dict[str, frozenset[str]] = {
    "raw": frozenset({"output", "freed", "texts", "events", "handles", "inside"}),
    "worker": _OF_CALLS | {"cancelled"},
    "load": frozenset({"freed"}),
    "native": _OF_CALLS,
}
"""Kinds of steps of which something is counted → the members of what is."""


class _Entered(Struct):
    """What has become of a callback since it was entered."""

    asked: int = 0
    standing: int = 0
    """`asked` and `standing`: how often it went on, or waits, just now."""
    at: int = 0
    """When it was entered."""
    did: int = 0
    """When it did the last step that it is said to have done."""
    left: bool = False
    raised: bool = False
    """`left` without a reply."""
    over: bool = False
    does: list[str] = field(default_factory=list)
    """The steps that its ops state, in order."""
    due: list[str] = field(default_factory=list)
    """The steps that it does yet, in order."""


class _Script(Struct, frozen=True):
    """What a callback can do."""

    family: str
    """Of its registration, else its part of a call."""
    latches: frozenset[str]
    ops: list[Json]


def check_recording(full: Json, log: list[Record]) -> None:
    """Raise ObservationError for the first record that cannot stand where it does."""
    reader = _Reader(full)
    for index, record in enumerate(log):
        problem = reader.problem(record)
        if problem:
            raise ObservationError(f"log record {index} ({record.__struct_config__.tag}): {problem}")
    missing = reader.missing()
    if missing:
        raise ObservationError(f"the log ends, and {missing}")


class _Reader:
    def __init__(self, full: Json) -> None:
        steps = all_steps(full)
        self.scripts = {name: _script(step, name, ops) for step in steps for name, ops in scripts(step)}
        self.empty = {step["as"] for step in steps if step["step"] in WITHOUT_VALUE or step.get("kind") == "llm_stream"}
        self.steps = {step["as"] for step in steps}
        self.forms = {step["as"]: FORMS[step["step"]] for step in steps if step["step"] in FORMS}
        self.acting = {
            op["step"]["as"]: name
            for name, script in self.scripts.items()
            for op in every_op(script.ops)
            if op["op"] == "step"
        }
        self.due = [step["as"] for step in full["steps"] if not step.get("background")]
        self.uncounted = [(step["as"], COUNTED[step["step"]]) for step in full["steps"] if step["step"] in COUNTED]
        storm = storm_of(full)
        self.at_once = [[step["as"] for step in one] for one in storm["programs"]] if storm else []
        self.beside = {step["as"] for step in full["steps"] if step.get("background")}
        self.of_storm = set(chain.from_iterable(self.at_once))
        self.program = self.beside.union(self.due, self.of_storm)
        self.interrupts = any(step["step"] in ("cancel", "close") for step in full["steps"])
        self.at = self.settled = self.now = 0
        self.done: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.entered: dict[tuple[str, int], _Entered] = {}
        waiting = (name for name, script in self.scripts.items() if script.family == "subscriber" and script.latches)
        self.waiting = {callback_named(name).step: name for name in waiting}

    def problem(self, record: Any) -> str:
        """Say why a record cannot come next, or nothing."""
        self.now += 1
        kind = type(record)
        if kind is records.Event:
            return self._event(record)
        if kind is records.Read:
            return f"step {record.step!r} reads no more: it is done" if record.step in self.done else ""
        if kind is records.Enter:
            return self._enter(record)
        if kind is records.Done:
            return self._done(record)
        if kind is records.Measure:
            return self._measure(record)
        if kind is records.Settled:
            self.settled += 1
            return "" if self.settled == 1 else "all is over once"
        return self._of_callback(record)

    def missing(self) -> str:
        """Say what a whole log would have, or nothing."""
        undone = [*self.due[self.at :], *sorted(self.beside - self.done), *chain.from_iterable(self.at_once)]
        if undone:
            return f"step {undone[0]!r} was never done"
        if self.uncounted:
            return f"nothing was counted of step {self.uncounted[0][0]!r}"
        for (callback, k), one in self.entered.items() if not self.interrupts else ():
            if not one.left:
                return f"callback {callback!r} was entered for the time {k} and never left"
        return ""

    def _event(self, record: Any) -> str:
        """Note that a subscriber that may wait is told of an event, which enters it: it leaves no record."""
        callback = self.waiting.get(record.subscriber)
        if callback is not None:
            self.entered[callback, self.counts[callback]] = _Entered(left=True, at=self.now)
            self.counts[callback] += 1
        return ""

    def _enter(self, record: Any) -> str:
        callback, wanted = record.callback, self.counts[record.callback]
        if callback not in self.scripts:
            return f"no step has a callback {callback!r}"
        if record.k != wanted:
            return f"callback {callback!r} is entered for the time {wanted}, not {record.k}"
        self.counts[callback] += 1
        does = steps_of_entry(self.scripts[callback].ops, record.k)
        self.entered[callback, wanted] = _Entered(does=does, due=list(does), at=self.now)
        return ""

    def _measure(self, record: Any) -> str:
        """Say why something cannot be counted next, or take its step off those of which something is."""
        if self.at < len(self.due):
            return f"something is counted before step {self.due[self.at]!r} is done"
        if not self.uncounted or self.uncounted[0][0] != record.name:
            wanted = f"of {self.uncounted[0][0]!r} comes first" if self.uncounted else "all has been"
            return f"something is counted of step {record.name!r}, and {wanted}"
        _, members = self.uncounted.pop(0)
        other = members.symmetric_difference(record.value)
        return f"what is counted of step {record.name!r} has another form, as to {min(other)!r}" if other else ""

    def _done(self, record: Any) -> str:
        step = record.step
        if record.value is not UNSET and record.value is not None and step in self.empty:
            return f"step {step!r} gives nothing, so its value is null"
        owner = None if record.error is UNSET else record.error.get("same_as")
        if owner is not None and owner not in self.scripts:
            return f"the error of step {step!r} is said to be that of {owner!r}, and there is no such callback"
        form = self.forms.get(step)
        if form is not None and record.error is UNSET and not form(record.value):
            return f"the value of step {step!r} has another form"
        if step not in self.program:
            return self._inner(step)
        if step in self.done:
            return f"step {step!r} is done twice"
        self.done.add(step)
        if step in self.beside:
            return ""
        if step in self.of_storm:
            return self._at_once(step)
        wanted = self.due[self.at]
        self.at += 1
        if self.at_once and self.at == len(self.due) and any(self.at_once):
            return f"step {step!r} is done, and not all of its programs are"
        return "" if step == wanted else f"step {step!r} is done, and {wanted!r}, which comes first, is not"

    def _at_once(self, step: str) -> str:
        """Say why a step of a storm's program cannot be done next, or take it off those that the program does."""
        if self.at < len(self.due) - 1:
            return f"step {step!r} is done, and {self.due[self.at]!r}, which comes first, is not"
        steps = next(steps for steps in self.at_once if step in steps)
        return "" if steps.pop(0) == step else f"step {step!r} is done, and one before it in its program is not"

    def _inner(self, step: str) -> str:
        """Say why a step that is none of the program's cannot be done next, or take it off what its callback does."""
        if step not in self.steps:
            return f"there is no step {step!r}"
        callback = self.acting[step]
        if self._is_taken_off(callback, step):
            return ""
        gone = (one for one in self._entries(callback) if one.due[:1] == [step])  # one that raised may have done it
        if any(self._exchange(callback, one) for one in gone) and self._is_taken_off(callback, step):
            return ""
        return f"step {step!r} is done, and callback {callback!r} does not do it now"

    def _entries(self, callback: str) -> list[_Entered]:
        return [self.entered[callback, k] for k in range(self.counts[callback])]

    def _is_taken_off(self, callback: str, step: str) -> bool:
        """Take a step off what the first entry that can do it now still has to do; tell whether there is one."""
        late = self.scripts[callback].family in HANDS_OVER
        for own in self._entries(callback):
            if own.due[:1] == [step] and (late or not own.left):
                del own.due[0]
                own.did = self.now
                return True
        return False

    def _exchange(self, callback: str, own: _Entered) -> bool:
        """Take for an entry's what another one was said to have done: of those at the same time no record tells.

        One that raised need not have done what it was said to, where this one was there by then. Tells whether there is
        such another one.
        """
        for other in self._entries(callback):
            may = not other.left or (not own.left and other.raised and other.did > own.at)
            if may and other.does == own.does and len(other.due) < len(own.due):
                own.due, other.due, own.did, other.did = other.due, own.due, other.did, own.did
                return True
        return False

    def _of_callback(self, record: Any) -> str:
        callback, own = record.callback, self.entered.get((record.callback, record.k))
        if own is None:
            return f"callback {callback!r} was not entered for the time {record.k}"
        if own.due and type(record) in _REPLIES and record.reply is not UNSET:
            self._exchange(callback, own)
        problem = _FOLLOWS[type(record)](own, self.scripts[callback], record)
        return problem and f"callback {callback!r} {problem}"


def _script(step: Json, callback: str, ops: list[Json]) -> _Script:
    family = step.get("family") or ("install" if step["step"] == "install" else callback.rpartition(".")[2])
    return _Script(family, frozenset(op["latch"] for op in every_op(ops) if op["op"] == "wait"), ops)


def _leave(own: _Entered, script: _Script, record: Any) -> str:
    if own.left:
        return "left before"
    if own.asked or own.standing:
        return "leaves while it waits"
    own.left, own.raised = True, record.reply is UNSET
    if record.reply is not UNSET and record.reply is not None and script.family in GIVES_NOTHING:
        return "gives nothing, so its reply is null"
    if own.due and record.reply is not UNSET and script.family not in HANDS_OVER:
        return f"replies, and has not done step {own.due[0]!r}"
    return ""


def _next(own: _Entered, script: _Script, record: Any) -> str:
    own.asked += 1
    return ""


def _answer(own: _Entered, script: _Script, record: Any) -> str:
    own.asked -= 1
    if record.value is not UNSET and record.value is not None and script.family in GIVES_NOTHING:
        return "goes on to a stream, so the answer is null"
    return "has not gone on" if own.asked < 0 else ""


def _wait(own: _Entered, script: _Script, record: Any) -> str:
    own.standing += 1
    if own.standing > 1:
        return "waits while it waits"
    return "" if record.latch in script.latches else f"has no latch {record.latch!r}"


def _resume(own: _Entered, script: _Script, record: Any) -> str:
    own.standing -= 1
    return "stands at no latch" if own.standing < 0 else ""


def _chunk(own: _Entered, script: _Script, record: Any) -> str:
    return "has handed over no stream that is not over" if not own.left or own.over else ""


def _over(own: _Entered, script: _Script, record: Any) -> str:
    problem = _chunk(own, script, record)
    own.over = True
    return problem


_REPLIES = frozenset({records.Leave, records.Refused})

_FOLLOWS: dict[type, Callable[[_Entered, _Script, Any], str]] = {
    records.Leave: _leave,
    records.Refused: _leave,
    records.Next: _next,
    records.Answer: _answer,
    records.Wait: _wait,
    records.Resume: _resume,
    records.Cancelled: lambda own, script, record: "",
    records.Chunk: _chunk,
    records.Over: _over,
}
