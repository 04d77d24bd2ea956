"""What is wrong with a file of the spec, said so that the author can go there and mend it.

Enters: nothing. Leaves: the two types that every other module of `spec` reports with. Must not know what a spec holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct

from bindproof.core import errors

MOST_ALIKE: Final = 3
"""Problems with the same words that are told in a summary, each at another place."""

MOST_TOLD: Final = 20
"""Problems that are told in a summary: about a screen."""

_Place = TypeVar("_Place")
_Read = TypeVar("_Read")


class Problem(Struct, frozen=True, order=True):
    """One thing that is wrong: the file (relative to the data root, with slashes), its line from 1, and plain words."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        """`file:line: text`, the form that editors understand."""
        return f"{self.file}:{self.line}: {self.text}"


def placed(problem: Problem, roots: Iterable[Path]) -> str:
    """Return a problem with the path of its file as whoever reads it can open it. roots: where the file may lie."""
    path = next((root / problem.file for root in roots if (root / problem.file).exists()), Path(problem.file))
    here = Path.cwd()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    return f"{shown}:{problem.line}: {problem.text}"


def summary(problems: Iterable[Problem], roots: Sequence[Path], how_to_see_all: str) -> list[str]:
    """Return lines of the first problems, in their order, as `placed` writes each, and of how many more there are.

    One mistake may have hundreds of files say the same. how_to_see_all: the command that tells each.
    """
    alike: dict[str, list[Problem]] = {}
    for problem in problems:
        alike.setdefault(problem.text, []).append(problem)
    count = sum(map(len, alike.values()))
    most = MOST_ALIKE if count > MOST_TOLD else count
    lines: list[str] = []
    told = 0
    for found in alike.values():
        shown = found[: min(most, MOST_TOLD - told)]
        told += len(shown)
        lines += [placed(problem, roots) for problem in shown]
        if 0 < len(shown) < len(found):
            lines.append(f"  … and {len(found) - len(shown)} more of which the same is said")
    if told < count:
        lines.append(f"{told} of {count} are told here; `{how_to_see_all}` tells each")
    return lines


class SpecError(errors.SpecError):
    """The spec cannot be used as it stands. `problems` has at least one entry; the message lists them all.

    path, line and what, which every error about a file has, are those of the first problem.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep the problems in the order of their files and lines."""
        self.problems: tuple[Problem, ...] = tuple(sorted(problems))
        first = self.problems[0]
        super().__init__(first.file, first.line, first.text)
        self.args = ("\n".join(map(str, self.problems)),)


def read_all(
    places: Iterable[tuple[str, _Place]], read: Callable[[_Place, str], _Read], problems: Iterable[Problem]
) -> dict[str, _Read]:
    """Return what is read of each place, by its name. problems: where the places were found, looked at in the end.

    Raises SpecError with all of them, and with all that `read` raised.
    """
    found: dict[str, _Read] = {}
    faults: list[Problem] = []
    for name, place in places:
        try:
            found[name] = read(place, name)
        except SpecError as error:
            faults.extend(error.problems)
    faults.extend(problems)
    if faults:
        raise SpecError(faults)
    return found
