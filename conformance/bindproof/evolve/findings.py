"""What a comparison of two sides came to.

Enters: two Sides. Leaves: Findings, with the exit code. Must not know how they are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, Literal

from msgspec import Struct

from bindproof.evolve.answers import DIRECTIONS, Decision, Direction
from bindproof.evolve.bounded import PATIENCE, Patience, decisions
from bindproof.evolve.compare import TRIES
from bindproof.evolve.requirements import requirement_decisions
from bindproof.evolve.seeds import seeds_of
from bindproof.evolve.sides import Side
from bindproof.evolve.spelling import spelled_as
from bindproof.spec.change_check import changed_requirements
from bindproof.spec.changes import Change

Conclusion = Literal["compatible", "breaking", "unknown", "nothing"]

EXIT_CODES: Final = {"compatible": 0, "breaking": 1, "nothing": 3, "unknown": 4}
"""By outcome; a break counts before what nobody knows."""


class Findings(Struct, frozen=True):
    """What was found."""

    old: str
    new: str
    """What was compared, as it was typed."""
    old_place: str
    new_place: str
    """What the names of files are below."""
    schemas: tuple[Decision, ...]
    """One for each difference of schemas."""
    together: Decision | None
    """All differences of schemas at once; None where there are no schemas."""
    requirements: tuple[Decision, ...]
    """One for each difference of requirements."""
    directions: tuple[Direction, ...] = DIRECTIONS
    """Those that were asked for."""
    compared: int = 0
    """Schemas and requirements that both sides have."""
    revisions: tuple[str, str] = ("", "")
    """What stands before a path of the old side, and of the new one, where it is of a revision."""

    @property
    def each(self) -> tuple[Decision, ...]:
        """Every difference by itself."""
        return (*self.schemas, *self.requirements)

    def outcome(self) -> Conclusion:
        """Return what it all comes to, in the directions that were asked for.

        Of schemas that is what all differences do together: one may undo another.
        """
        if not self.compared and not self.each:
            return "nothing"
        whole = [*([self.together] if self.together else ()), *self.requirements]
        answers = [decision.answer(direction) for decision in whole for direction in self.directions]
        if any(answer.breaks for answer in answers):
            return "breaking"
        return "compatible" if all(answer.is_safe for answer in answers) else "unknown"

    def blocks(self, decision: Decision) -> bool:
        """Tell whether a decision breaks something, or nobody knows, in the directions that were asked for."""
        return not all(decision.answer(direction).is_safe for direction in self.directions)


def compared(
    old: Side,
    new: Side,
    *,
    directions: Sequence[Direction] = DIRECTIONS,
    patience: Patience = PATIENCE,
    tries: int = TRIES,
) -> Findings:
    """Compare two sides. tries: values that are drawn where nothing is proved."""
    seeds = partial(seeds_of, old, new)
    before = spelled_as(old.schemas, new.schemas)
    found = list(decisions(before, new.schemas, seeds, patience, tries)) if _any(old, new) else []
    return Findings(
        old.word,
        new.word,
        old.place,
        new.place,
        tuple(found[:-1]),
        found[-1] if found else None,
        tuple(_rules(old, new)),
        tuple(directions),
        len(old.schemas.keys() & new.schemas.keys()) + len(old.rules.keys() & new.rules.keys()),
        (old.revision, new.revision),
    )


def _any(old: Side, new: Side) -> bool:
    return bool(old.schemas or new.schemas)


def _rules(old: Side, new: Side) -> Iterator[Decision]:
    if old.spec is None or new.spec is None or old.spec.name != new.spec.name:
        return
    if old.edition is None or new.edition is None:
        both = frozenset(old.spec.edition_names) & frozenset(new.spec.edition_names)
        yield from requirement_decisions(old.rules, new.rules, both if old.edition == new.edition else None)
        return
    first, second = sorted((old.edition, new.edition), key=old.spec.edition_names.index)
    spoken = changed_requirements(old.spec, Change(first, second, ""))
    for decision in requirement_decisions(old.rules, new.rules):
        if decision.difference is None or decision.difference.place[0] in spoken:
            yield decision
