"""Judging: an observation against its prediction and the requirement checks. Never sees a process."""

from bindproof.judge.conformed import Conformed, OfScenario
from bindproof.judge.judging import Expected, UnreadableError, judge
from bindproof.judge.lanes import LaneByLane, Order
from bindproof.judge.log_differences import compare
from bindproof.judge.memory import Memory

__all__ = [
    "Conformed",
    "Expected",
    "LaneByLane",
    "Memory",
    "OfScenario",
    "Order",
    "UnreadableError",
    "compare",
    "judge",
]
