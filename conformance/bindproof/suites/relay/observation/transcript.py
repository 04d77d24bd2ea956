"""The program of a scenario as it went: what each step ran, one thing inside the other, and what was told of it.

Enters: what `reader` reads of a log. Leaves: a Transcript in canonical names: the one reading of an observation, which
all checks and planted faults ask. It states facts and judges nothing; the reference is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from msgspec import Struct, field

from bindproof.core.model import Json
from bindproof.suites.relay.observation import records
from bindproof.suites.relay.observation.cached import cached

EXECUTING = ("provider", "source", "llm.execution", "llm.stream", "tool.execution")
"""The parts of a call that run once it has started."""

FAR = 1 << 60
"""A place behind every log's end."""

Event = tuple[int, Json]
"""Where an event stands in the log, and the event."""


NOTHING = (None, {"$none": True})
"""What callbacks reply where they answer null: JavaScript's undefined is one of the two."""


def plain(reply: Json) -> Json:
    """Return what a callback replied as its caller is given it."""
    return None if reply in NOTHING else reply


class Entry(Struct, eq=False):
    """One entry of a callback, to its end."""

    callback: str
    k: int
    part: str
    """A family, or `provider`, `source`, `collector`, `finalizer`, `decode`, `encode`, `install`."""
    step: Json
    """What registered it, or the call that it is of."""
    entered: int
    given: Json
    """In canonical names, as `reply` is."""
    raw_given: Json
    """As it was recorded, like `raw_reply`."""
    left: int | None = None
    """Where its `leave` or `refused` record is."""
    replied: bool = False
    reply: Json = None
    raw_reply: Json = None
    raised: str | None = None
    refused: bool = False
    """The binding's own constructor would not take the reply, so it was never returned."""
    told: list[int] = field(default_factory=list)
    """Where it was told that its call is cancelled."""
    inside: list[Entry] = field(default_factory=list)
    """What it ran."""
    asked: list[Asked] = field(default_factory=list)
    """What it went on with by `next`, in order."""
    chunks: list[tuple[int, Json]] = field(default_factory=list)
    """What it handed over, with places."""
    over: tuple[int, records.Over] | None = None
    """Where its stream ended, and how."""

    @property
    def returned(self) -> bool:
        """Tell whether the binding got its reply: it gave one, and no constructor would not take it."""
        return self.replied and not self.refused

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


class Asked(Struct, eq=False):
    """One `next`: where, with what, what ran in it, and the answer or the error."""

    at: int
    argument: Json
    answered: int | None = None
    value: Json = None
    error: Json = None
    inside: list[Entry] = field(default_factory=list)


class Act(Struct, eq=False, dict=True):
    """One step as it went, also one inside a callback (`within`)."""

    step: Json
    began: int
    """Where the log stood when it began."""
    done: int | None = None
    value: Json = None
    error: Json = None
    runs: list[Entry] = field(default_factory=list)
    """The callbacks that it entered itself, in order."""
    reads: list[tuple[int, Json]] = field(default_factory=list)
    """What the reader of a stream got, with places."""
    within: Entry | None = None
    stood: bool = False
    """A callback of it stood at a latch when it was done."""
    plugin: str = ""
    """The step that installed the plugin which it registers for, or whose end takes it back."""
    nth: int = 0
    """Which of the plugins that this step installs."""
    measured: int | None = None
    """Where a raw step was measured."""
    facts: Json = None
    """What was."""

    @property
    def registry(self) -> tuple[str, int, str]:
        """Where the names are its own: of the program or of a plugin, globally or on a scope."""
        return self.plugin, self.nth, self.step["scope"]

    @property
    def code(self) -> Json:
        """The status that a raw step failed with, None where it did not."""
        return None if self.error is None else self.error.get("code")

    @cached
    def _unasked(self) -> list[Entry]:
        return [inner for run in self.runs for inner in run.unasked()]

    @cached
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

    @cached
    def executions(self) -> list[Entry]:
        """The outermost callbacks of the step's execution, in order of entry: what it comes to after interception."""
        return [run for run in self.runs if run.part in EXECUTING]

    @cached
    def started(self) -> bool:
        """Whether the step got as far as its start: a call does when its interception succeeded."""
        if self.step["step"] == "call":
            return bool(self.executions) or (self.done is not None and self.error is None)
        return self.step["step"] == "start" and self.error is None

    @cached
    def started_at(self) -> int:
        """Where in the log the step had not started yet, and nothing that came later had."""
        runs = self.executions if self.step["step"] == "call" else []
        return runs[0].entered if runs else self.done or 0


class Transcript(Struct, eq=False, dict=True):
    """The program as it went, and what was told of it."""

    acts: list[Act]
    """Every step that was done, in the order of the log.

    Where a plugin goes, or is not installed after all, a `deregister` for each of its registrations comes before that.
    """
    published: list[Entry]
    """What ran when events were published."""
    events: dict[str, list[Event]]
    """What each subscriber was told, in order."""
    apart: bool = False
    """Call sanitizers of managed calls run in their call, those of steps made by hand beside the program."""
    memo: dict[Any, Any] = field(default_factory=dict)
    """What was worked out of it, by what did (see `kept`)."""

    def calls(self, kind: str) -> list[Act]:
        """Return the managed calls of a kind."""
        return self._calls.get(kind, [])

    @cached
    def _calls(self) -> dict[str, list[Act]]:
        found: dict[str, list[Act]] = {}
        for act in self.acts:
            if act.step["step"] == "call":
                found.setdefault(act.step["kind"], []).append(act)
        return found

    @cached
    def steps(self) -> dict[str, list[Act]]:
        """The acts by the kind of their steps."""
        found: dict[str, list[Act]] = {}
        for act in self.acts:
            found.setdefault(act.step["step"], []).append(act)
        return found

    def of_kind(self, kind: str) -> list[Act]:
        """Return the acts of the steps of a kind, in order."""
        return self.steps.get(kind, [])

    @cached
    def by_id(self) -> dict[str, Act]:
        """The acts by the ids of their steps."""
        return {act.step["as"]: act for act in self.acts}

    @cached
    def working(self) -> list[Act]:
        """The calls and helpers in which something ran. What ran outside any is of none (LIF-022)."""
        return [act for act in self.acts if act.step["step"] in ("call", "helper") and act.step["as"] and act.runs]


Rest = ParamSpec("Rest")
Result = TypeVar("Result")


def kept(
    work: Callable[Concatenate[Transcript, Rest], Result],
) -> Callable[Concatenate[Transcript, Rest], Result]:
    """Return the same function of a transcript, whose result is worked out once and kept with the transcript."""

    @wraps(work)
    def worked_out(transcript: Transcript, *args: Rest.args, **kwargs: Rest.kwargs) -> Result:
        key = (work, *args)
        if key not in transcript.memo:
            transcript.memo[key] = work(transcript, *args, **kwargs)
        result: Result = transcript.memo[key]
        return result

    return cast(Callable[Concatenate[Transcript, Rest], Result], worked_out)
