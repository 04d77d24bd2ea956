"""Texts of a language from choices: what a generator needs where what is given is an expression.

Enters: rules, and choices. Leaves: texts that the rules make. Must not know what the texts mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from bindproof.suite_api import Choices

_PLACE: Final = re.compile(r"<([a-z][a-z0-9_-]*)>")

Parts = tuple[str, ...]
"""An alternative: texts, and between two of them the name of a rule."""


class Grammar:
    """A language: for each rule its alternatives, in which `<name>` stands for a text of the rule of that name.

    Earlier alternatives are simpler; one that stands there twice is chosen twice as often. depth: so deep rules go into
    each other, or as deep as a rule needs to come to an end. Raises ValueError for a rule that is not there or that
    never ends.
    """

    def __init__(self, rules: Mapping[str, Sequence[str]], *, depth: int = 4) -> None:
        self._rules: dict[str, list[Parts]] = {
            name: [tuple(_PLACE.split(alternative)) for alternative in alternatives]
            for name, alternatives in rules.items()
        }
        self._depth = depth
        self._heights = self._measured()
        for name in self._rules:
            if name not in self._heights:
                raise ValueError(f"no text of the rule <{name}> ever ends")

    def text(self, choices: Choices, rule: str) -> str:
        """Return a text of a rule."""
        return self._text(choices, rule, max(self._depth, self._heights[rule]))

    def _text(self, choices: Choices, rule: str, depth: int) -> str:
        possible = [parts for parts in self._rules[rule] if self._height(parts) < depth]
        parts = choices.pick(possible or [min(self._rules[rule], key=self._height)])
        return "".join(self._text(choices, one, depth - 1) if at % 2 else one for at, one in enumerate(parts))

    def _height(self, parts: Parts) -> int:
        return max((self._heights[name] for name in parts[1::2]), default=0)

    def _measured(self) -> dict[str, int]:
        """Return of each rule that ends how many rules go into each other in its lowest text."""
        heights: dict[str, int] = {}
        missing = {name for one in self._rules.values() for parts in one for name in parts[1::2]} - self._rules.keys()
        if missing:
            raise ValueError(f"there is no rule <{min(missing)}>")
        for height in range(1, len(self._rules) + 1):
            ending = {
                name
                for name, alternatives in self._rules.items()
                if any(all(part in heights for part in parts[1::2]) for parts in alternatives)
            }
            heights |= dict.fromkeys(ending - heights.keys(), height)
        return heights
