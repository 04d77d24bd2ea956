"""Requirements as text for a terminal: one line each, or one in full.

Enters: a Spec. Leaves: plain strings without colour. Must not know who prints them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from fnmatch import fnmatchcase

from bindproof.core.errors import UsageError
from bindproof.core.model import REFERENCE_REQUIREMENT
from bindproof.spec.models import Requirement, Spec
from bindproof.spec.problem import SpecError
from bindproof.spec.sources import read_sources

_WIDTH = 100

REFERENCE_TEXT = f"""\
{REFERENCE_REQUIREMENT} The reference explains every observation
built in · all editions · dialects all

What is observed is something that the reference allows.

The reference is a small implementation of the chapters. When an observation differs from everything that it allows, and
no requirement is broken, either the chapters have a hole or the reference says too much. Such a difference is never
passed over: it is reported as a break of this requirement."""


def requirement_list(spec: Spec, globs: Iterable[str] = ("*",)) -> str:
    """A line for each requirement whose id matches a glob, below the titles of their chapters; empty when none does."""
    wanted = list(globs)
    blocks = []
    for chapter in spec.chapters:
        lines = [_line(r) for r in chapter.requirements if any(fnmatchcase(r.id, glob) for glob in wanted)]
        if lines:
            blocks.append("\n".join([chapter.title, *lines]))
    return "\n\n".join(blocks)


def requirement_text(spec: Spec, name: str, exercised_by: Iterable[str] = ()) -> str:
    """One requirement in full: where it holds, what it says, why, where it comes from, which vectors exercise it.

    UsageError when there is no such requirement; the message names those with the same prefix.
    """
    if name == REFERENCE_REQUIREMENT:
        return REFERENCE_TEXT
    requirement = spec.requirements.get(name)
    if requirement is None:
        near = [id_ for id_ in spec.requirements if id_.partition("-")[0] == name.partition("-")[0].upper()]
        there = f"there are {', '.join(near)}" if near else "`bindproof spec list` names all"
        raise UsageError(f"suite {spec.name} has no requirement {name!r}; {there}")
    parts = [
        f"{requirement.id} {requirement.title}\n{_where(requirement)}",
        textwrap.fill(requirement.statement, _WIDTH),
        requirement.explanation,
        f"UNTESTABLE: {requirement.untestable}" if requirement.untestable else "",
        f"RETIRED {requirement.retired}" if requirement.retired else "",
        "\n".join(["Source", *(f"  {source.document} {source.place}" for source in requirement.sources)]),
        f"Written in\n  {requirement.file}:{requirement.line}",
    ]
    if named := list(exercised_by):
        parts.append("\n".join(["Vectors", *(f"  {vector}" for vector in named)]))
    return "\n\n".join(part for part in parts if part)


def left_open(spec: Spec) -> str:
    """The left-open table: every rule, or part of one, that no requirement states, with the reason.

    Raises SpecError for a sources.toml that cannot be read.
    """
    rules, problems = read_sources(spec)
    if problems and not rules:
        raise SpecError(problems)
    blocks = []
    for rule in rules:
        if rule.open:
            part = f"\n  stated in part by: {', '.join(rule.requirements)}" if rule.requirements else ""
            blocks.append(f"{rule.document} {rule.place}\n  {rule.gist}{part}\n  left open: {rule.open}")
    return "\n\n".join(blocks)


def _where(requirement: Requirement) -> str:
    return f"{requirement.level} · editions {requirement.editions} · dialects {', '.join(requirement.dialects)}"


def _line(requirement: Requirement) -> str:
    state = "  (retired)" if requirement.retired else "  (untestable)" if requirement.untestable else ""
    where = f"{requirement.editions:<9} {', '.join(requirement.dialects):<7}"
    return f"  {requirement.id:<8} {requirement.level:<6} {where} {requirement.title}{state}"
