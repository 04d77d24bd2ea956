"""Callbacks of generated programs that do in some of their entries what they do else in all.

Enters: the steps of a program, a source of choices. Leaves: the same steps, some with the op `each`. As questions are,
they are drawn last.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices

EACH_PERCENT = 15
"""Of a hundred programs so many may have callbacks that differ from entry to entry."""

MOST = 2
"""So many such callbacks at most."""

MEMBER = {"register": "do", "call": "provider"}
"""Kind of step → its member that has the ops."""

DONE_IN_SOME = frozenset(("edit", "raise", "next", "step"))
"""Ops that may be done in some entries only."""


def with_entries(choices: Choices, steps: list[Json]) -> list[Json]:
    """Return the steps of a program; a few callbacks do what they do in some entries only."""
    if not choices.chance(EACH_PERCENT) or any(step["step"] == "cancel" for step in steps):
        return steps
    able = [index for index, step in enumerate(steps) if _is_able(step)]
    varied = list(steps)
    for _ in range(min(len(able), choices.integer(1, MOST))):
        index = able.pop(choices.integer(0, len(able) - 1))
        member = MEMBER[varied[index]["step"]]
        varied[index] = varied[index] | {member: _varied(choices, varied[index][member])}
    return varied


def _is_able(step: Json) -> bool:
    ops = step.get(MEMBER.get(step["step"], ""))
    return bool(ops) and all(op["op"] in DONE_IN_SOME for op in ops[_kept(ops) :]) and len(ops) > _kept(ops)


def _kept(ops: list[Json]) -> int:
    """Return how many ops before the others are done in every entry."""
    return int(ops[0]["op"] == "mutate")


def _varied(choices: Choices, ops: list[Json]) -> list[Json]:
    kept, ops = ops[: _kept(ops)], ops[_kept(ops) :]
    lists = choices.pick(([ops, []], [[], ops], [[], ops, []], [ops[:1], ops[1:]]))
    return [*kept, {"op": "each", "ops": lists}]
