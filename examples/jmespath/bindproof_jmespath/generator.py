"""Expressions from choices: `bindproof fuzz` makes the choices, from a seed."""

from __future__ import annotations

from bindproof.suite_api import Choices, Json
from bindproof_jmespath.functions import FUNCTIONS

GIVEN: Json = {
    "numbers": [10, 9, 1, -2.5],
    "texts": ["b", "a", "c"],
    "people": [{"name": "x", "age": 30}, {"name": "y", "age": 4}],
    "none": None,
    "empty": [],
    "nested": [[1, 2], [], 3],
}
NAMES = (*GIVEN, "name", "age", "missing")
DEPTH = 3


def generate(choices: Choices) -> Json:
    """Return a scenario; the first of what can be chosen is the simplest."""
    return {"expression": _expression(choices, DEPTH), "given": GIVEN}


def _expression(choices: Choices, depth: int) -> str:
    def inner() -> str:
        return _expression(choices, depth - 1)

    if depth == 0 or choices.chance(25):
        return str(choices.pick((*NAMES, "@", "`0`", "`1.5`", "`true`", "`[]`", "'b'")))
    kind = choices.integer(0, 9)
    if kind <= 3:
        name = choices.pick(sorted(FUNCTIONS))
        types = [one for one in FUNCTIONS[name][0] if one != "..."]
        return f"{name}({', '.join(('&' if one == 'expression' else '') + inner() for one in types)})"
    name, sign = choices.pick(NAMES), choices.pick(("==", "<", ">=", "||", "&&"))
    shapes = (
        lambda: f"{inner()}[*].{name}",
        lambda: f"{inner()} {sign} {inner()}",
        lambda: f"{inner()} | {inner()}",
        lambda: f"{inner()}[?{inner()}]",
        lambda: f"{inner()}[{choices.integer(0, 3)}:{choices.integer(0, 3)}]",
        lambda: f"[{inner()}, {inner()}]",
    )
    return str(shapes[kind - 4]())
