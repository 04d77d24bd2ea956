"""Dialects that a user brings besides those of a suite, for an adapter of theirs.

Enters: a Spec and files. Leaves: the Spec with them. Must not know who speaks a dialect.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from bindproof.core.errors import FileError
from bindproof.spec.dialect_check import problems_of
from bindproof.spec.files.reader import read
from bindproof.spec.models import Dialect, Spec
from bindproof.spec.problem import Problem, SpecError


def with_dialects(spec: Spec, files: Iterable[str]) -> Spec:
    """Return a suite's spec with the dialects of these files too, each called as the file says.

    Raises SpecError for a file that does not agree with the suite, FileError for a dialect that the suite has already.
    """
    from bindproof.spec.files.models import DialectFile

    found: dict[str, Dialect] = {}
    problems: list[Problem] = []
    for name in files:
        written = read(Path(name), name, DialectFile, problems)
        if written is None:
            continue
        problems += problems_of(spec, written)
        dialect = written.value.dialect()
        if dialect.name in spec.dialects or dialect.name in found:
            raise FileError(
                Path(name), None, f"there is a dialect {dialect.name!r} already; give this one another name"
            )
        found[dialect.name] = dialect
    if problems:
        raise SpecError(problems)
    return replace(spec, dialects={**spec.dialects, **found}) if found else spec
