"""A suite as it was read in an earlier start: parsed once for each content of its folder, vectors and all.

Enters: a data root and a suite's name. Leaves: a Spec that has its vectors and shipped expectations with it, or one
that reads them when they are asked for. Must not know where bytes are kept.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from bindproof.core import memory
from bindproof.core.paths import PACKAGE
from bindproof.spec.content import content_of, digest_of
from bindproof.spec.expectations import load_expectations, shipped_expectations
from bindproof.spec.load import load
from bindproof.spec.models import (
    Chapter,
    ConformanceClass,
    Dialect,
    Divergence,
    Edition,
    Erratum,
    Kept,
    ObjectKeys,
    Spec,
    Vector,
)
from bindproof.spec.problem import SpecError
from bindproof.spec.vectors import vectors

_READS: Final = (PACKAGE / "spec", PACKAGE / "core")
"""The code that decides what a folder is read into."""


class _Parts(msgspec.Struct, frozen=True, array_like=True):
    """All of a suite that is read from its folder."""

    title: str
    editions: tuple[Edition, ...]
    objects: tuple[ObjectKeys, ...]
    error_kinds: tuple[str, ...]
    dialects: dict[str, Dialect]
    chapters: tuple[Chapter, ...]
    errata: tuple[Erratum, ...]
    classes: tuple[ConformanceClass, ...]
    reference: str | None
    vectors: tuple[Vector, ...]
    expectations: tuple[Divergence, ...]


class _ChangedMeanwhileError(Exception):
    """Somebody wrote into the folder while it was read."""


def load_kept(root: Path, name: str) -> Spec:
    """The suite below `<root>/spec/<name>`, as it was kept if its folder is the same. Raises SpecError as `load` does.

    A vector or an expectation that cannot be read is told when it is asked for.
    """
    if not memory.is_used():
        return load(root, name)
    try:
        content = content_of(root, name)
        key = memory.key_of(content.items(), _READS)
        parts = memory.kept("spec", f"{root} {name}", key, _Parts, lambda: _read(root, name, content))
    except (SpecError, _ChangedMeanwhileError):
        return load(root, name)
    suite = _suite(root, name, parts)
    return replace(suite, kept=Kept(digest_of(content), parts.vectors, parts.expectations))


def _read(root: Path, name: str, content: dict[str, bytes]) -> _Parts:
    suite = load(root, name)
    found = tuple(vectors(suite)), tuple(load_expectations(suite, shipped_expectations(suite)))
    if content_of(root, name) != content:
        raise _ChangedMeanwhileError
    return _Parts(
        suite.title,
        suite.editions,
        suite.objects,
        suite.error_kinds,
        suite.dialects,
        suite.chapters,
        suite.errata,
        suite.classes,
        suite.reference,
        *found,
    )


def _suite(root: Path, name: str, parts: _Parts) -> Spec:
    return Spec(
        root=root,
        name=name,
        title=parts.title,
        editions=parts.editions,
        objects=parts.objects,
        error_kinds=parts.error_kinds,
        dialects=parts.dialects,
        chapters=parts.chapters,
        requirements={rule.id: rule for chapter in parts.chapters for rule in chapter.requirements},
        errata=parts.errata,
        classes=parts.classes,
        reference=parts.reference,
    )
