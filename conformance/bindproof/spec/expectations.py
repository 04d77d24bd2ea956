"""Reads expectations: divergences that are known and explained before a run.

Enters: TOML files, the suite's own (`expectations/*.toml`) or a user's. Leaves: Divergences, or a SpecError. Whether
one occurred is judged elsewhere. Must not know verdicts beyond their names.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.core.model import REFERENCE_REQUIREMENT
from bindproof.spec.files.folder import files_in, relative
from bindproof.spec.files.reader import Written, read
from bindproof.spec.models import Divergence, Spec
from bindproof.spec.problem import Problem, SpecError

if TYPE_CHECKING:
    from bindproof.spec.files.divergences import ExpectationsFile


def shipped_expectations(spec: Spec) -> list[Path]:
    """The expectation files that come with the suite, sorted. SpecError where they cannot be listed."""
    problems: list[Problem] = []
    found = files_in(spec.root, spec.folder / "expectations", "*.toml", problems)
    if problems:
        raise SpecError(problems)
    return found


def load_expectations(spec: Spec, paths: Iterable[Path], known: Container[str] = ()) -> list[Divergence]:
    """All divergences of the files, in order. SpecError when one cannot be read or names something unknown.

    known: requirements of other suites, which a user's file may speak of too.
    """
    paths = list(paths)
    if spec.kept and paths == shipped_expectations(spec):
        return list(spec.kept.expectations)
    found, problems = read_expectations(spec, paths, known)
    if problems:
        raise SpecError(problems)
    return found


def read_expectations(
    spec: Spec, paths: Iterable[Path], known: Container[str] = ()
) -> tuple[list[Divergence], list[Problem]]:
    """As `load_expectations`, with the problems beside what could be read."""
    from bindproof.spec.files.divergences import ExpectationsFile

    found: list[Divergence] = []
    problems: list[Problem] = []
    for path in paths:
        name = relative(spec.root, path) if path.is_relative_to(spec.root) else path.name
        file = read(path, name, ExpectationsFile, problems)
        if file is None:
            continue
        problems.extend(_faults(spec, file, known))
        for number, table in enumerate(file.value.divergence):
            line = file.line("divergence", number)
            found.append(table.divergence(name, line))
    return found, problems


def _faults(spec: Spec, file: Written[ExpectationsFile], others: Container[str]) -> Iterator[Problem]:
    for number, divergence in enumerate(file.value.divergence):
        known = divergence.requirement in {None, REFERENCE_REQUIREMENT, *spec.requirements}
        if not known and divergence.requirement not in others:
            text = f"requirement = {divergence.requirement!r}: suite {spec.name} has no such requirement"
            yield file.problem(text, "divergence", number, "requirement")
