"""The names, constants, texts and numbers in schemas: what values are drawn from that are near to what is refused.

Enters: Schemas of both sides. Leaves: Words, which every search of a comparison shares.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeGuard

from bindproof.core.model import Json
from bindproof.evolve.keywords import nodes
from bindproof.evolve.schemas import Schemas

LONGEST: Final = 300
"""Characters of a text and items of a list, where a bound asks for many."""

_TEXTS: Final = ("", "a", "b", "x", "1", "ab", "A", "aaa", "é", "no date", "x-a", "key")
_NUMBERS: Final = (0, 1, -1, 2, 3, 10, 0.5, 1.5, -0.5, 100)


class Words:
    """What is written in some schemas."""

    def __init__(self, sides: Iterable[Schemas]) -> None:
        self.names: Final[list[str]] = []
        """Of members."""
        self.values: Final[list[Json]] = []
        """Constants, enums, defaults and examples."""
        self.texts: Final[list[str]] = list(_TEXTS)
        """Usual ones, and some about as long as bounds say."""
        self.numbers: Final[list[float]] = list(_NUMBERS)
        """Usual ones, and some about as large as bounds say."""
        for side in sides:
            for schema in side.values():
                self._gather(schema.root)
        self.said: Final = [value for value in self.values if isinstance(value, str)]
        """Those of the values that are texts."""

    def _gather(self, root: Json) -> None:
        for _, node in nodes(root):
            if not isinstance(node, dict):
                continue
            for keyword in ("properties", "patternProperties", "dependentRequired", "dependentSchemas"):
                self.names.extend(dict_of(node.get(keyword)))
            self.names.extend(name for name in list_of(node.get("required")) if isinstance(name, str))
            self.values.extend(list_of(node.get("enum"))[:50])
            self.values.extend(node[key] for key in ("const", "default") if key in node)
            self.values.extend(list_of(node.get("examples"))[:10])
            for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
                if is_number(node.get(keyword)):
                    self.numbers.extend((node[keyword], node[keyword] + 1, node[keyword] - 1, node[keyword] + 0.5))
            for keyword in ("minLength", "maxLength"):
                if is_number(node.get(keyword)) and 0 <= node[keyword] <= LONGEST:
                    self.texts.extend("a" * max(0, int(node[keyword]) + step) for step in (-1, 0, 1))


def list_of(value: Json) -> list[Json]:
    """Return a value that is a list, else none of them."""
    return value if isinstance(value, list) else []


def dict_of(value: Json) -> dict[str, Json]:
    """Return a value that is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def is_number(value: Json) -> TypeGuard[int | float]:
    """Tell whether a value is a number as JSON has it."""
    return isinstance(value, int | float) and not isinstance(value, bool)
