"""Texts of a language from choices: what a generator needs where what is given is an expression.

Enters: rules, and choices. Leaves: texts that the rules make. Must not know what the texts mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bindproof.suite_api import Choices
from bindproof.suite_api.derivations import Derivations, Parts

_PLACE: Final = re.compile(r"<([a-z][a-z0-9_-]*)>")


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

    def parts(self, text: str, rule: str) -> list[str]:
        """Return the shorter texts of a rule that a text of it is made of, the shortest first; none of other texts."""
        whole = Derivations(self._rules, text).whole(rule)
        nodes = () if whole is None else whole.within()
        return _shortest(text, (text[one.begin : one.end] for one in nodes if one.rule == rule))

    def smaller(self, text: str, rule: str) -> list[str]:
        """Return shorter texts of a rule, the shortest first; none of a text that is not of the rule.

        In each a part of the text is one that it is made of itself, by the same rule, or the shortest of its rule.
        """
        whole = Derivations(self._rules, text).whole(rule)
        if whole is None:
            return []
        found = [
            text[: node.begin] + instead + text[node.end :]
            for node in (whole, *whole.within())
            for instead in (
                self._least(node.rule),
                *(text[one.begin : one.end] for one in node.within() if one.rule == node.rule),
            )
        ]
        return _shortest(text, found)

    def _least(self, rule: str) -> str:
        """Return the shortest text that a rule makes by its lowest alternatives."""
        return min(
            (
                "".join(self._least(one) if at % 2 else one for at, one in enumerate(parts))
                for parts in self._rules[rule]
                if self._height(parts) < self._heights[rule]
            ),
            key=len,
        )

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


def _shortest(text: str, found: Iterable[str]) -> list[str]:
    """Return what is shorter than a text, each once, the shortest first."""
    return sorted({one for one in found if len(one) < len(text)}, key=lambda one: (len(one), one))
