"""An expression as ECMA-262 has it, as a machine that goes through a text letter by letter.

Enters: a pattern. Leaves: a Machine, which matches the texts in which the pattern is found, whole. Raises
UnreadableError for what is not read here: looking around, references back, boundaries, properties of letters, anchors
inside, and what repeats too often.

Kept libraries that compare such languages, greenery and interegular, make the whole machine first: of a name of at most
63 letters that is found anywhere in a text they take minutes. Here only what two machines come to together is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

Ranges = tuple[tuple[int, int], ...]
"""Letters, by their code points: the first and the last of each run, in order."""

MOST_STATES: Final = 4000
"""States of a machine: an expression is written out as often as it may repeat."""

DEEPEST: Final = 50
"""Groups in one another: each is read within the one around it."""

LAST: Final = 0x10FFFF

_COUNTED: Final = re.compile(r"\{(\d{1,4})(?:(,)(\d{1,4})?)?\}")
_HEX: Final = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})")


class UnreadableError(ValueError):
    """The expression has what is not read here, or asks for more than is made."""


def ranges_of(*parts: str | tuple[int, int]) -> Ranges:
    """Return the letters of texts and runs, joined and in order."""
    runs: list[tuple[int, int]] = []
    for part in parts:
        runs.extend([part] if isinstance(part, tuple) else [(ord(letter), ord(letter)) for letter in part])
    found: list[tuple[int, int]] = []
    for first, last in sorted(runs):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return tuple(found)


def others_than(ranges: Ranges) -> Ranges:
    """Return all other letters. What is half of a letter is none."""
    found: list[tuple[int, int]] = []
    start = 0
    for first, last in ranges_of(*ranges, (0xD800, 0xDFFF)):
        if first > start:
            found.append((start, first - 1))
        start = last + 1
    return (*found, (start, LAST)) if start <= LAST else tuple(found)


ANY: Final = others_than(())
_DIGITS: Final = ranges_of("0123456789")
_IN_WORDS: Final = ranges_of((ord("a"), ord("z")), (ord("A"), ord("Z")), *_DIGITS, "_")
_BLANKS: Final = ranges_of("\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", (0x2000, 0x200A))
_SETS: Final = {
    "d": _DIGITS,
    "D": others_than(_DIGITS),
    "w": _IN_WORDS,
    "W": others_than(_IN_WORDS),
    "s": _BLANKS,
    "S": others_than(_BLANKS),
}
_NAMED: Final = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_DOT: Final = others_than(ranges_of("\n\r\u2028\u2029"))


class Machine:
    """States, of which 0 is the first; a step by a letter leads on, a free one may be taken at any time."""

    def __init__(self) -> None:
        self.steps: Final[list[list[tuple[Ranges, int]]]] = [[]]
        self.free: Final[list[list[int]]] = [[]]
        self.last = 0
        """The state in which a text has been matched."""

    def state(self) -> int:
        """Return a new state. Raises UnreadableError where there are too many."""
        if len(self.steps) >= MOST_STATES:
            raise UnreadableError
        self.steps.append([])
        self.free.append([])
        return len(self.steps) - 1

    def closed(self, states: Iterable[int]) -> frozenset[int]:
        """Return states with all that free steps lead to."""
        found = set(states)
        waiting = list(found)
        while waiting:
            for after in self.free[waiting.pop()]:
                if after not in found:
                    found.add(after)
                    waiting.append(after)
        return frozenset(found)

    def after(self, states: frozenset[int], letter: int) -> frozenset[int]:
        """Return where a letter leads to."""
        return self.closed(
            after
            for state in states
            for ranges, after in self.steps[state]
            if any(first <= letter <= last for first, last in ranges)
        )


@lru_cache(maxsize=256)
def machine_of(pattern: str) -> Machine:
    """Return the machine of a pattern. Raises UnreadableError."""
    return _Reader(pattern).whole()


class _Reader:
    """Reads a pattern from its start to its end, and makes states on the way."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._depth = 0
        self._machine = Machine()

    def whole(self) -> Machine:
        made = self._machine
        made.last = made.state()
        while True:
            start = made.state()
            made.free[0].append(start)
            if not self._taken("^"):
                made.steps[start].append((ANY, start))
            end = self._sequence(start)
            if not self._taken("$"):
                made.steps[end].append((ANY, end))
            made.free[end].append(made.last)
            if not self._taken("|"):
                break
        if self._at < len(self._pattern):
            raise UnreadableError
        return made

    def _taken(self, letter: str) -> bool:
        if self._pattern[self._at : self._at + 1] != letter:
            return False
        self._at += 1
        return True

    def _next(self) -> str:
        if self._at >= len(self._pattern):
            raise UnreadableError
        self._at += 1
        return self._pattern[self._at - 1]

    def _sequence(self, start: int) -> int:
        """Read terms up to the end of an alternative; return the state behind them."""
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)$":
            start = self._term(start)
        return start

    def _term(self, start: int) -> int:
        before = self._at
        end = self._atom(start)
        behind = self._at
        least, most = self._quantifier()
        if (least, most) == (1, 1):
            return end
        after = self._at
        for _ in range(least - 1):
            end = self._again(before, end)
        if most is None:
            loop = self._machine.state()
            self._machine.free[end if least else start].append(loop)
            inner = self._again(before, loop)
            self._machine.free[inner].append(loop)
            end = loop
        else:
            ends = [end] if least else [start, end]
            for _ in range(most - max(least, 1)):
                ends.append(self._again(before, ends[-1]))
            end = self._machine.state()
            for one in ends if most else [start]:
                self._machine.free[one].append(end)
        self._at = after if after > behind else behind
        return end

    def _again(self, at: int, start: int) -> int:
        """Write out once more what was read from a place on."""
        self._at = at
        return self._atom(start)

    def _quantifier(self) -> tuple[int, int | None]:
        """Read how often a term stands, at least and at most, if there is an end; lazy ones match the same texts."""
        counted = _COUNTED.match(self._pattern, self._at)
        if counted:
            self._at = counted.end()
            least = int(counted[1])
            most = None if counted[2] and not counted[3] else int(counted[3] or least)
        else:
            sign = self._pattern[self._at : self._at + 1]
            found = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(sign)
            if found is None:
                return 1, 1
            self._at += 1
            least, most = found
        if most is not None and most < least:
            raise UnreadableError
        self._taken("?")
        return least, most

    def _atom(self, start: int) -> int:
        letter = self._next()
        if letter == "(":
            return self._group(start)
        if letter in "^$*+?{}]|)":
            raise UnreadableError
        end = self._machine.state()
        self._machine.steps[start].append((self._letters(letter), end))
        return end

    def _group(self, start: int) -> int:
        self._depth += 1
        if self._depth > DEEPEST or (self._taken("?") and not self._taken(":")):
            raise UnreadableError
        end = self._machine.state()
        while True:
            inner = self._machine.state()
            self._machine.free[start].append(inner)
            self._machine.free[self._sequence(inner)].append(end)
            if self._taken(")"):
                self._depth -= 1
                return end
            if not self._taken("|"):
                raise UnreadableError

    def _letters(self, letter: str) -> Ranges:
        if letter == ".":
            return _DOT
        if letter == "[":
            return self._class()
        return self._escaped() if letter == "\\" else ranges_of(letter)

    def _escaped(self) -> Ranges:
        code = _HEX.match(self._pattern, self._at)
        if code:
            self._at = code.end()
            point = int(code[1] or code[2], 16)
            if 0xD800 <= point <= 0xDFFF:
                raise UnreadableError
            return ((point, point),)
        letter = self._next()
        if letter in _SETS:
            return _SETS[letter]
        if (letter.isalnum() and letter not in _NAMED) or letter == "_" or not letter.isascii():
            raise UnreadableError
        return ranges_of(_NAMED.get(letter, letter))

    def _class(self) -> Ranges:
        is_other = self._taken("^")
        parts: list[tuple[int, int]] = []
        while not self._taken("]"):
            first = self._of_class()
            if self._pattern[self._at : self._at + 1] == "-" and self._pattern[self._at + 1 : self._at + 2] != "]":
                self._at += 1
                last = self._of_class()
                if not (_is_one(first) and _is_one(last) and first[0][0] <= last[0][0]):
                    raise UnreadableError
                first = ((first[0][0], last[0][0]),)
            parts.extend(first)
        if not parts:
            raise UnreadableError
        return others_than(ranges_of(*parts)) if is_other else ranges_of(*parts)

    def _of_class(self) -> Ranges:
        letter = self._next()
        return self._escaped() if letter == "\\" else ranges_of(letter)


def _is_one(ranges: Ranges) -> bool:
    return len(ranges) == 1 and ranges[0][0] == ranges[0][1]


def letters_apart(machines: Iterable[Machine]) -> Iterator[int]:
    """Yield one letter of each kind that any of these machines tells from others, one that is easy to read if any."""
    every = {ranges for machine in machines for steps in machine.steps for ranges, _ in steps}
    bounds = sorted({0, 0xE000, *(point for ranges in every for first, last in ranges for point in (first, last + 1))})
    kinds: dict[frozenset[Ranges], int] = {}
    for start, end in zip(bounds, [*bounds[1:], LAST + 1], strict=True):
        if start > LAST or 0xD800 <= start <= 0xDFFF:
            continue
        kind = frozenset(ranges for ranges in every if any(first <= start <= last for first, last in ranges))
        best = min(max(start, ord("a")), end - 1)
        if kind not in kinds or _effort(best) < _effort(kinds[kind]):
            kinds[kind] = best
    yield from sorted(kinds.values(), key=_effort)


def _effort(point: int) -> tuple[bool, bool, int]:
    letter = chr(point)
    return not (letter.isascii() and letter.isalnum()), not (letter.isascii() and letter.isprintable()), point
