"""Judging: an observation against its prediction and the requirement checks. Never sees a process."""

from bindproof.judge.judging import judge
from bindproof.judge.lanes import lane_by_lane
from bindproof.judge.match import compare
from bindproof.judge.memory import Memory

__all__ = ["Memory", "compare", "judge", "lane_by_lane"]
