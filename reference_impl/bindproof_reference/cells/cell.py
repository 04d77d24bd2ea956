"""One cell: a program that is run statement by statement, its output, who observes it, and how it ended.

Enters: a program and what was stored before it. Leaves: output, calls, an outcome. Must not know sessions or steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bindproof_reference.cells.record import PROGRAM, Json, Place, RacyError, Records, refusal

LIVE, OVER, GONE = "live", "over", "gone"


@dataclass
class Observer:
    """Who observes a cell. sure: the cell is known to know of it. since: the step that began it."""

    name: str
    since: Place
    sure: bool


@dataclass
class Cell:
    """A cell and what is known of it. Where it stands is known once a step has waited for that (`steady`)."""

    name: str
    program: list[Json]
    stored: dict[str, str]
    """What it loads from: what was stored when it was created, and its own."""
    records: Records
    state: str = LIVE
    at: int = 0
    steady: bool = False
    quiet: bool = True
    """No yield has gone unobserved since it was last known where the cell stands."""
    told: bool = False
    """A step has waited for its outcome."""
    reached: set[str] = field(default_factory=set)
    """The calls that a step has waited for."""
    timed: str | None = None
    """The observation whose deadline comes next, which a step has to wait for first."""
    output: list[Json] = field(default_factory=list)
    writes: dict[str, str] = field(default_factory=dict)
    error: Json = None
    observer: Observer | None = None
    pending: dict[str, Place] = field(default_factory=dict)
    """The calls that have no answer, by name, and where they were recorded."""
    last: Place | None = None
    """The last outcome that was told."""
    drained: list[Place] = field(default_factory=list)
    """What comes before its end is told, once it is over: its notifications, and the end of its calls."""
    cause: Place | None = None
    """The step that let it run."""

    @property
    def id(self) -> str:
        """What stands for the id that the host gave it."""
        return f"cell:{self.name}"

    @property
    def standing(self) -> Json:
        """The statement that it stands at, None where it stands at none."""
        return self.program[self.at] if self.at < len(self.program) else None

    def run(self) -> None:
        """Run on until the cell stands or is over."""
        while self.state == LIVE and self.at < len(self.program):
            statement = self.program[self.at]
            if _DO[statement["do"]](self, statement):
                return
            self.at += 1
        if self.state == LIVE:
            self._complete()

    def outcome(self, kind: str) -> Json:
        """Take the output that was told to nobody, as an outcome."""
        items, self.output = self.output, []
        found = {"type": kind, "cell_id": self.id, "content_items": items}
        return found | {"error_text": self.error} if kind == "completed" else found

    def tell(self, outcome: Json, *later_than: Place | None) -> None:
        """Tell the observer, where there is one, an outcome or an error; it observes no longer."""
        if self.observer is None:
            return
        one, self.observer = self.observer, None
        what = "error" if "kind" in outcome else "outcome"
        record = {"fact": "told", "cell": self.name, "observation": one.name, what: outcome}
        self.last = self.records.put(f"told {one.name}", record, one.since, self.last, self.cause, *later_than)

    def close(self, *later_than: Place | None) -> Place:
        """Record that the cell is gone."""
        self.state = GONE
        return self.records.put(f"closed {self.name}", {"fact": "closed", "cell": self.name}, *later_than)

    def cancel_calls(self, *later_than: Place | None) -> list[Place]:
        """Cancel what has no answer; return where that was recorded."""
        found = []
        for name, called in self.pending.items():
            record = {"fact": "cancelled", "cell": self.name, "call": name}
            found.append(self.records.put(f"call {self.name}/{name}", record, called, *later_than))
        self.pending = {}
        return found

    def take(self) -> Json:
        """Give the outcome of a cell that is over to whoever asks; it is gone then."""
        self.state = GONE
        return self.outcome("completed")

    def terminated(self, *later_than: Place | None) -> tuple[Json, list[Place]]:
        """End a live cell; return its outcome, and where the end of its calls was recorded."""
        standing = self.standing
        if standing["do"] == "latch" and standing["name"] not in self.reached:
            raise RacyError(f"the cell {self.name!r} may end before its call {standing['name']!r}; `reach` that first")
        cancelled = self.cancel_calls(*later_than)
        outcome = self.outcome("terminated")
        self.tell(outcome, *cancelled, *later_than)  # END-005: the same payload, the only one that is told twice
        self.state = GONE
        return outcome, cancelled

    def known(self, what: str) -> None:
        """Refuse a scenario that does something to the cell while it is not known where that stands."""
        if self.timed is not None:
            raise RacyError(f"{what}: wait for the observation {self.timed!r} first, whose deadline comes")
        if self.state == LIVE and not self.steady:
            raise RacyError(f"{what}: nobody knows how far the cell {self.name!r} is; `reach` a call of it first")
        if self.state == OVER and not self.steady:
            raise RacyError(f"{what}: the cell {self.name!r} may still run; wait until a call of it is `lost` first")
        if self.state == LIVE and self.observer is not None and not self.observer.sure:
            raise RacyError(f"{what}: nobody knows whether the cell knows of its observer; observe with a count of 2")

    def _complete(self) -> None:
        self.steady = False
        self.drained = [*self.cancel_calls(), *self._notes()]
        if self.observer is None:
            self.state = OVER
            return
        self.tell(self.outcome("completed"), *self.drained)
        self.close(self.last)

    def _notes(self) -> list[Place]:
        """Return where its notifications were recorded: a cell is over once they are delivered."""
        lanes = [f"note {self.name}/{one['name']}" for one in self.program[: self.at] if one["do"] == "notify"]
        return [(lane, 0) for lane in lanes if lane in self.records.lanes]

    # -- statements, which return True where the cell stands ----------------------------------------------------------

    def _text(self, statement: Json) -> bool:
        self.output.append({"type": "input_text", "text": statement["text"]})
        return False

    def _image(self, statement: Json) -> bool:
        item = {"type": "input_image", "image_url": statement["url"]}
        if statement["detail"] is not None:
            self.output.append(item | {"detail": statement["detail"]})
        else:  # no document says whether a host fills in a detail of its own
            details = [item | {"detail": detail} for detail in ("auto", "low", "high", "original")]
            self.output.append({"$one_of": [item, *details]})
        return False

    def _called(self, name: str, given: Json) -> Place:
        record = {"fact": "called", "cell": self.name, "call": name, "input": given}
        return self.records.put(f"call {self.name}/{name}", record, self.cause)

    def _call(self, statement: Json) -> bool:
        self._called(statement["name"], statement["input"])
        if statement["fails"]:
            return self._throw({"message": f"{statement['name']} fails"})
        return self._text({"text": statement["input"]})

    def _latch(self, statement: Json) -> bool:
        self.pending[statement["name"]] = self._called(statement["name"], None)
        return True

    def _leave(self, statement: Json) -> bool:
        self.pending[statement["name"]] = self._called(statement["name"], None)
        return False

    def _notify(self, statement: Json) -> bool:
        record = {"fact": "notified", "cell": self.name, "note": statement["name"]}
        self.records.put(f"note {self.name}/{statement['name']}", record, self.cause)
        return False

    def _store(self, statement: Json) -> bool:
        self.stored[statement["key"]] = self.writes[statement["key"]] = statement["value"]
        return False

    def _load(self, statement: Json) -> bool:
        return self._text({"text": self.stored.get(statement["key"], "(absent)")})

    def _yield(self, statement: Json) -> bool:
        if self.observer is None:
            self.quiet = False
        elif not self.observer.sure:
            raise RacyError(
                f"the cell {self.name!r} may yield before it knows of its observer; observe with a count of 2"
            )
        else:
            self.tell(self.outcome("yielded"))
        return False

    def _throw(self, statement: Json) -> bool:
        self.error = {"$text": statement["message"]}
        self._complete()
        return True

    def _busy(self, statement: Json) -> bool:
        return True


_DO = {
    "text": Cell._text,
    "image": Cell._image,
    "call": Cell._call,
    "latch": Cell._latch,
    "leave": Cell._leave,
    "notify": Cell._notify,
    "store": Cell._store,
    "load": Cell._load,
    "yield": Cell._yield,
    "throw": Cell._throw,
    "busy": Cell._busy,
}

__all__ = ["GONE", "LIVE", "OVER", "PROGRAM", "Cell", "Observer", "refusal"]
