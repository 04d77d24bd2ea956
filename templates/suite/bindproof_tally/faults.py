"""Planted faults: filters between an adapter and the judge. Each breaks what it names and nothing else."""

from __future__ import annotations

from bindproof.suite_api import Fault, Json


def _adds_one_less(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
    for record, step in zip(log, full["steps"], strict=True):
        if step["step"] == "add" and step["number"]:
            return _goes_on(full, log, record["step"], record["total"] - 1)
    return None


def _falls_below_zero(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
    before = 0
    for record, step in zip(log, full["steps"], strict=True):
        if step["step"] == "take" and step["number"] > before:
            return _goes_on(full, log, record["step"], before - step["number"])
        before = record["total"]
    return None


def _goes_on(full: Json, log: list[Json], at: int, wrong: int) -> list[Json]:
    """Return the log with a wrong total at one step, from which all later steps count on rightly."""
    spoiled = [*log[:at], {**log[at], "total": wrong}]
    for step in full["steps"][at + 1 :]:
        total = spoiled[-1]["total"]
        wanted = total + step["number"] if step["step"] == "add" else max(0, total - step["number"])
        spoiled.append({"fact": "done", "step": len(spoiled), "total": wanted})
    return spoiled


FAULTS = {
    fault.name: fault
    for fault in (
        Fault("adds_one_less", "the first addition is one short", ("TAL-001",), _adds_one_less),
        Fault("falls_below_zero", "a total becomes negative", ("TAL-002",), _falls_below_zero),
    )
}
