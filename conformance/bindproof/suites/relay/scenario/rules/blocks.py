"""What a scenario has to keep that has blocks: one is ended once, by the program, when all inside it has ended.

Enters: the steps of a complete scenario, those of the program first. Leaves: the rules that they break, in words. Must
not know spelling.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import inner_steps


def block_misfits(steps: list[Json]) -> Iterator[str]:
    """Say in words which rules the steps break, those inside callbacks too."""
    inside = {inner["as"] for step in steps for inner in inner_steps(step)}
    blocks = {step["as"] for step in steps if step.get("block")}
    for step in steps:
        if step["as"] in inside and (step.get("block") or (step.get("of") in blocks and step["step"] == "end")):
            yield f"step {step['as']!r}: a block is begun and ended by the program, and in no callback"
        if step["step"] == "end":
            yield from _misfit_end(step, step["of"] in blocks)
    yield from _misfit_nesting([step for step in steps if step["as"] not in inside])


def _misfit_end(step: Json, block: bool) -> Iterator[str]:
    name = step["as"]
    if step["raises"] is not None and not block:
        yield f"step {name!r}: `raises` ends a block, and {step['of']!r} is none"
    for member in ("output", "metadata"):
        if block and step[member] is not None:
            yield f"step {name!r}: the end of a block has no {member}"


def _misfit_nesting(steps: list[Json]) -> Iterator[str]:
    """steps: those of the program."""
    kinds = {step["as"]: step for step in steps if step["step"] == "start" and step["kind"] == "scope"}
    opened: list[str] = []
    for step in steps:
        if step["as"] in kinds:
            opened.append(step["as"])
        elif step["step"] == "end" and step["of"] in kinds:
            if step["of"] in opened and opened[-1] == step["of"]:
                opened.pop()
            elif kinds[step["of"]]["block"]:
                yield f"step {step['as']!r}: a block is ended once, when all scopes that are open in it have ended"
            elif any(kinds[name]["block"] for name in opened):
                yield f"step {step['as']!r}: beside blocks a scope is ended once, when it is the innermost one"
    for name in opened:
        if kinds[name]["block"]:
            yield f"step {name!r}: a block is ended before the program ends"
