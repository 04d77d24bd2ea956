"""Reads a suite's folder: suite.toml, dialects and chapters. Vectors, sources and the locks are read by their modules.

Enters: the data root and a suite's name. Leaves: a Spec, or a SpecError with every Problem found. Must not know what
a requirement means, and never looks at checks or adapters.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.spec.chapter import parse_chapter
from bindproof.spec.files.folder import files_in, relative
from bindproof.spec.files.reader import Written, read
from bindproof.spec.files.text import read_text
from bindproof.spec.models import Chapter, ConformanceClass, Dialect, Edition, Erratum, ObjectKeys, Requirement, Spec
from bindproof.spec.problem import Problem, SpecError

if TYPE_CHECKING:
    from bindproof.spec.files.models import SuiteFile


def suites_in(root: Path) -> list[str]:
    """Names of the suites below `<root>/spec`, sorted."""
    return sorted(path.parent.name for path in (root / "spec").glob("*/suite.toml"))


def load(root: Path, suite: str) -> Spec:
    """The suite below `<root>/spec/<suite>`. SpecError when a file is missing or does not follow its format."""
    loaded, problems = read_suite(root, suite)
    if problems or loaded is None:
        raise SpecError(problems)
    return loaded


def read_suite(root: Path, suite: str) -> tuple[Spec | None, list[Problem]]:
    """As `load`, but what could be read comes together with what could not; None when suite.toml itself is unusable."""
    from bindproof.spec.files.models import SuiteFile

    folder = root / "spec" / suite
    problems: list[Problem] = []
    written = read(folder / "suite.toml", relative(root, folder / "suite.toml"), SuiteFile, problems)
    if written is None:
        return None, problems
    file = written.value
    problems.extend(_faults(written, suite))
    names = tuple(edition.name for edition in file.edition)
    dialects = _read_dialects(root, folder, problems)
    chapters = _read_chapters(root, folder, names, problems)
    requirements: dict[str, Requirement] = {}
    for requirement in (r for chapter in chapters for r in chapter.requirements):
        if (first := requirements.setdefault(requirement.id, requirement)) is not requirement:
            text = f"{requirement.id} is taken: {first.file}:{first.line} has it; an id is used once, for ever"
            problems.append(Problem(requirement.file, requirement.line, text))
    loaded = Spec(
        root=root,
        name=suite,
        title=file.title,
        editions=tuple(edition.into(Edition) for edition in file.edition),
        objects=tuple(table.into(ObjectKeys) for table in file.object),
        error_kinds=file.error_kinds,
        dialects=dialects,
        chapters=chapters,
        requirements=requirements,
        errata=tuple(table.into(Erratum) for table in file.erratum),
        classes=tuple(table.into(ConformanceClass) for table in file.class_),
        reference=file.reference,
    )
    return loaded, problems


def _faults(written: Written[SuiteFile], suite: str) -> Iterator[Problem]:
    if written.value.name != suite:
        yield written.problem(f"name = {written.value.name!r}, folder {suite!r}; name the suite as its folder", "name")
    seen: set[str] = set()
    for number, edition in enumerate(written.value.edition):
        if edition.name in seen:
            text = f"there are two editions {edition.name!r}; name each once"
            yield written.problem(text, "edition", number, "name")
        seen.add(edition.name)
    for number, one in enumerate(written.value.class_):
        if one.name in {other.name for other in written.value.class_[:number]}:
            yield written.problem(f"there are two classes {one.name!r}; name each once", "class", number, "name")


def _read_dialects(root: Path, folder: Path, problems: list[Problem]) -> dict[str, Dialect]:
    from bindproof.spec.files.models import DialectFile

    dialects = {}
    for path in files_in(root, folder / "dialects", "*.toml", problems):
        written = read(path, relative(root, path), DialectFile, problems)
        if written is None:
            continue
        if written.value.name != path.stem:
            text = f"name = {written.value.name!r}, file name {path.stem!r}; name the dialect as its file"
            problems.append(written.problem(text, "name"))
        dialects[path.stem] = written.value.dialect()
    return dialects


def _read_chapters(root: Path, folder: Path, editions: tuple[str, ...], problems: list[Problem]) -> tuple[Chapter, ...]:
    chapters = []
    for path in files_in(root, folder, "[0-9][0-9]-*.md", problems):
        name = relative(root, path)
        try:
            chapter, found = parse_chapter(read_text(path, name), name, editions)
        except SpecError as error:
            problems.extend(error.problems)
            continue
        chapters.append(chapter)
        problems.extend(found)
    return tuple(chapters)
