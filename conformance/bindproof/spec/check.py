"""Proves that a suite's spec agrees with itself: chapters, dialects, schemas, sources, vectors, lock, and its checks.

Enters: the data root, a suite's name, and the ids that checks were written for. Leaves: every Problem found, none when
all agrees. Must not know what a check does: only that there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from bindproof.core.model import REFERENCE_REQUIREMENT, Defect, Json
from bindproof.core.patterns import PatternError, compile_pattern
from bindproof.core.pointer import PointerError, with_value, without
from bindproof.spec.change_check import change_problems
from bindproof.spec.edition_lock import lock_problems
from bindproof.spec.editions import bad_specifiers, editions_in
from bindproof.spec.expectations import read_expectations, shipped_expectations
from bindproof.spec.load import read_suite, relative, suites_in
from bindproof.spec.lock import accept, drifted
from bindproof.spec.models import ALL_DIALECTS, Dialect, ErrorPattern, Suite, Vector
from bindproof.spec.problem import Problem, SpecError
from bindproof.spec.schemas import schema_problems
from bindproof.spec.sources import read_sources
from bindproof.spec.vectors import read_vector, vector_paths

__all__ = ["accept", "check"]


def check(root: Path, suite: str, checks: Mapping[str, object] | None = None) -> list[Problem]:
    """Every problem of the suite below `<root>/spec/<suite>`, in the order of files and lines.

    checks: by requirement id, the checks that the suite's code has; only their ids are looked at. None leaves out what
    needs them. What cannot be read is reported, and the rest is checked all the same.
    """
    loaded, problems = read_suite(root, suite)
    if loaded is None:
        return sorted(problems)
    steps: tuple[Callable[[Suite], Iterable[Problem]], ...] = (
        _suite_file,
        _requirements,
        _prefixes,
        _dialects,
        schema_problems,
        lambda s: read_sources(s)[1],
        lambda s: read_expectations(s, shipped_expectations(s))[1],
        _vectors,
        drifted,
    )
    for step in steps:
        problems.extend(step(loaded))
    if not problems:
        problems.extend(change_problems(loaded))
        problems.extend(lock_problems(loaded))
    if checks is not None:
        problems.extend(_checks(loaded, checks))
    return sorted(set(problems))


def _suite_file(suite: Suite) -> Iterator[Problem]:
    file = relative(suite.root, suite.folder / "suite.toml")
    for edition in suite.editions:
        for target, specifiers in edition.releases.items():
            for text in bad_specifiers(specifiers):
                yield Problem(file, 1, f"edition {edition.name}, {target}: {text!r} is no version specifier")


def _requirements(suite: Suite) -> Iterator[Problem]:
    known = {*ALL_DIALECTS, *suite.dialects}
    for requirement in suite.requirements.values():
        for name in requirement.dialects:
            if name not in known:
                text = f"{requirement.id}: there is no dialect {name!r}; write {', '.join(sorted(known))}"
                yield Problem(requirement.file, requirement.line + 1, text)
        if requirement.id == REFERENCE_REQUIREMENT:
            text = f"{requirement.id} is built in and stands in no chapter; take another id"
            yield Problem(requirement.file, requirement.line, text)


def _prefixes(suite: Suite) -> Iterator[Problem]:
    """A prefix belongs to one chapter of one suite."""
    owners: dict[str, str] = {}
    for other in suites_in(suite.root):
        loaded = suite if other == suite.name else read_suite(suite.root, other)[0]
        for chapter in loaded.chapters if loaded else ():
            for requirement in chapter.requirements:
                owner = owners.setdefault(requirement.prefix, chapter.file)
                if owner != chapter.file:
                    text = (
                        f"{requirement.id}: the prefix {requirement.prefix} belongs to {owner}; a chapter has its own"
                    )
                    yield Problem(requirement.file, requirement.line, text)


def _dialects(suite: Suite) -> Iterator[Problem]:
    keys = {given.name: given.keys for given in suite.objects}
    for name, dialect in suite.dialects.items():
        path = suite.folder / "dialects" / f"{name}.toml"
        lines = path.read_text(encoding="utf-8").splitlines()
        for text, needle in _dialect_faults(suite, dialect, keys):
            line = next((n for n, part in enumerate(lines, 1) if needle in part), 1)
            yield Problem(relative(suite.root, path), line, text)


def _dialect_faults(suite: Suite, dialect: Dialect, keys: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """What is wrong, and a text that its line contains."""
    yield from _range_faults(suite, dialect.editions)
    for name, table in dialect.spelling.items():
        if name not in keys:
            yield f"there is no object {name!r} to spell; suite.toml has {', '.join(keys)}", f"spelling.{name}"
            continue
        for key in table:
            if key not in keys[name]:
                yield f"{key!r} is no canonical key of {name!r}; suite.toml has {', '.join(keys[name])}", key
    for pattern in dialect.error:
        yield from _pattern_faults(suite, pattern)
    for name in [name for withheld in dialect.withheld for name in withheld.editions or ()]:
        if name not in suite.edition_names:
            yield f"there is no edition {name!r}; suite.toml has {', '.join(suite.edition_names)}", f'"{name}"'


def _pattern_faults(suite: Suite, pattern: ErrorPattern) -> Iterator[tuple[str, str]]:
    if pattern.kind not in suite.error_kinds:
        yield f"{pattern.kind!r} is no error kind; suite.toml has {', '.join(suite.error_kinds)}", pattern.kind
    try:
        compiled = compile_pattern(pattern.pattern)
    except PatternError as error:
        yield f"pattern {error}", pattern.pattern
        return
    if pattern.example is not None and not compiled.search(pattern.example):
        yield f"pattern {pattern.pattern!r} does not find its example {pattern.example!r}", pattern.pattern
    if not pattern.pattern.startswith("^"):
        yield f"pattern {pattern.pattern!r} is not anchored: begin it with ^", pattern.pattern
    yield from _range_faults(suite, pattern.editions)


def _range_faults(suite: Suite, text: str | None) -> Iterator[tuple[str, str]]:
    try:
        editions_in(text or suite.editions[0].name, suite.edition_names)
    except ValueError as error:
        yield str(error), f"{text}"


def _vectors(suite: Suite) -> Iterator[Problem]:
    exercised: set[str] = set()
    for name, path in vector_paths(suite).items():
        try:
            vector = read_vector(suite, path, name)
        except SpecError as error:
            yield from error.problems
            continue
        named = [*vector.exercises, *([vector.defect.breaks] if vector.defect else [])]
        exercised.update(named)
        lines = path.read_text(encoding="utf-8").splitlines()
        for text, needle in _vector_faults(suite, vector, named):
            line = next((n for n, part in enumerate(lines, 1) if f'"{needle}"' in part), 1)
            yield Problem(vector.file, line, text)
    for requirement in suite.requirements.values():
        if requirement.id not in exercised and not requirement.untestable and requirement.in_editions:
            text = f"{requirement.id}: no vector exercises it; add one below vectors/ that does"
            yield Problem(requirement.file, requirement.line, text)


def _vector_faults(suite: Suite, vector: Vector, named: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What is wrong, and a quoted text of its line."""
    if not vector.exercises:
        yield "exercises is empty: name the requirements that the vector is for", "exercises"
    for name in vector.dialects:
        if name not in {*ALL_DIALECTS, *suite.dialects}:
            yield f"there is no dialect {name!r}; write {', '.join(suite.dialects)}, or leave `dialects` out", name
    for name in named:
        requirement = suite.requirements.get(name)
        if requirement is None:
            yield f"{name} is no requirement of suite {suite.name}; `bindproof spec list` names them", name
        elif not set(requirement.in_editions) & set(vector.in_editions):
            yield f"{name} holds in none of the vector's editions ({', '.join(vector.in_editions)})", name
    if vector.defect is not None:
        if vector.defect.kind not in suite.error_kinds:
            kinds = ", ".join(suite.error_kinds)
            yield f"defect.kind {vector.defect.kind!r} is no error kind; suite.toml has {kinds}", "kind"
        if not _resolves(vector.scenario, vector.defect):
            yield f"defect.at {vector.defect.at!r} leads nowhere in the scenario", "at"


def _resolves(scenario: Json, defect: Defect) -> bool:
    """True when the defect can be put into the scenario, or cut out of it."""
    try:
        without(scenario, defect.at) if defect.cut else with_value(scenario, defect.at, defect.put)
    except PointerError:
        return False
    return True


def _checks(suite: Suite, checks: Mapping[str, object]) -> Iterator[Problem]:
    for requirement in suite.requirements.values():
        if requirement.untestable and requirement.id in checks:
            text = f"{requirement.id} is UNTESTABLE and has a check; take one of the two away"
        elif not requirement.untestable and requirement.in_editions and requirement.id not in checks:
            text = f"{requirement.id} has no check; write it in suites/{suite.name}/checks, or say UNTESTABLE: why"
        else:
            continue
        yield Problem(requirement.file, requirement.line, text)
    file = relative(suite.root, suite.folder / "suite.toml")
    for name in sorted(set(checks) - set(suite.requirements) - {REFERENCE_REQUIREMENT}):
        yield Problem(file, 1, f"there is a check for {name}, but no chapter has that requirement")
