"""Proves that a suite's spec agrees with itself: chapters, dialects, schemas, sources, vectors, lock, and its checks.

Enters: the data root, a suite's name, and the ids that checks were written for. Leaves: every Problem found, none when
all agrees. Must not know what a check does: only that there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from fnmatch import fnmatchcase
from pathlib import Path

from bindproof.core.model import REFERENCE_REQUIREMENT
from bindproof.spec.change_check import change_problems
from bindproof.spec.dialect_check import dialect_problems
from bindproof.spec.edition_lock import lock_problems
from bindproof.spec.expectations import read_expectations, shipped_expectations
from bindproof.spec.files.folder import relative
from bindproof.spec.load import read_suite, suites_in
from bindproof.spec.lock import accept, drifted
from bindproof.spec.models import ALL_DIALECTS, Spec
from bindproof.spec.problem import Problem, SpecError
from bindproof.spec.schemas import schema_problems
from bindproof.spec.sources import read_sources
from bindproof.spec.vector_check import vector_problems
from bindproof.spec.vectors import vectors

__all__ = ["accept", "check"]


def check(root: Path, suite: str, checks: Mapping[str, object] | None = None) -> list[Problem]:
    """Every problem of the suite below `<root>/spec/<suite>`, in the order of files and lines.

    checks: by requirement id, the checks that the suite's code has; only their ids are looked at. None leaves out what
    needs them. What cannot be read is reported, and the rest is checked all the same.
    """
    loaded, problems = read_suite(root, suite)
    if loaded is None:
        return sorted(problems)
    steps: tuple[Callable[[Spec], Iterable[Problem]], ...] = (
        _requirements,
        _prefixes,
        _classes,
        dialect_problems,
        schema_problems,
        lambda s: read_sources(s)[1],
        lambda s: read_expectations(s, shipped_expectations(s))[1],
        vector_problems,
        drifted,
    )
    for step in steps:
        problems.extend(_found(step, loaded))
    if not problems:
        problems.extend(_found(change_problems, loaded))
        problems.extend(_found(lock_problems, loaded))
    if checks is not None:
        problems.extend(_checks(loaded, {*checks, *_of_tables(loaded)}))
    return sorted(set(problems))


def _found(step: Callable[[Spec], Iterable[Problem]], spec: Spec) -> list[Problem]:
    """Return what a step finds; a file that it cannot do without is among it."""
    found: list[Problem] = []
    try:
        found.extend(step(spec))
    except SpecError as error:
        found.extend(error.problems)
    return found


def _requirements(spec: Spec) -> Iterator[Problem]:
    known = {*ALL_DIALECTS, *spec.dialects}
    for requirement in spec.requirements.values():
        for name in requirement.dialects:
            if name not in known:
                text = f"{requirement.id}: there is no dialect {name!r}; write {', '.join(sorted(known))}"
                yield Problem(requirement.file, requirement.line + 1, text)
        if requirement.id == REFERENCE_REQUIREMENT:
            text = f"{requirement.id} is built in and stands in no chapter; take another id"
            yield Problem(requirement.file, requirement.line, text)


def _prefixes(spec: Spec) -> Iterator[Problem]:
    """A prefix belongs to one chapter of one suite."""
    owners: dict[str, str] = {}
    for other in suites_in(spec.root):
        loaded = spec if other == spec.name else read_suite(spec.root, other)[0]
        for chapter in loaded.chapters if loaded else ():
            for requirement in chapter.requirements:
                owner = owners.setdefault(requirement.prefix, chapter.file)
                if owner != chapter.file:
                    text = (
                        f"{requirement.id}: the prefix {requirement.prefix} belongs to {owner}; a chapter has its own"
                    )
                    yield Problem(requirement.file, requirement.line, text)


def _classes(spec: Spec) -> Iterator[Problem]:
    """Each glob of a class finds something; where there are classes, each requirement is of one."""
    file = relative(spec.root, spec.folder / "suite.toml")
    for one in spec.classes:
        for glob in one.requirements:
            if not any(fnmatchcase(name, glob) for name in spec.requirements):
                yield Problem(file, 1, f"class {one.name!r}: no requirement is called {glob!r}")
    for rule in spec.requirements.values():
        if spec.classes and not any(one.has(rule.id) for one in spec.classes):
            yield Problem(rule.file, rule.line, f"{rule.id} is of no class; add it to one in {file}")


def _of_tables(spec: Spec) -> set[str]:
    """The requirements that are judged by what vectors expect, so that they need no check. Broken vectors are told."""
    try:
        return {name for vector in vectors(spec) if vector.expect is not None for name in vector.exercises}
    except SpecError:
        return set()


def _checks(spec: Spec, checks: Set[str]) -> Iterator[Problem]:
    for requirement in spec.requirements.values():
        if requirement.untestable and requirement.id in checks:
            text = f"{requirement.id} is UNTESTABLE and has a check; take one of the two away"
        elif not requirement.untestable and requirement.in_editions and requirement.id not in checks:
            text = f"{requirement.id} has no check, and no vector with `expect`; write one, or say UNTESTABLE: why"
        else:
            continue
        yield Problem(requirement.file, requirement.line, text)
    file = relative(spec.root, spec.folder / "suite.toml")
    for name in sorted(checks - set(spec.requirements) - {REFERENCE_REQUIREMENT}):
        yield Problem(file, 1, f"there is a check for {name}, but no chapter has that requirement")
