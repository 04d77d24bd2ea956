"""Regular expressions that people write into files: found in time that grows with the text, and with nothing else.

Enters: an expression as text. Leaves: a Pattern that searches, or a PatternError with the reason. Must not know what is
searched for. `re2` is imported on first use, to keep starting quick.

The expressions are those of RE2, which are Python's but for what takes a matcher back over what it has read: there is
no looking around (`(?=`, `(?!`, `(?<=`, `(?<!`) and no reference to a group (`\\1`). `\\d`, `\\w` and `\\s` are ASCII,
and `$` is the end of the text alone.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final, Protocol

LONGEST: Final = 4096
"""Characters of an expression."""

_SHORT: Final = 1024
"""Characters of a text for which the answer is remembered: the messages of a binding come again and again."""


class PatternError(ValueError):
    """The text is no expression that may stand in a file; the message says why, and what to write instead."""


class _Engine(Protocol):
    """What is used of a compiled expression of RE2."""

    def search(self, text: bytes, /) -> object | None: ...


class Pattern:
    """A compiled expression. text: as it was written."""

    __slots__ = ("_compiled", "_remembered", "text")

    def __init__(self, text: str, compiled: _Engine) -> None:
        self.text = text
        self._compiled = compiled
        self._remembered = lru_cache(maxsize=256)(self._search)

    def search(self, text: str) -> bool:
        """Tell whether it is found anywhere in a text; a lone surrogate in the text is found by `?` and `.` alone."""
        return self._remembered(text) if len(text) <= _SHORT else self._search(text)

    def _search(self, text: str) -> bool:
        return self._compiled.search(text.encode("utf-8", "replace")) is not None


@lru_cache(maxsize=1024)
def compile_pattern(text: str) -> Pattern:
    """Return the compiled expression. Raises PatternError."""
    import re2

    if len(text) > LONGEST:
        raise PatternError(f"{text[:40]!r}… is an expression of {len(text)} characters; write one of {LONGEST} at most")
    try:
        return Pattern(text, re2.compile(text.encode(), _options()))
    except UnicodeEncodeError:
        raise PatternError(f"{text!r} is no regular expression: it holds a lone surrogate") from None
    except re2.error as error:
        raise PatternError(f"{text!r} is no regular expression: {_reason(error)}") from None


@cache
def _options() -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False  # it would write them to stderr
    options.never_capture = True  # nobody asks for groups, and without them it is quicker
    return options


def _reason(error: Exception) -> str:
    """Return what RE2 says, with advice where what it refuses is known from other engines."""
    said = error.args[0] if error.args else str(error)
    words = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    if any(mark in words for mark in ("(?=", "(?!", "(?<")):
        return f"{words}; looking ahead or behind is not allowed, as it may take for ever"
    if words.startswith("invalid escape sequence") and words[-1:].isdigit():
        return f"{words}; a reference to a group is not allowed, as it may take for ever"
    return words
