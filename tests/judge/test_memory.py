"""What conformed is remembered by its shape; a failure, and what has no shape, is judged each time."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from bindproof.core.model import Evidence, Judgement
from bindproof.judge import Memory
from bindproof.judge.memory import KEPT

HELD = (Judgement("A-001"),)
BROKEN = (Judgement("A-001", (Evidence("program", "it is not so"),)),)


def memory_of(shape: Callable[[bytes], Hashable | None]) -> Memory:
    """A memory of a scenario whose logs are never taken apart."""
    return Memory(shape, lambda log: None)


class Judge:
    """Counts how often it is asked."""

    def __init__(self, judgements: tuple[Judgement, ...] = HELD) -> None:
        self.asked = 0
        self._judgements = judgements

    def __call__(self) -> tuple[Judgement, ...]:
        self.asked += 1
        return self._judgements


def test_the_first_time_no_shape_is_made() -> None:
    made: list[bytes] = []
    memory = memory_of(lambda line: made.append(line))
    memory.judged(b"x", [], Judge())

    assert made == []


def test_what_conformed_is_judged_no_more() -> None:
    memory, judge = memory_of(lambda line: line), Judge()
    found = [memory.judged(b"x", [], judge) for _ in range(5)]

    assert found == [HELD] * 5
    assert judge.asked == 2


def test_another_shape_is_judged() -> None:
    memory, judge = memory_of(lambda line: line), Judge()
    for line in (b"x", b"x", b"y", b"y", b"x"):
        memory.judged(line, [], judge)

    assert judge.asked == 3


def test_a_failure_is_judged_each_time() -> None:
    memory, judge = memory_of(lambda line: line), Judge(BROKEN)
    assert [memory.judged(b"x", [], judge) for _ in range(4)] == [BROKEN] * 4
    assert judge.asked == 4


def test_a_line_without_a_shape_and_no_line_are_judged_each_time() -> None:
    memory, judge = memory_of(lambda line: None), Judge()
    for line in (b"x", b"x", None, None):
        memory.judged(line, [], judge)

    assert judge.asked == 4


def test_no_more_than_so_many_shapes_are_kept() -> None:
    memory, judge = memory_of(lambda line: line), Judge()
    lines = [str(number).encode() for number in range(KEPT + 3)]
    for line in [b"first", *lines, *lines]:
        memory.judged(line, [], judge)

    assert judge.asked == 1 + len(lines) + 3


def test_a_log_that_can_be_taken_apart_has_the_shape_of_that() -> None:
    made: list[bytes] = []

    def shape(line: bytes) -> bytes:
        made.append(line)
        return line

    memory, judge = Memory(shape, sorted), Judge()
    logs: list[Any] = [["a", "b"], ["b", "a"], ["a", "b"], ["a", "c"]]
    for number, log in enumerate(logs):
        memory.judged(b"%d" % number, log, judge)

    assert made == [b"1", b'"result":["a","b"]', b"2", b'"result":["a","b"]', b"3", b'"result":["a","c"]']
    assert judge.asked == 3


def test_a_result_that_conformed_is_recalled_as_it_came() -> None:
    memory = Memory(lambda line: line, sorted)
    for line, log in ((b"0", ["a"]), (b'{"id":1,"result":1}', ["a", "b"]), (b'{"id":2,"result":2}', ["b", "a"])):
        memory.judged(line, log, Judge())

    assert memory.recall(b'"result":1}') == memory.recall(b'"result":2}') == HELD
    assert memory.recall(b"0") is memory.recall(b'"result":3}') is None


def test_what_did_not_conform_is_not_recalled() -> None:
    memory = memory_of(lambda line: line)
    for _ in range(3):
        memory.judged(b'"result":1', [], Judge(BROKEN))

    assert memory.recall(b'"result":1') is None
