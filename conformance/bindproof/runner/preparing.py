"""Scenarios made ready: each is prepared and encoded once, also when several plans ask for the same one.

Enters: plans of one suite, for one edition and dialect. Leaves: what is sent, and what judges the answer. Must not know
adapters.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import cached_property

import msgspec

from bindproof.core.model import Json, Plan
from bindproof.drive import Job
from bindproof.judge import Conformed, LaneByLane, Memory, OfScenario, Order
from bindproof.suites import Prepared, Recognising, Suite, UnfitError

KEPT = 512
"""So many scenarios are kept ready for plans that repeat them, unless one asks for more."""

_encode = msgspec.json.Encoder().encode


class Ready:
    """A scenario made ready: the line that is sent, and which observations of it are known to conform.

    prepare: makes what judges an answer; it is asked when that is first needed. order: of the lanes of its logs.
    lane_of: tells the lane of a record. conformed: what is known of it from earlier starts.
    """

    def __init__(
        self,
        params: bytes,
        shape: Callable[[bytes], Hashable | None],
        prepare: Callable[[], Prepared],
        order: Order | None,
        lane_of: Callable[[Json], str],
        conformed: OfScenario | None = None,
    ) -> None:
        self.params, self.lane_of = params, lane_of
        self._prepare = prepare
        self.memory = Memory(shape, LaneByLane(order, lane_of), conformed)
        self.is_expressible = conformed is not None and bool(conformed.held)
        """An observation of it conformed before, so the dialect can say it; else that is to be looked at."""

    @cached_property
    def prepared(self) -> Prepared:
        """What judges an answer."""
        return self._prepare()

    def job(self, plan: Plan, name: str, *, leads: bool = False, kills: bool = False, recalls: bool = False) -> Job:
        """Return the job of a plan that has this scenario.

        name: the job's id. leads: the next one waits for it. kills: it is known to end its process, or to keep it.
        recalls: an answer that is known need not be read.
        """
        return Job(name, plan.suite, self.params, plan.seconds, leads, kills, self.memory.recall if recalls else None)


class Preparations:
    """Makes scenarios ready, and keeps so many. What is prepared is a constant, so plans with equal ones share it.

    conformed: what conformed in earlier starts; None: nothing is known of those. A scenario of which something is known
    is made ready when an answer comes that is not.
    """

    def __init__(
        self, suite: Suite, edition: str, dialect: str, kept: int = KEPT, conformed: Conformed | None = None
    ) -> None:
        self._suite, self._edition, self._dialect, self._most = suite, edition, dialect, kept
        self._conformed = conformed
        self._recognising = suite if isinstance(suite, Recognising) else None
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
            ready = self._kept[key] = self._make(plan, key)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return ready

    def _make(self, plan: Plan, key: bytes) -> Ready:
        lane_of = self._suite.lanes(plan.scenario)
        known = None if self._conformed is None else self._conformed.of(key)
        if known is not None and self._recognising is not None:
            shape_of = self._recognising.shapes(known.params)
            return Ready(known.params, shape_of, lambda: self._prepared(plan), known.order, lane_of, known)
        prepared = self._prepared(plan)
        params = {"suite": plan.suite, "scenario": prepared.spelled}
        line = json.dumps(params, ensure_ascii=True, separators=(",", ":")).encode("ascii")
        shape_of = prepared.shapes(line)
        if not callable(shape_of):
            raise UnfitError(f"`shapes` gives no function: {shape_of!r:.100}", prepared.shapes)
        order = Order.of(prepared.prediction)
        added = None if self._conformed is None else self._conformed.added(key, line, order)
        return Ready(line, shape_of, lambda: prepared, order, lane_of, added)

    def _prepared(self, plan: Plan) -> Prepared:
        return self._suite.prepare(plan.scenario, self._edition, self._dialect)
