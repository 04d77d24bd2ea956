"""Reads expectations: divergences that are known and explained before a run.

Enters: TOML files, the suite's own (`expectations/*.toml`) or a user's. Leaves: Divergences, or a SpecError. Whether
one occurred is judged elsewhere. Must not know verdicts beyond their names.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from pathlib import Path
from typing import get_args

import msgspec

from bindproof.core.model import REFERENCE_REQUIREMENT, Outcome
from bindproof.spec.editions import bad_specifiers
from bindproof.spec.load import read_toml, with_lines
from bindproof.spec.models import Closed, Divergence, DivergenceEntry, Suite
from bindproof.spec.problem import Problem, SpecError


class _ExpectationsFile(Closed, frozen=True):
    """An expectations file as written."""

    divergence: tuple[DivergenceEntry, ...] = ()


def shipped_expectations(suite: Suite) -> list[Path]:
    """The expectation files that come with the suite, sorted."""
    return sorted((suite.folder / "expectations").glob("*.toml"))


def load_expectations(suite: Suite, paths: Iterable[Path], known: Container[str] = ()) -> list[Divergence]:
    """All divergences of the files, in order. SpecError when one cannot be read or names something unknown.

    known: requirements of other suites, which a user's file may speak of too.
    """
    found, problems = read_expectations(suite, paths, known)
    if problems:
        raise SpecError(problems)
    return found


def read_expectations(
    suite: Suite, paths: Iterable[Path], known: Container[str] = ()
) -> tuple[list[Divergence], list[Problem]]:
    """As `load_expectations`, with the problems beside what could be read."""
    found: list[Divergence] = []
    problems: list[Problem] = []
    for path in paths:
        root = suite.root if path.is_relative_to(suite.root) else path.parent
        file = read_toml(root, path, _ExpectationsFile, problems)
        if file is None:
            continue
        name = path.relative_to(root).as_posix()
        for line, entry in with_lines(path.read_text(encoding="utf-8"), "divergence", file.divergence):
            problems.extend(Problem(name, line, text) for text in _faults(suite, entry, known))
            found.append(Divergence(**msgspec.structs.asdict(entry), file=name, line=line))
    return found, problems


def _faults(suite: Suite, divergence: DivergenceEntry, others: Container[str]) -> Iterable[str]:
    if (divergence.requirement is None) == (divergence.verdict is None):
        yield "a divergence names either the `requirement` that is broken or the `verdict` that is given"
    known = divergence.requirement in {None, REFERENCE_REQUIREMENT, *suite.requirements}
    if not known and divergence.requirement not in others:
        yield f"requirement = {divergence.requirement!r}: suite {suite.name} has no such requirement"
    if divergence.verdict not in {None, *get_args(Outcome)} - {"conforms", "diverges"}:
        yield f"verdict = {divergence.verdict!r}: it is a verdict other than `conforms` and `diverges`"
    if not divergence.vectors:
        yield f"vectors = []: name at least one glob over vector ids, `{suite.name}/*` for all"
    for text in bad_specifiers(divergence.versions):
        yield f"versions: {text!r} is no version specifier, write one such as '>=0.9,<0.11'"
    if divergence.generated is not None:
        try:
            re.compile(divergence.generated)
        except re.error as error:
            yield f"generated = {divergence.generated!r} is no regular expression: {error}"
    for name in ("reason", "source"):
        if not getattr(divergence, name).strip():
            yield f"{name} is empty: a reader has to learn from it why this is expected"
