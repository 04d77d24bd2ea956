"""Sessions and the steps of a scenario: what a host has to do, and what of it is left to chance, which is refused.

Enters: complete steps. Leaves: records. Time is virtual: a deadline has come when a step waits for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bindproof_reference.cells.cell import GONE, LIVE, OVER, Cell, Observer
from bindproof_reference.cells.record import PROGRAM, Json, Place, RacyError, Records, refusal

BLOCKING = ("latch", "busy")


@dataclass
class Session:
    """A session: its cells, and what they stored."""

    cells: dict[str, Cell] = field(default_factory=dict)
    stored: dict[str, str] = field(default_factory=dict)


@dataclass
class Host:
    """All sessions of one scenario."""

    records: Records = field(default_factory=Records)
    live: dict[str, Session] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)
    cells: dict[str, Cell] = field(default_factory=dict)
    """Every cell by its name, of whatever session."""
    watched: dict[str, str] = field(default_factory=dict)
    """Observation → the cell that it is of, where that is a cell."""

    def act(self, number: int, step: Json) -> None:
        """Do one step."""
        _STEPS[step["step"]](self, number, step)

    def finish(self) -> None:
        """Shut down what is still open: that is how every scenario ends."""
        for name in list(self.live):
            self._close(name)

    # -- sessions -----------------------------------------------------------------------------------------------------

    def open(self, number: int, step: Json) -> None:
        """Open a session: each name once."""
        name = step["session"]
        if name in self.live:
            self.records.refused(number, "already_open")
        elif name in self.closed:
            self.records.refused(number, "reused")
        else:
            self.live[name] = Session()
            self.records.done(number, None)

    def shutdown(self, number: int, step: Json) -> None:
        """Shut a session down: its cells end first."""
        if step["session"] not in self.live:
            self.records.refused(number, "unknown_session")
            return
        self.records.done(number, None, *self._close(step["session"]))

    def _close(self, name: str) -> list[Place]:
        ends: list[Place] = []
        begun = self._begun()
        for cell in self.live[name].cells.values():
            if cell.state == GONE and not cell.steady:
                raise RacyError(
                    f"the session may be shut down before {cell.name!r} is over; wait for its outcome first"
                )
            if cell.state == GONE:
                continue
            cell.known("shutdown")
            if cell.state == LIVE:
                watched = cell.observer is not None
                _, cancelled = cell.terminated(begun)
                ends += cancelled
                ends += [cell.last] if watched and cell.last else []
                ends.append(cell.close(*cancelled, begun, cell.last if watched else None))
            else:
                cell.state = GONE
                ends.append(cell.close(begun, *cell.drained))
        del self.live[name]
        self.closed.add(name)
        return ends

    def _begun(self) -> Place | None:
        """Return the last step that was done: what follows it comes later."""
        count = len(self.records.lanes[PROGRAM])
        return (PROGRAM, count - 1) if count else None

    # -- cells --------------------------------------------------------------------------------------------------------

    def create(self, number: int, step: Json) -> None:
        """Create a cell, which is observed at once."""
        session = self.live.get(step["session"])
        if session is None:
            self.records.refused(number, "unknown_session")
            return
        for other in session.cells.values():
            if other.state != LIVE and other.writes and not other.told:
                raise RacyError(
                    f"step {number}: nobody knows whether {other.name!r} has stored yet; wait for its outcome"
                )
        cell = Cell(step["as"], step["program"], dict(session.stored), self.records)
        session.cells[cell.name] = self.cells[cell.name] = cell
        place = cell.cause = self.records.done(number, {"cell_id": cell.id})
        cell.observer = Observer(cell.name, place, sure=True)
        self.watched[cell.name] = cell.name
        first = cell.program[0]["do"] if cell.program else None
        cell.steady = first in BLOCKING
        if step["within"] is not None and not cell.steady:
            raise RacyError(
                f"step {number}: nobody knows what comes before the deadline; let the program begin by a latch"
            )
        self._run(cell, step["session"])
        if step["within"] is not None:
            self._expire(cell, step["as"])

    def _run(self, cell: Cell, session: str) -> None:
        cell.run()
        if cell.state != LIVE:  # SES-001, SES-002: also after an error
            self.live[session].stored.update(cell.writes)

    def _expire(self, cell: Cell, observation: str) -> None:
        """Let the deadline of the observer come; a step has to wait for that before anything else."""
        cell.timed = observation
        cell.tell(cell.outcome("yielded"))

    def observe(self, number: int, step: Json) -> None:
        """Begin to observe: one observer at most is taken."""
        cell = self._cell(number, step)
        if cell is None or cell.state == GONE:
            self._nothing(number, step, cell)
            return
        _sure_to_observe(number, step, cell)
        self.watched[step["as"]] = cell.name
        if cell.observer is not None:
            self._busy(number, step, cell)
            return
        errors = {"errors": [refusal("busy")] * (step["count"] - 1)} if step["count"] > 1 else None
        place = self.records.done(number, errors)
        cell.observer = Observer(step["as"], place, sure=step["count"] > 1)
        if cell.state == OVER:
            cell.tell(cell.take(), *cell.drained)
            cell.close(cell.last)
        elif step["within"] is not None:
            self._expire(cell, step["as"])

    def _busy(self, number: int, step: Json, cell: Cell) -> None:
        """Refuse who comes second; who was first is not disturbed."""
        if step["count"] > 1 or not cell.observer or not cell.observer.sure or not cell.steady:
            raise RacyError(f"step {number}: nobody knows whether the cell is observed; `reach` a call of it first")
        place = self.records.done(number, None)
        told = {"fact": "told", "cell": cell.name, "observation": step["as"], "error": refusal("busy")}
        self.records.put(f"told {step['as']}", told, place)
        self.watched[step["as"]] = ""

    def _nothing(self, number: int, step: Json, cell: Cell | None) -> None:
        """Observe a cell that is not there."""
        if step["count"] > 1:
            raise RacyError(f"step {number}: of several observations of no cell none is refused; leave `count` out")
        if cell is not None and not cell.told:
            raise RacyError(f"step {number}: the cell may still be running; wait for its outcome first")
        place = self.records.done(number, None)
        told: Json = {"fact": "told", "cell": step["cell"], "observation": step["as"]}
        if step["session"] in self.live:
            told["outcome"] = {"type": "missing", "cell_id": self._id(step["cell"])}
        else:
            told["error"] = refusal("unknown_session")
        self.records.put(f"told {step['as']}", told, place)
        self.watched[step["as"]] = ""

    def _id(self, name: str) -> str:
        return f"cell:{name}" if name in self.cells else name

    def _cell(self, number: int, step: Json) -> Cell | None:
        """Return the cell of that name in that session; None where there is none."""
        cell = self.cells.get(step["cell"])
        session = self.live.get(step["session"])
        if session is None:
            return None
        if cell is None or cell.name not in session.cells:
            if cell is not None and session.cells:
                raise RacyError(f"step {number}: another session may have given the same id; ask one without cells")
            return None
        return cell

    def wait(self, number: int, step: Json) -> None:
        """Wait until an observation has come back."""
        lane = f"told {step['of']}"
        if lane not in self.records.lanes:
            raise RacyError(f"step {number}: the observation {step['of']!r} does not come back by itself")
        self.records.done(number, None, (lane, 0))
        cell = self.cells.get(self.watched.get(step["of"], ""))
        if cell is not None:
            cell.timed = None if cell.timed == step["of"] else cell.timed
            if cell.last == (lane, 0) and cell.state == GONE:
                cell.steady = cell.told = True

    def reach(self, number: int, step: Json) -> None:
        """Wait until a cell has made a call: where that is a latch, it stands there."""
        cell = self.cells.get(step["cell"])
        lane = f"call {step['cell']}/{step['call']}"
        if cell is None or lane not in self.records.lanes:
            raise RacyError(
                f"step {number}: the cell {step['cell']!r} does not make the call {step['call']!r} by itself"
            )
        self.records.done(number, None, (lane, 0))
        cell.reached.add(step["call"])
        standing = cell.standing
        if standing and standing["do"] == "latch" and standing["name"] == step["call"]:
            cell.steady = cell.quiet = True

    def release(self, number: int, step: Json) -> None:
        """Answer a latch, and let the cell run on."""
        cell = self.cells.get(step["cell"])
        standing = cell.standing if cell is not None and cell.state == LIVE else None
        if cell is None or standing is None or standing["do"] != "latch" or standing["name"] != step["latch"]:
            raise RacyError(f"step {number}: the cell {step['cell']!r} does not stand at the latch {step['latch']!r}")
        if cell.timed is not None:
            raise RacyError(f"step {number}: wait for the observation {cell.timed!r} first")
        called = cell.pending.pop(step["latch"])
        cell.cause = self.records.done(number, None, called)
        cell.at += 1
        following = cell.standing
        cell.steady = following is not None and following["do"] == "busy"
        session = next(name for name, one in self.live.items() if cell.name in one.cells)
        self._run(cell, session)

    def lost(self, number: int, step: Json) -> None:
        """Wait until a call has been cancelled: the cell is over then."""
        lane = f"call {step['cell']}/{step['call']}"
        ends = [at for at, one in enumerate(self.records.lanes.get(lane, ())) if one["fact"] == "cancelled"]
        if not ends:
            raise RacyError(f"step {number}: the call {step['call']!r} is not cancelled by itself")
        self.records.done(number, None, (lane, ends[0]))
        self.cells[step["cell"]].steady = self.cells[step["cell"]].quiet = True

    def _pending(self, number: int, step: Json) -> Cell:
        cell = self.cells.get(self.watched.get(step["of"], ""))
        if cell is None or cell.observer is None or cell.observer.name != step["of"]:
            raise RacyError(f"step {number}: the observation {step['of']!r} has come back")
        cell.known(f"step {number}")
        return cell

    def cancel(self, number: int, step: Json) -> None:
        """Cancel an observation: what it would have been told is kept."""
        cell = self._pending(number, step)
        cell.tell(refusal("cancelled"), self.records.done(number, None))

    def nudge(self, number: int, step: Json) -> None:
        """Have an observation yield."""
        cell = self._pending(number, step)
        cell.tell(cell.outcome("yielded"), self.records.done(number, None))

    def terminate(self, number: int, step: Json) -> None:
        """Terminate a cell."""
        if step["session"] not in self.live:
            self.records.refused(number, "unknown_session")
            return
        cell = self._cell(number, step)
        if cell is None or cell.state == GONE:
            if cell is not None and not cell.told:
                raise RacyError(f"step {number}: the cell may still be running; wait for its outcome first")
            self.records.done(number, {"outcome": {"type": "missing", "cell_id": self._id(step["cell"])}})
            return
        cell.known(f"step {number}")
        if cell.state == OVER:
            place = self.records.done(number, {"outcome": cell.take()}, *cell.drained)
            cell.close(place)
        else:
            begun = self._begun()
            watched = cell.observer is not None
            outcome, cancelled = cell.terminated(begun)
            place = self.records.done(number, {"outcome": outcome}, *cancelled)
            cell.close(place, cell.last if watched else None)
            if watched:
                return  # who was told has to be waited for
        cell.told = True


def _sure_to_observe(number: int, step: Json, cell: Cell) -> None:
    """Refuse an observation of which nobody knows what it would meet."""
    several = step["count"] > 1 and cell.observer is None
    if cell.timed is not None:
        raise RacyError(f"step {number}: wait for the observation {cell.timed!r} first")
    if not cell.steady and not cell.quiet:
        raise RacyError(f"step {number}: the cell may yield before or after this; `reach` a call of it first")
    if several and (cell.state == OVER or not cell.steady):
        raise RacyError(f"step {number}: several may be told one after the other; `reach` a call of the cell first")
    if cell.state == LIVE and step["within"] is not None and not cell.steady:
        raise RacyError(f"step {number}: nobody knows what comes before the deadline; `reach` a call of it first")


_STEPS = {
    "open": Host.open,
    "create": Host.create,
    "observe": Host.observe,
    "await": Host.wait,
    "reach": Host.reach,
    "release": Host.release,
    "lost": Host.lost,
    "cancel": Host.cancel,
    "yield": Host.nudge,
    "terminate": Host.terminate,
    "shutdown": Host.shutdown,
}
