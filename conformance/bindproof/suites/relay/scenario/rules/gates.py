"""What a scenario has to keep that has gates, so that it is known who takes part in what.

Enters: the steps of a complete scenario, and what is in them. Leaves: the rules that they break, in words. Must not
know spelling.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json


def gate_misfits(steps: list[Json], said: frozenset[str]) -> Iterator[str]:
    """Say in words which rules the steps break. said: see `program.words`."""
    if "install" in said:
        yield "beside a gate no plugin is installed: by which name a gate finds what a plugin has is left open"
    if "background" in said or any(step.get("drain") is False for step in steps):
        yield "beside a gate no call is in the background, and each stream is drained: when it is asked is left open"
    for step in steps:
        if step["step"] != "gate":
            continue
        if step["reason"] is not None and step["raises"] is not None:
            yield f"step {step['as']!r}: a gate gives a reason or raises: leave one of them out"
        if len(set(step["families"])) < len(step["families"]):
            yield f"step {step['as']!r}: a family stands in the list once"
