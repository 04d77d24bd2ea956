"""Whether each text that one pattern matches is matched by another, and which ones a pattern matches, if they are few.

Patterns are read as ECMA-262 has them, as JSON Schema says: `\\d` is one of ten digits there, and `$` is the end.

Enters: patterns. Leaves: answers, or None where nobody knows.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from bindproof.evolve.expressions import LAST, Machine, UnreadableError, letters_apart, machine_of

MOST_PAIRS: Final = 5000
"""What two machines may come to together."""

MOST_LETTERS: Final = 200_000
"""Letters that are tried for that."""

MOST_WORDS: Final = 100
"""Texts of a pattern that matches few."""


def included(narrow: str, wide: str) -> bool | None:
    """Tell whether the wide pattern matches each text that the narrow one matches; None where nobody knows."""
    try:
        return text_apart(narrow, wide) is None
    except UnreadableError:
        return None


def text_apart(narrow: str, wide: str) -> str | None:
    """Return a shortest text that the narrow pattern matches and the wide one does not; None where there is none.

    Raises UnreadableError where nobody knows.
    """
    one, other = machine_of(narrow), machine_of(wide)
    letters = list(letters_apart((one, other)))
    begun = one.closed([0]), other.closed([0])
    known = {begun}
    waiting = deque([(begun, "")])
    tried = 0
    while waiting:
        (left, right), text = waiting.popleft()
        if one.last in left and other.last not in right:
            return text
        tried += len(letters)
        if len(known) > MOST_PAIRS or tried > MOST_LETTERS:
            raise UnreadableError
        for letter in letters:
            after = one.after(left, letter), other.after(right, letter)
            if after[0] and after not in known:
                known.add(after)
                waiting.append((after, text + chr(letter)))
    return None


def words_of(pattern: str) -> list[str] | None:
    """Return every text that a pattern matches; None where they are many, or nobody knows."""
    try:
        machine = machine_of(pattern)
    except UnreadableError:
        return None
    found: list[str] = []
    waiting = [(machine.closed([0]), "")]
    tried = 0
    while waiting:
        states, text = waiting.pop()
        tried += 1
        if tried > 10 * MOST_WORDS or len(found) > MOST_WORDS or len(text) > len(machine.steps):
            return None
        if machine.last in states:
            found.append(text)
        letters = _letters(machine, states)
        if letters is None:
            return None
        waiting.extend((machine.after(states, letter), text + chr(letter)) for letter in letters)
    return sorted(found)


def _letters(machine: Machine, states: frozenset[int]) -> set[int] | None:
    """Return each letter by which these states lead on; None where they are many."""
    runs = [run for state in states for ranges, _ in machine.steps[state] for run in ranges]
    if any(last - first > MOST_WORDS or last == LAST for first, last in runs):
        return None
    return {letter for first, last in runs for letter in range(first, last + 1)}
