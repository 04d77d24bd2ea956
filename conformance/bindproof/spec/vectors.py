"""Reads vectors: the scenarios that are kept below `spec/<suite>/vectors/`.

Enters: a Spec. Leaves: Vectors, read one by one as they are asked for, or a SpecError that says what to mend. What a
scenario may hold is the suite's own business: here it is any JSON object. Must not know steps, callbacks or adapters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.core.model import Defect
from bindproof.spec.editions import editions_in
from bindproof.spec.files.document import parse
from bindproof.spec.files.folder import files_in, relative
from bindproof.spec.files.reader import Written, of_form
from bindproof.spec.files.text import read_bytes
from bindproof.spec.models import Spec, Vector
from bindproof.spec.problem import Problem, SpecError

if TYPE_CHECKING:
    from bindproof.spec.files.models import VectorFile


def vector_paths(spec: Spec) -> Mapping[str, Path]:
    """Id → file of every vector of the suite, sorted by id; nothing is read. SpecError: a folder cannot be listed."""
    if spec.kept:
        return {vector.id: spec.root / vector.file for vector in spec.kept.vectors}
    problems: list[Problem] = []
    folder = spec.folder / "vectors"
    found = files_in(spec.root, folder, "*.json", problems, deep=True)
    if problems:
        raise SpecError(problems)
    return {f"{spec.name}/{relative(folder, path).removesuffix('.json')}": path for path in found}


def vectors(spec: Spec, *globs: str) -> Iterator[Vector]:
    """The suite's vectors whose id matches one of the globs (all, without globs), in the order of their ids.

    Each file is read when its vector is asked for. SpecError at the first one that cannot be read.
    """
    if spec.kept:
        yield from (vector for vector in spec.kept.vectors if _is_meant(vector.id, globs))
        return
    for name, path in vector_paths(spec).items():
        if _is_meant(name, globs):
            yield read_vector(spec, path, name)


def _is_meant(name: str, globs: Sequence[str]) -> bool:
    return not globs or any(fnmatchcase(name, glob) for glob in globs)


def read_vector(spec: Spec, path: Path, name: str) -> Vector:
    """The vector in `path`, under the id `name`; the file may stand anywhere. SpecError: file, line and what to do."""
    return vector_of(spec, written_vector(spec, path), name)


def written_vector(spec: Spec, path: Path) -> Written[VectorFile]:
    """What a vector's file holds. SpecError as `read_vector`."""
    from bindproof.spec.files.models import VectorFile

    file = relative(spec.root, path) if path.is_relative_to(spec.root) else str(path)
    return of_form(VectorFile, parse(read_bytes(path, file), file))


def vector_of(spec: Spec, file: Written[VectorFile], name: str) -> Vector:
    """The vector that a file holds, under the id `name`. SpecError for editions that the suite does not have."""
    read = file.value
    try:
        in_editions = editions_in(read.editions, spec.edition_names) if read.editions else _unnamed(spec, read)
    except ValueError as error:
        raise SpecError([file.problem(str(error), "editions")]) from None
    made = read.defect
    return Vector(
        id=name,
        title=read.title,
        exercises=read.exercises,
        in_editions=in_editions,
        dialects=read.dialects,
        scenario=read.scenario,
        defect=Defect(made.at, made.breaks, made.kind, made.put, made.cut) if made else None,
        file=file.name,
        seconds=read.seconds,
        expect=read.expect.expect() if read.expect else None,
    )


def _unnamed(spec: Spec, read: VectorFile) -> tuple[str, ...]:
    """The editions of a vector that names none: all, but of a partial one only where all that it exercises holds."""
    exercised = {*read.exercises, *([read.defect.breaks] if read.defect else [])}
    rules = [spec.requirements[name] for name in exercised if name in spec.requirements]
    return tuple(
        edition.name
        for edition in spec.editions
        if not edition.partial or (rules and all(edition.name in rule.in_editions for rule in rules))
    )
