"""How a question about a change is answered: the grade, what it breaks and what shows that.

Enters: nothing. Leaves: the values that every report is made of. Must not know how an answer is found.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import Struct

from bindproof.core.model import Json
from bindproof.evolve.difference import Difference

Grade = Literal["PROVED", "WITNESS", "RULE", "UNKNOWN"]
"""How an answer is known: by a proof, by an instance, by a rule of ours that stands beside it, or not at all."""

Direction = Literal["old_to_new", "new_to_old"]

DIRECTIONS: Final[tuple[Direction, ...]] = ("old_to_new", "new_to_old")

MEANINGS: Final = {
    "old_to_new": "what old writers wrote, for new readers",
    "new_to_old": "what new writers write, for old readers",
}


class Answer(Struct, frozen=True):
    """Whether what one side writes can be read by the other."""

    grade: Grade
    breaks: bool | None
    """True where something is refused, False where nothing is, None where the grade is UNKNOWN."""
    why: str
    """One sentence."""
    witness: Json = msgspec.UNSET
    """A value that the writing side takes and the reading side refuses."""
    entry: str = ""
    """The file, with the place in it, that the witness was held against."""

    @property
    def is_safe(self) -> bool:
        """Whether nothing is refused, and that is known."""
        return self.breaks is False


class Decision(Struct, frozen=True):
    """What one difference breaks, or all of them together."""

    old_to_new: Answer
    new_to_old: Answer
    difference: Difference | None = None
    """The difference; None for all together."""

    def answer(self, direction: Direction) -> Answer:
        """Return the answer for one direction."""
        return self.old_to_new if direction == "old_to_new" else self.new_to_old

    @property
    def is_safe(self) -> bool:
        """Whether it is safe in both directions."""
        return self.old_to_new.is_safe and self.new_to_old.is_safe
