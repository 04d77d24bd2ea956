"""What conformed is known again in a later start: the same shape of the same scenario, and nothing else."""

from __future__ import annotations

import msgspec
import pytest

from bindproof.core.model import Evidence, Judgement
from bindproof.judge import Conformed, Memory, Order
from bindproof.judge.conformed import MOST
from tests.judge.test_memory import Judge

HELD = (Judgement("A-001"), Judgement("A-002"))
BROKEN = (Judgement("A-001", (Evidence("program", "it is not so"),)),)


def later(conformed: Conformed) -> Conformed:
    """The same as it is read in another start."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(conformed), type=Conformed)


def memory_in(conformed: Conformed, scenario: bytes = b"scenario") -> Memory:
    """The memory of a scenario, whose shapes are its lines, in a start that knows this."""
    known = conformed.of(scenario) or conformed.added(scenario, b"{}", None)
    return Memory(lambda line: line, lambda log: None, known)


def test_what_conformed_is_not_judged_in_a_later_start() -> None:
    conformed, judge = Conformed(), Judge(HELD)
    memory_in(conformed).judged(b"x", [], judge)
    found = memory_in(later(conformed)).judged(b"x", [], judge)

    assert found == HELD
    assert judge.asked == 1


def test_another_shape_and_another_scenario_are_judged() -> None:
    conformed, judge = Conformed(), Judge(HELD)
    memory_in(conformed).judged(b"x", [], judge)
    memory_in(later(conformed)).judged(b"y", [], judge)
    memory_in(later(conformed), b"another").judged(b"x", [], judge)

    assert judge.asked == 3


@pytest.mark.parametrize(("line", "judgements"), [(b"x", BROKEN), (None, HELD)], ids=["a failure", "no line"])
def test_what_does_not_conform_or_has_no_line_is_judged_each_time(
    line: bytes | None, judgements: tuple[Judgement, ...]
) -> None:
    conformed, judge = Conformed(), Judge(judgements)
    memory_in(conformed).judged(line, [], judge)
    memory_in(later(conformed)).judged(line, [], judge)

    assert judge.asked == 2


def test_a_log_that_can_be_taken_apart_is_known_by_its_lanes() -> None:
    conformed, judge = Conformed(), Judge(HELD)
    known = conformed.added(b"scenario", b"{}", Order({"a": 1}, []))
    Memory(lambda line: line, sorted, known).judged(b"1", ["b", "a"], judge)
    again = later(conformed).of(b"scenario")
    Memory(lambda line: line, sorted, again).judged(b"2", ["a", "b"], judge)

    assert again is not None
    assert again.order == Order({"a": 1}, [])
    assert judge.asked == 1


def test_so_many_shapes_of_a_scenario_are_kept() -> None:
    conformed = Conformed()
    memory = memory_in(conformed)
    for number in range(MOST + 3):
        memory.judged(b"%d" % number, [], Judge(HELD))
    (one,) = conformed.scenarios.values()

    assert len(one.held) == MOST
