"""Expressions from choices: `bindproof fuzz` makes the choices, from a seed."""

from bindproof.suite_api import Choices, Json
from bindproof.suite_api.grammar import Grammar
from bindproof_jmespath.functions import FUNCTIONS

GIVEN: Json = {
    "numbers": [10, 9, 1, -2.5],
    "texts": ["b", "a", "c"],
    "people": [{"name": "x", "age": 30}, {"name": "y", "age": 4}],
    "none": None,
    "empty": [],
    "nested": [[1, 2], [], 3],
}
SHAPES = ("<x>[*].<name>", "<x> <sign> <x>", "<x> | <x>", "<x>[?<x>]", "<x>[<at>:<at>]", "[<x>, <x>]")
FITTING = {"array of number": "numbers", "array": "people", "expression": "&age", "string": "'b'", "object": "@"}
GRAMMAR = Grammar(
    {
        "x": ("<plain>", "<plain>", "<call>", "<call>", "<call>", *SHAPES),
        "plain": ("<name>", "<name>", "@", "`0`", "`1.5`", "`true`", "`[]`", "'b'"),
        "name": (*GIVEN, "name", "age", "missing"),
        "sign": ("==", "<", ">=", "||", "&&"),
        "at": ("0", "1", "2", "3"),
        "call": [
            f"{name}({', '.join(words.get(one.partition('|')[0], '<x>') for one in types if one != '...')})"
            for name, (types, _) in sorted(FUNCTIONS.items())
            for words in ({"expression": "&<x>"}, FITTING)
        ],
    }
)


def generate(choices: Choices) -> Json:
    """Return a scenario; the first of what can be chosen is the simplest."""
    return {"expression": GRAMMAR.text(choices, "x"), "given": GIVEN}
