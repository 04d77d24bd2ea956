"""Planted faults of `relay` (stub)."""

from bindproof.suites import Fault

FAULTS: dict[str, Fault] = {}
