"""Scenarios made ready: each is prepared and encoded once, also when several plans ask for the same one.

Enters: plans of one suite, for one edition and dialect. Leaves: what is sent, and what judges the answer. Must not know
adapters.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable

import msgspec
from msgspec import Struct

from bindproof.core.model import Json, Plan
from bindproof.drive import Job
from bindproof.judge import LaneByLane, Memory
from bindproof.suites import Prepared, Suite, UnfitError

KEPT = 512
"""So many scenarios are kept ready for plans that repeat them, unless one asks for more."""

_encode = msgspec.json.Encoder().encode


class Ready(Struct, frozen=True):
    """A scenario made ready, the line that is sent, and which observations of it are known to conform."""

    prepared: Prepared
    params: bytes
    memory: Memory
    lane_of: Callable[[Json], str]

    def job(self, plan: Plan, name: str, *, leads: bool = False, recalls: bool = False) -> Job:
        """Return the job of a plan that has this scenario.

        name: the job's id. leads: the next one waits for it. recalls: an answer that is known need not be read.
        """
        return Job(name, plan.suite, self.params, plan.seconds, leads, self.memory.recall if recalls else None)


class Preparations:
    """Makes scenarios ready, and keeps so many. What is prepared is a constant, so plans with equal ones share it."""

    def __init__(self, suite: Suite, edition: str, dialect: str, kept: int = KEPT) -> None:
        self._suite, self._edition, self._dialect, self._most = suite, edition, dialect, kept
        self._kept: OrderedDict[bytes, Ready] = OrderedDict()
        self._same: dict[int, tuple[Json, Ready]] = {}

    def of(self, plan: Plan) -> Ready:
        """Return the scenario of a plan made ready; raises ValueError when the reference cannot act it out."""
        same = self._same.get(id(plan.scenario))
        if same is not None and same[0] is plan.scenario and plan.expect is None:
            return same[1]
        if len(self._same) >= self._most:
            self._same.clear()
        ready = self._of_an_equal_one(plan)
        if plan.expect is None:
            self._same[id(plan.scenario)] = plan.scenario, ready
        return ready

    def _of_an_equal_one(self, plan: Plan) -> Ready:
        key = _encode(plan.scenario) + (b"" if plan.expect is None else _encode(plan.expect))
        ready = self._kept.get(key)
        if ready is None:
            ready = self._kept[key] = self._make(plan)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return ready

    def _make(self, plan: Plan) -> Ready:
        prepared = self._suite.prepare(plan.scenario, self._edition, self._dialect)
        params = {"suite": plan.suite, "scenario": prepared.spelled}
        line = json.dumps(params, ensure_ascii=True, separators=(",", ":")).encode("ascii")
        lane_of = self._suite.lanes(plan.scenario)
        apart = LaneByLane(prepared.prediction, lane_of)
        shape_of = prepared.shapes(line)
        if not callable(shape_of):
            raise UnfitError(f"`shapes` gives no function: {shape_of!r:.100}", prepared.shapes)
        return Ready(prepared, line, Memory(shape_of, apart), lane_of)
