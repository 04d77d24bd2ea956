"""Reads one chapter: Markdown in, numbered requirements out.

Enters: a chapter's text and the editions' names. Leaves: a Chapter, and a Problem for each thing that does not follow
the format (spec/README.md). Must not know other chapters, checks or vectors.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import get_args

from bindproof.spec.editions import editions_in
from bindproof.spec.files.text import lines_of
from bindproof.spec.models import Chapter, Level, Requirement, Source
from bindproof.spec.problem import Problem

_HEADING = re.compile(r"## ([A-Z]{2,5}-\d{3}) (\S.*)")
_META = re.compile(
    r"(?P<level>\S+) · editions (?P<editions>[^·]+?) · dialects (?P<dialects>[^·]+?) · source (?P<source>.+)"
)
_RETIRED = re.compile(r"RETIRED in (\S+): (\S.*)")
_UNTESTABLE = re.compile(r"UNTESTABLE: (\S.*)")
_META_EXAMPLE = '`MUST · editions 0.9– · dialects all · source seed-000 "Details" ¶4`'


def parse_chapter(text: str, file: str, editions: Sequence[str]) -> tuple[Chapter, list[Problem]]:
    """The chapter in `text`; `file` is its name for messages. Requirements that cannot be read are left out of it."""
    lines = lines_of(text)
    starts = _section_starts(lines)
    problems = [] if lines and lines[0].startswith("# ") else [Problem(file, 1, "a chapter begins with `# Title`")]
    found = []
    for start, end in pairwise([*starts, len(lines)]):
        requirement = _read_section(lines[start:end], file, start + 1, editions)
        if isinstance(requirement, Requirement):
            found.append(requirement)
        else:
            problems.append(requirement)
    head = lines[1 : starts[0]] if starts else lines[1:]
    title = lines[0].removeprefix("# ").strip() if lines else ""
    return Chapter(file, title, "\n".join(head).strip(), tuple(found)), problems


def _section_starts(lines: Sequence[str]) -> list[int]:
    """Indexes of the `## ` lines, those inside fenced code apart."""
    starts, fenced = [], False
    for index, line in enumerate(lines):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and line.startswith("## "):
            starts.append(index)
    return starts


def _read_section(lines: Sequence[str], file: str, line: int, editions: Sequence[str]) -> Requirement | Problem:
    heading = _HEADING.fullmatch(lines[0].rstrip())
    if heading is None:
        return Problem(file, line, f"{lines[0]!r}: a requirement's heading is `## ABC-001 Title`")
    meta = _META.fullmatch(lines[1].strip()) if len(lines) > 1 else None
    if meta is None:
        return Problem(file, line + 1, f"{heading[1]}: the line after the heading has to look like {_META_EXAMPLE}")
    if meta["level"] not in get_args(Level):
        return Problem(file, line + 1, f"{heading[1]}: the level is one of {', '.join(get_args(Level))}")
    untestable, retired, used = _marks(lines[2:])
    statement, explanation = _paragraphs(lines[2 + used :])
    if not statement:
        return Problem(file, line, f"{heading[1]}: write the statement as one paragraph after an empty line")
    try:
        sources = _sources(meta["source"])
        in_editions = editions_in(meta["editions"], editions)
        if retired is not None:
            in_editions = _before(retired[0], in_editions, editions)
    except ValueError as error:
        return Problem(file, line + 1, f"{heading[1]}: {error}")
    dialects = tuple(name.strip() for name in meta["dialects"].split(","))
    return Requirement(
        id=heading[1],
        title=heading[2],
        level=meta["level"],  # type: ignore[arg-type]  # tested above against the same names
        editions=meta["editions"],
        in_editions=in_editions,
        dialects=dialects,
        sources=sources,
        statement=statement,
        explanation=explanation,
        untestable=untestable,
        retired=f"in {retired[0]}: {retired[1]}" if retired else None,
        file=file,
        line=line,
        digest=_digest(meta["level"], meta["editions"], ",".join(dialects), statement),
    )


def _marks(lines: Sequence[str]) -> tuple[str | None, tuple[str, str] | None, int]:
    """UNTESTABLE and RETIRED right below the meta line, and how many lines they take."""
    untestable: str | None = None
    retired: tuple[str, str] | None = None
    for used, line in enumerate(lines):
        if match := _UNTESTABLE.fullmatch(line.strip()):
            untestable = match[1]
        elif match := _RETIRED.fullmatch(line.strip()):
            retired = (match[1], match[2])
        else:
            return untestable, retired, used
    return untestable, retired, len(lines)


def _paragraphs(lines: Sequence[str]) -> tuple[str, str]:
    """The first paragraph on one line, and all that follows as it stands. No empty line before it: no statement."""
    if not lines or lines[0].strip():
        return "", ""
    statement, _, rest = "\n".join(lines).strip().partition("\n\n")
    return " ".join(statement.split()), rest.strip()


def _sources(text: str) -> tuple[Source, ...]:
    """`seed-000 "Details" ¶4; observed G15` → its parts."""
    sources = []
    for part in text.split(";"):
        document, _, place = part.strip().partition(" ")
        if not document or not place:
            raise ValueError(f'source {part.strip()!r}: name the document and the place, as in `seed-000 "Details" ¶4`')
        sources.append(Source(document, place.strip()))
    return tuple(sources)


def _before(edition: str, found: tuple[str, ...], editions: Sequence[str]) -> tuple[str, ...]:
    if edition not in editions:
        raise ValueError(f"RETIRED in {edition}: there is no such edition; suite.toml has {', '.join(editions)}")
    return tuple(name for name in found if editions.index(name) < editions.index(edition))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
