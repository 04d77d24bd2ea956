"""Reads a suite's folder: suite.toml, dialects and chapters. Vectors, sources and the lock are read by their modules.

Enters: the data root and a suite's name. Leaves: a Suite, or a SpecError with every Problem found. Must not know what
a requirement means, and never looks at checks or adapters.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from bindproof.spec.chapter import parse_chapter
from bindproof.spec.models import Chapter, Closed, Dialect, Edition, Erratum, ObjectKeys, Requirement, Suite
from bindproof.spec.problem import Problem, SpecError

_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")
_ARRAY_PLACE = re.compile(r"\$\.(\w+)\[(\d+)\]")

T = TypeVar("T")


class _SuiteFile(Closed, frozen=True):
    """suite.toml as written."""

    name: str
    title: str
    error_kinds: tuple[str, ...]
    edition: tuple[Edition, ...]
    object: tuple[ObjectKeys, ...] = ()
    erratum: tuple[Erratum, ...] = ()
    reference: str | None = None


def suites_in(root: Path) -> list[str]:
    """Names of the suites below `<root>/spec`, sorted."""
    return sorted(path.parent.name for path in (root / "spec").glob("*/suite.toml"))


def load(root: Path, suite: str) -> Suite:
    """The suite below `<root>/spec/<suite>`. SpecError when a file is missing or does not follow its format."""
    loaded, problems = read_suite(root, suite)
    if problems or loaded is None:
        raise SpecError(problems)
    return loaded


def read_suite(root: Path, suite: str) -> tuple[Suite | None, list[Problem]]:
    """As `load`, but what could be read comes together with what could not; None when suite.toml itself is unusable."""
    folder = root / "spec" / suite
    problems: list[Problem] = []
    file = read_toml(root, folder / "suite.toml", _SuiteFile, problems)
    if file is None:
        return None, problems
    if not file.edition or len({edition.name for edition in file.edition}) < len(file.edition):
        problems.append(Problem(relative(root, folder / "suite.toml"), 1, "name at least one edition, each once"))
        return None, problems
    names = tuple(edition.name for edition in file.edition)
    dialects = _read_dialects(root, folder, problems)
    chapters = _read_chapters(root, folder, names, problems)
    requirements: dict[str, Requirement] = {}
    for requirement in (r for chapter in chapters for r in chapter.requirements):
        if (first := requirements.setdefault(requirement.id, requirement)) is not requirement:
            text = f"{requirement.id} is taken: {first.file}:{first.line} has it; an id is used once, for ever"
            problems.append(Problem(requirement.file, requirement.line, text))
    loaded = Suite(
        root=root,
        name=suite,
        title=file.title,
        editions=file.edition,
        objects=file.object,
        error_kinds=file.error_kinds,
        dialects=dialects,
        chapters=chapters,
        requirements=requirements,
        errata=file.erratum,
        reference=file.reference,
    )
    if file.name != suite:
        problems.append(Problem(relative(root, folder / "suite.toml"), 1, f"name = {file.name!r}, folder {suite!r}"))
    return loaded, problems


def read_toml(root: Path, path: Path, model: type[T], problems: list[Problem]) -> T | None:
    """One TOML file as `model`; None, and a Problem with the line where it can be told, when that cannot be done."""
    file = relative(root, path)
    try:
        text = path.read_text(encoding="utf-8")
        return msgspec.convert(tomllib.loads(text), model)
    except FileNotFoundError:
        problems.append(Problem(file, 1, "there is no such file; a suite needs it (spec/README.md)"))
    except tomllib.TOMLDecodeError as error:
        line = _TOML_LINE.search(str(error))
        problems.append(Problem(file, int(line[1]) if line else 1, f"this is no TOML: {error}"))
    except msgspec.ValidationError as error:
        problems.append(Problem(file, _line_of(text, str(error)), str(error)))
    return None


def relative(root: Path, path: Path) -> str:
    """The path from the data root, with slashes: how every Problem and Vector names its file."""
    return path.relative_to(root).as_posix()


def with_lines(text: str, table: str, entries: Sequence[T]) -> list[tuple[int, T]]:
    """Each entry of a TOML array of tables with the line, from 1, of its `[[table]]` header; 1 where it has none."""
    lines = _table_lines(text, table)
    return list(zip(lines if len(lines) == len(entries) else [1] * len(entries), entries, strict=True))


def _table_lines(text: str, table: str) -> list[int]:
    return [n for n, line in enumerate(text.splitlines(), 1) if line.strip().startswith(f"[[{table}]]")]


def _line_of(text: str, message: str) -> int:
    """The line of the array table that msgspec's `$.rule[3]` speaks of, else 1."""
    place = _ARRAY_PLACE.search(message)
    if place is None:
        return 1
    lines = _table_lines(text, place[1])
    return lines[int(place[2])] if int(place[2]) < len(lines) else 1


def _read_dialects(root: Path, folder: Path, problems: list[Problem]) -> dict[str, Dialect]:
    dialects = {}
    for path in sorted((folder / "dialects").glob("*.toml")):
        dialect = read_toml(root, path, Dialect, problems)
        if dialect is None:
            continue
        if dialect.name != path.stem:
            problems.append(Problem(relative(root, path), 1, f"name = {dialect.name!r}, file name {path.stem!r}"))
        dialects[path.stem] = dialect
    return dialects


def _read_chapters(root: Path, folder: Path, editions: tuple[str, ...], problems: list[Problem]) -> tuple[Chapter, ...]:
    chapters = []
    for path in sorted(folder.glob("[0-9][0-9]-*.md")):
        chapter, found = parse_chapter(path.read_text(encoding="utf-8"), relative(root, path), editions)
        chapters.append(chapter)
        problems.extend(found)
    return tuple(chapters)
