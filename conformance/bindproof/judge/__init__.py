"""Judging: an observation against its prediction and the requirement checks. Never sees a process."""

from bindproof.judge.judging import Expected, UnreadableError, judge
from bindproof.judge.lanes import LaneByLane
from bindproof.judge.log_differences import compare
from bindproof.judge.memory import Memory

__all__ = ["Expected", "LaneByLane", "Memory", "UnreadableError", "compare", "judge"]
