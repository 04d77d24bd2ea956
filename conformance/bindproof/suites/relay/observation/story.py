"""The program of a scenario as it went: what each step ran, one thing inside the other, and what was told of it.

Enters: a complete scenario, its normalised log. Leaves: a Story in canonical names. It states facts and judges nothing;
the reference is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bindproof.core.model import Json
from bindproof.suites.relay.observation.normalise import at_publication
from bindproof.suites.relay.observation.once import once
from bindproof.suites.relay.observation.streams import BESIDE
from bindproof.suites.relay.scenario.callbacks import callback_of
from bindproof.suites.relay.scenario.complete import all_steps
from bindproof.suites.relay.scenario.rules.plugins import raises
from bindproof.suites.relay.scenario.spelling import SANITIZERS, Spelling

ENTERED = ("call", "helper", "install")
"""Steps of the program in which callbacks run."""

Event = tuple[int, Json]
"""Where an event stands in the log, and the event."""


@dataclass(eq=False, slots=True)
class Run:
    """One callback from its entry to its end. step: what registered it, or the call that it is of; `part` says which.

    part: a family, or `provider`, `source`, `collector`, `finalizer`, `decode`, `encode`. given, reply: canonical.
    inside: what it ran. asked: what it went on with by `next`, in order. told: where it was told that its call is
    cancelled.
    """

    callback: str
    part: str
    step: Json
    entered: int
    given: Json
    left: int | None = None
    replied: bool = False
    reply: Json = None
    raised: str | None = None
    refused: bool = False
    told: list[int] = field(default_factory=list)
    inside: list[Run] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def unasked(self) -> Iterator[Run]:
        """Yield this run and all that ran inside it, but for what it went on to by `next`, in order of entry."""
        yield self
        for run in self.inside:
            yield from run.unasked()


@dataclass(eq=False, slots=True)
class Asked:
    """One `next`: where, with what, what ran in it, and the answer or the error."""

    at: int
    argument: Json
    answered: int | None = None
    value: Json = None
    error: Json = None
    inside: list[Run] = field(default_factory=list)


@dataclass(eq=False)
class Act:
    """One step as it went, also one inside a callback (`within`). began: where the log stood when it began.

    stood: a callback of it stood at a latch when it was done. plugin: the step that installed the plugin which it
    registers for, or whose end takes it back.
    """

    step: Json
    began: int
    done: int | None = None
    value: Json = None
    error: Json = None
    runs: list[Run] = field(default_factory=list)
    within: Run | None = None
    stood: bool = False
    plugin: str = ""

    @once
    def _unasked(self) -> list[Run]:
        return [inner for run in self.runs for inner in run.unasked()]

    def all(self) -> list[Run]:
        """Return all callbacks that ran in the step, also those that others went on to by `next`."""
        found = list(self.runs)
        for run in found:  # grows while it is read
            found += [*run.inside, *(inner for asked in run.asked for inner in asked.inside)]
        return found

    def of(self, *parts: str) -> list[Run]:
        """Return the callbacks of these parts that ran in the step and none went on to by `next`, in order of entry."""
        return [run for run in self._unasked if run.part in parts]


@dataclass(eq=False)
class Story:
    """acts: every step that was done, in the order of the log. published: what ran when events were published.

    Where a plugin goes, or is not installed after all, a `deregister` for each of its registrations comes before that.
    events: what each subscriber was told, in order.
    """

    acts: list[Act]
    published: list[Run]
    events: dict[str, list[Event]]

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
    def working(self) -> list[Act]:
        """The calls and helpers in which something ran. What ran outside any is of none (LIF-022)."""
        return [act for act in self.acts if act.step["step"] in ("call", "helper") and act.step["as"] and act.runs]


def story(full: Json, log: list[Json], spelling: Spelling) -> Story:
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
        self.published: list[Run] = []
        self.open: list[Run | Asked] = []
        self.publishing: list[Run] = []
        self.beside: dict[tuple[str, int], Run] = {}
        self.entered: dict[tuple[str, int], Run] = {}
        self.current: Act | None = None
        self.standing: dict[tuple[str, int], tuple[Act | None, list[Run | Asked]]] = {}

    def read(self, log: list[Json]) -> Story:
        events: dict[str, list[Event]] = {}
        for index, record in enumerate(log):
            match record["fact"]:
                case "event":
                    events.setdefault(record["subscriber"], []).append((index, record["event"]))
                case "enter":
                    self._enter(index, record)
                case "leave" | "refused":
                    self._leave(index, record)
                case "next":
                    self._next(index, record)
                case "answer":
                    self._answer(index, record)
                case "wait" | "resume" | "cancelled":
                    self._change(index, record)
                case "done":
                    self._done(index, record)
        self.acts += [act for act, _ in self.standing.values() if act is not None]
        if self.current is not None:
            self.acts.append(self.current)
        return Story(self.acts, self.published, events)

    def _enter(self, index: int, record: Json) -> None:
        callback = record["callback"]
        step, part = self._of(callback)
        run = Run(callback, part, step, index, self._given(part, record["given"]))
        if at_publication(record):
            self.published.append(run)
            self.publishing.append(run)
            return
        if callback.endswith(BESIDE):
            self.beside[callback, record["k"]] = run
            act = next((act for act in self.acts if act.step["as"] == step.get("as")), None) or self._act(index)
            act.runs.append(run)
            return
        self.entered[callback, record["k"]] = run
        self._home(index).append(run)
        self.open.append(run)

    def _of(self, callback: str) -> tuple[Json, str]:
        """Return what brought a callback, and which part of that it is."""
        step = self.registered.get(callback)
        if step is not None:
            return step, step["family"]
        if self.steps.get(callback, {}).get("step") == "install":
            return self.steps[callback], "install"
        step_id, _, part = callback.rpartition(".")
        return self.steps.get(step_id, {}), part

    def _home(self, index: int) -> list[Run]:
        if self.open:
            return self.open[-1].inside
        return self._act(index).runs

    def _act(self, index: int) -> Act:
        """Return the call or helper that is going on."""
        if self.current is None:
            self.current = Act(self.program.pop(0) if self.program else {"as": "", "step": "call", "kind": ""}, index)
        return self.current

    def _leave(self, index: int, record: Json) -> None:
        callback = record["callback"]
        run = self.beside.get((callback, record["k"])) if callback.endswith(BESIDE) else self._running(record)
        if run is None:
            return
        run.left, run.refused, run.raised = index, record["fact"] == "refused", record.get("raised")
        if "reply" in record:
            run.replied, run.reply = True, self._reply(run.part, record["reply"])

    def _running(self, record: Json) -> Run | None:
        stack = self.publishing if at_publication(record) else self.open
        while stack:
            top = stack.pop()
            if isinstance(top, Run) and top.callback == record["callback"]:
                return top
        return None

    def _next(self, index: int, record: Json) -> None:
        top = self.open[-1] if self.open else None
        if isinstance(top, Run):
            asked = Asked(index, record["given"])
            top.asked.append(asked)
            self.open.append(asked)

    def _answer(self, index: int, record: Json) -> None:
        while self.open:
            top = self.open.pop()
            if isinstance(top, Asked):
                top.answered, top.value, top.error = index, record.get("value"), record.get("error")
                return

    def _change(self, index: int, record: Json) -> None:
        """Keep the call of a callback that waits at a latch, and take it up again where the callback goes on."""
        key = record["callback"], record["k"]
        if record["fact"] == "cancelled":
            if key in self.entered:
                self.entered[key].told.append(index)
            return
        if record["fact"] == "wait":
            self.standing[key] = self.current, self.open
        self.current, self.open = self.standing.pop(key, (None, [])) if record["fact"] == "resume" else (None, [])

    def _done(self, index: int, record: Json) -> None:
        step = self.steps.get(record["step"])
        if step is None:
            return
        if step["step"] in ENTERED:
            act = self.current or self._stood(step) or Act(step, index)
            act.step, self.current, self.open = step, None, []
            if self.program and self.program[0] is step:
                self.program.pop(0)
        else:
            within = next((top for top in reversed(self.open) if isinstance(top, Run)), None)
            act = Act(step, index, within=within)
            act.plugin = within.callback if within is not None and within.part == "install" else ""
        act.done, act.value, act.error = index, record.get("value"), record.get("error")
        if step["step"] == "uninstall" or (step["step"] == "install" and _failed(act)):
            self._take_back(step.get("of", step["as"]), index)
        self.acts.append(act)

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
