"""The tokens of a text, for a parser by hand: what comes next, and taking it.

Enters: a text and a pattern whose named groups are the kinds of tokens. Leaves: kinds and values, one after the other.
Standard library only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from bindproof_reference.functions import Refused

END = "end"
"""The kind of what stands behind the last token."""


class Tokens:
    """What is left of a text.

    pattern: one group of it matches, whose name is the token's kind; white space before a token is its matter.
    values: of some kinds, what a token's value is, in place of its text. kind: of the error that a text is refused
    with which has no such tokens, or whose value cannot be made (ValueError).
    """

    def __init__(
        self, text: str, pattern: re.Pattern[str], values: Mapping[str, Callable[[str], Any]], kind: str
    ) -> None:
        self._kind, self._tokens, at = kind, [], 0
        text = text.rstrip()
        while at < len(text):
            found = pattern.match(text, at)
            if found is None or found.lastgroup is None or found.end() == at:
                self.refuse()
            try:
                value = values.get(found.lastgroup, str)(found[found.lastgroup])
            except ValueError:
                self.refuse()
            self._tokens.append((found.lastgroup, value))
            at = found.end()
        self._tokens.append((END, None))

    _tokens: list[tuple[str, Any]]

    def refuse(self) -> NoReturn:
        """Raise Refused of the kind of a text that is not of the language."""
        raise Refused(self._kind)

    def next(self, at: int = 0) -> tuple[str, Any]:
        """Return kind and value of the token that comes next, or so many behind it."""
        return self._tokens[min(at, len(self._tokens) - 1)]

    def sees(self, *values: str, at: int = 0) -> bool:
        """Tell whether the next token, or the one so many behind it, is one of these, of the kind `sign`."""
        kind, value = self.next(at)
        return kind == "sign" and value in values

    def take(self, *values: str) -> tuple[str, Any]:
        """Return kind and value of the next token and leave it behind; with signs, it has to be one of them."""
        if (values and not self.sees(*values)) or self.next()[0] == END:
            self.refuse()
        return self._tokens.pop(0)
