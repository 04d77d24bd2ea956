"""Which breaks a project allows in which release, and which of a comparison's it does not.

Enters: Findings, a policy that was read of a file or none. Leaves: Faults' words: the decisions that may not go into
the release, each with the direction. It needs no suite: any two folders of schemas have Findings.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from bindproof.evolve.answers import Answer, Decision, Direction
from bindproof.evolve.findings import Findings
from bindproof.spec.files.form import Form, Some, Words
from bindproof.spec.files.reader import read
from bindproof.spec.problem import Problem, SpecError

Release = Literal["patch", "minor", "major"]

RELEASES: Final[tuple[Release, ...]] = ("patch", "minor", "major")
"""From the smallest on; what one may have, every greater one may."""


class Allow(Form):
    """One kind of break that a release may have."""

    release: Release
    """The smallest release that may have it."""
    kinds: Some[str]
    """Kinds of differences as `bindproof evolve diff` names them, such as `property added`; `*` stands for any text."""
    directions: tuple[Direction, ...] = Field(default=("old_to_new", "new_to_old"))
    """Whom it may break. old_to_new: what old writers wrote, for new readers; new_to_old: the other way about."""
    unknown: bool = False
    """Whether that holds too where nobody knows what the difference breaks."""
    reason: Words
    """Why the project allows it."""


class Policy(Form):
    """What a project allows; without any entry nothing that breaks."""

    allow: tuple[Allow, ...] = ()
    """Each kind of break that is allowed."""

    def allows(self, release: Release, kind: str, answer: Answer, direction: Direction) -> bool:
        """Tell whether a release may have a difference of a kind that has this answer."""
        return any(
            RELEASES.index(one.release) <= RELEASES.index(release)
            and direction in one.directions
            and (answer.breaks is True or one.unknown)
            and any(fnmatchcase(kind, pattern) for pattern in one.kinds)
            for one in self.allow
        )


def read_policy(path: Path) -> Policy:
    """Return a file's policy. Raises SpecError with every fault of it."""
    problems: list[Problem] = []
    found = read(path, str(path), Policy, problems)
    if problems or found is None:
        raise SpecError(problems)
    return found.value


def forbidden(findings: Findings, policy: Policy, release: Release) -> Iterator[tuple[Decision, Direction]]:
    """Yield what the release may not have, each with whom it breaks.

    All differences together are among them only in a direction in which none breaks by itself: what is allowed of each
    is allowed of all.
    """
    for direction in findings.directions:
        alone = [one for one in findings.each if not one.answer(direction).is_safe]
        for decision in alone:
            kind = decision.difference.kind if decision.difference else ""
            if not policy.allows(release, kind, decision.answer(direction), direction):
                yield decision, direction
        whole = findings.together
        if not alone and whole is not None and not whole.answer(direction).is_safe:
            yield whole, direction
