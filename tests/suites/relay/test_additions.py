"""What is added to a generated program last, wherever in it, leaves a program that may be acted out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay.generators.awaiting import with_odd
from bindproof.suites.relay.generators.contexts import with_contexts
from bindproof.suites.relay.scenario.complete import all_steps
from bindproof.suites.relay.scenario.defaults import fill
from bindproof.suites.relay.scenario.rules.program import misfit

Json = Any

WAITING = {"op": "wait", "latch": "y"}

AROUND_CALLS: list[Json] = [
    {"step": "call", "name": "t", "kind": "tool"},
    {"step": "register", "family": "tool.execution", "name": "r", "do": [WAITING, {"op": "next"}]},
    {"step": "open", "latch": "y"},
    {"step": "call", "name": "u", "kind": "tool"},
]
"""A call that the program waits for may stand before what waits around it, and after its latch is open."""

CANCELLED: list[Json] = [
    {"step": "call", "as": "c", "name": "t", "kind": "tool", "background": True, "provider": [WAITING]},
    {"step": "cancel", "of": "c"},
    {"step": "flush"},
]
"""Nothing is registered until a cancelled call's end is told."""

SEEDS = 2000


@pytest.mark.parametrize(
    ("add", "steps", "word"),
    [
        (with_contexts, AROUND_CALLS, "context"),
        (lambda choices, steps: with_odd(choices, None, steps), CANCELLED, "register"),
    ],
    ids=["contexts", "odd"],
)
def test_an_addition_wherever_it_is_drawn_leaves_a_legal_program(
    add: Callable[[SeededChoices, list[Json]], list[Json]], steps: list[Json], word: str
) -> None:
    drawn = [add(SeededChoices(seed), steps) for seed in range(SEEDS)]
    added = [program for program in drawn if program != steps]
    assert any(step["step"] == word for program in added for step in program)
    assert [misfit(all_steps(fill({"steps": program}))) for program in added] == [None] * len(added)
