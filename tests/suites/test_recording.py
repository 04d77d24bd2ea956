"""A log that no adapter can have recorded is refused with the record that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bindproof.suites import ObservationError, Prepared
from tests.relay import SUB, intercept, lawful, prepare

Json = Any

CALL: Json = {"step": "call", "as": "c", "name": "gpt", "background": True, "provider": [{"op": "wait", "latch": "l"}]}
OPEN: Json = {"step": "open", "latch": "l", "as": "o"}
LATE: Json = {"step": "register", "as": "x", "family": "llm.execution", "name": "x", "do": [{"op": "next"}]}
LAST: Json = {"step": "call", "as": "d", "name": "n"}
STREAM: Json = {
    "step": "call",
    "as": "t",
    "name": "g",
    "kind": "llm_stream",
    "provider": [{"op": "yield", "chunks": [1]}],
}

MARK: Json = {"step": "mark", "as": "m", "name": "m"}
NOTED: Json = {"step": "mark", "as": "n", "name": "n"}
ACTING = prepare(
    SUB,
    {
        "step": "call",
        "as": "c",
        "name": "g",
        "provider": [{"op": "step", "step": MARK}, {"op": "step", "step": NOTED}],
    },
    dialect="python",
)

COUNTED = prepare(
    {"step": "worker", "as": "a"}, {"step": "worker", "as": "b", "result": "error", "message": "boom-1!"},
    dialect="worker-raw",
)  # fmt: skip

PREPARED = prepare(SUB, intercept(), CALL, OPEN, LATE, LAST, dialect="python")
STREAMING = prepare(STREAM, dialect="python")


class Log:
    """A lawful log, to be changed in one place: a record is named by its fact and its callback or step."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        self.records: list[Json] = lawful(prepared, 1, "python")

    def at(self, fact: str, of: str = "") -> int:
        """The index of the first such record."""
        return next(
            index
            for index, record in enumerate(self.records)
            if record["fact"] == fact and of in ("", record.get("callback"), record.get("step"))
        )

    def without(self, *named: str) -> Log:
        del self.records[self.at(*named)]
        return self

    def twice(self, *named: str) -> Log:
        self.records.insert(self.at(*named), self.records[self.at(*named)])
        return self

    def changed(self, *named: str, **members: Json) -> Log:
        self.records[self.at(*named)] |= members
        return self

    def swapped(self, first: tuple[str, ...], second: tuple[str, ...]) -> Log:
        a, b = self.at(*first), self.at(*second)
        self.records[a], self.records[b] = self.records[b], self.records[a]
        return self


def run() -> Log:
    return Log(PREPARED)


def stream() -> Log:
    return Log(STREAMING)


def acting() -> Log:
    return Log(ACTING)


@pytest.mark.parametrize("prepared", [PREPARED, STREAMING, ACTING])
def test_what_the_reference_does_is_recorded_so(prepared: Prepared) -> None:
    prepared.observe(lawful(prepared, 1, "python"))


@pytest.mark.parametrize(
    ("log", "what"),
    [
        (run().without("done", "i"), "(done): step 'o' is done, and 'i', which comes first, is not"),
        (run().without("done", "c"), "the log ends, and step 'c' was never done"),
        (run().without("done", "d"), "the log ends, and step 'd' was never done"),
        (run().twice("done", "i"), "(done): step 'i' is done twice"),
        (run().twice("done", "c"), "(done): step 'c' is done twice"),
        (run().changed("done", "i", value=1), "(done): step 'i' gives nothing, so its value is null"),
        (run().changed("done", "i", step="y"), "(done): there is no step 'y'"),
        (run().swapped(("done", "s"), ("done", "i")), "(done): step 'i' is done, and 's', which comes first, is not"),
        (run().without("enter", "i"), "(leave): callback 'i' was not entered for the time 0"),
        (run().twice("enter", "i"), "(enter): callback 'i' is entered for the time 1, not 0"),
        (run().changed("enter", "i", k=3), "(enter): callback 'i' is entered for the time 0, not 3"),
        (run().changed("enter", "i", callback="y"), "(enter): no step has a callback 'y'"),
        (run().without("leave", "i"), "the log ends, and callback 'i' was entered for the time 0 and never left"),
        (run().twice("leave", "i"), "(leave): callback 'i' left before"),
        (run().without("next", "x"), "(answer): callback 'x' has not gone on"),
        (run().without("answer", "x"), "(leave): callback 'x' leaves while it waits"),
        (run().without("wait"), "(resume): callback 'c.provider' stands at no latch"),
        (run().without("resume"), "(leave): callback 'c.provider' leaves while it waits"),
        (run().changed("wait", latch="m"), "(wait): callback 'c.provider' has no latch 'm'"),
        (run().twice("wait"), "(wait): callback 'c.provider' waits while it waits"),
        (acting().without("done", "m"), "(done): step 'n' is done, and callback 'c.provider' does not do it now"),
        (acting().without("done", "n"), "(leave): callback 'c.provider' replies, and has not done step 'n'"),
        (acting().twice("done", "n"), "(done): step 'n' is done, and callback 'c.provider' does not do it now"),
        (
            acting().swapped(("enter",), ("done", "m")),
            "(done): step 'm' is done, and callback 'c.provider' does not do it now",
        ),
        (run().twice("settled"), "(settled): all is over once"),
        (stream().changed("leave", "t.source", reply=1), "callback 't.source' gives nothing, so its reply is null"),
        (stream().twice("over", "t.source"), "callback 't.source' has handed over no stream that is not over"),
        (stream().swapped(("chunk",), ("over",)), "callback 't.source' has handed over no stream that is not over"),
    ],
)
def test_a_log_that_nobody_records_is_refused(log: Log, what: str) -> None:
    with pytest.raises(ObservationError) as refused:
        log.prepared.observe(log.records)
    assert what in str(refused.value)


def test_a_callback_that_a_cancel_interrupts_need_not_leave() -> None:
    prepared = prepare(CALL, {"step": "cancel", "of": "c", "as": "e"}, dialect="python")
    log = [record for record in lawful(prepared, 1, "python") if record["fact"] != "leave"]

    prepared.observe(log)


ACTS_LATE: Json = {
    "step": "register",
    "as": "x",
    "family": "llm.execution",
    "name": "x",
    "do": [{"op": "next"}, {"op": "step", "step": MARK}],
}


def test_of_two_entries_at_a_time_either_may_have_done_the_step_first() -> None:
    """No record says of which entry a step is: here the second does it while the first still waits for its `next`."""
    both = prepare(SUB, ACTS_LATE, CALL, LAST, OPEN, dialect="python")
    log = lawful(both, 1, "python")
    leaves = [record["k"] for record in log if record["fact"] == "leave" and record["callback"] == "x"]

    assert leaves == [1, 0]
    both.observe(log)


RAISES: Json = CALL | {"provider": [*CALL["provider"], {"op": "raise", "text": "boom-1!"}]}


def test_an_entry_that_raised_before_its_step_did_not_do_what_another_did_meanwhile() -> None:
    """The first entry's `next` raises after the second has done its step, which no record tells from the first's."""
    both = prepare(SUB, ACTS_LATE, RAISES, LAST | {"background": True}, dialect="python")
    log = lawful(both, 1, "python")
    outcomes = {r["k"]: "reply" in r for r in log if r["fact"] == "leave" and r["callback"] == "x"}
    assert outcomes == {0: False, 1: True}
    both.observe(log)


def test_an_entry_that_came_after_the_step_was_done_did_not_do_it() -> None:
    """Nobody but the entry that raised was there when the step was done, so the second has not done its own."""
    one = ACTS_LATE | {"do": [{"op": "step", "step": MARK}, {"op": "raise", "text": "boom-1!"}]}
    failed = prepare(SUB, one, LAST, LAST | {"as": "d2"}, dialect="python")
    log = lawful(failed, 1, "python")
    last = next(r for r in reversed(log) if r["fact"] == "leave" and r["callback"] == "x")
    lost = [r for r in log if not (r["fact"] == "done" and r["step"] == "m")]
    first = next(r for r in log if r["fact"] == "done" and r["step"] == "m")
    lost.insert(log.index(first), first)
    del last["raised"]
    last["reply"] = {"ok": True}
    with pytest.raises(ObservationError, match="replies, and has not done step 'm'"):
        failed.observe(lost)


def counted(change: Callable[[list[Json]], None]) -> list[Json]:
    log = lawful(COUNTED, 1, "worker-raw")
    change(log)
    return log


def test_what_is_counted_of_steps_comes_in_their_order_behind_all_of_them() -> None:
    assert [record["fact"] for record in lawful(COUNTED, 1, "worker-raw")] == [
        "done", "done", "measure", "measure", "settled",
    ]  # fmt: skip
    COUNTED.observe(lawful(COUNTED, 1, "worker-raw"))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda log: log.pop(3), r"the log ends, and nothing was counted of step 'b'"),
        (lambda log: log.insert(3, log[2]), r"log record 3 \(measure\): something is counted of step 'a', and of 'b'"),
        (lambda log: log.insert(4, log[3]), r"log record 4 \(measure\): something is counted of step 'b', and all has"),
        (lambda log: log.insert(2, log.pop(3)), r"is counted of step 'b', and of 'a' comes first"),
        (lambda log: log.insert(1, log.pop(2)), r"log record 1 \(measure\): something is counted before step 'b'"),
        (lambda log: log[2]["value"].pop("sent"), r"what is counted of step 'a' has another form, as to 'sent'"),
        (lambda log: log[2]["value"].update(freed=1), r"what is counted of step 'a' has another form, as to 'freed'"),
        (
            lambda log: log[1]["error"].update(same_as="a.provider"),
            r"the error of step 'b' is said to be that of 'a.provider', and there is no such callback",
        ),
    ],
)
def test_what_nobody_counts_is_refused(change: Callable[[list[Json]], None], what: str) -> None:
    with pytest.raises(ObservationError, match=what):
        COUNTED.observe(counted(change))
