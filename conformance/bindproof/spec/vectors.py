"""Reads vectors: the scenarios that are kept below `spec/<suite>/vectors/`.

Enters: a Suite. Leaves: Vectors, read one by one as they are asked for, or a SpecError that says what to mend. What a
scenario may hold is the suite's own business: here it is any JSON object. Must not know steps, callbacks or adapters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from bindproof.core.model import Defect, Json
from bindproof.spec.editions import editions_in
from bindproof.spec.load import relative
from bindproof.spec.models import ALL_DIALECTS, Closed, Suite, Vector
from bindproof.spec.problem import Problem, SpecError

_AT_BYTE = re.compile(r"\(byte (\d+)\)")
_SHAPE = "{title, exercises, editions?, dialects?, scenario, defect?, seconds?}"


class _DefectFile(Closed, frozen=True):
    """`defect` as written: exactly one of `put` and `cut`."""

    at: str
    breaks: str
    kind: str
    put: Json = msgspec.UNSET
    cut: bool = False

    def __post_init__(self) -> None:
        if (self.put is msgspec.UNSET) != self.cut:
            raise ValueError("a defect has either `put` with a value, or `cut`: true")


class _VectorFile(Closed, frozen=True):
    """A vector's file as written."""

    title: str
    exercises: tuple[str, ...]
    scenario: dict[str, Json]
    editions: str | None = None
    dialects: tuple[str, ...] = ALL_DIALECTS
    defect: _DefectFile | None = None
    seconds: float | None = None


_DECODER = msgspec.json.Decoder(_VectorFile)


def vector_paths(suite: Suite) -> Mapping[str, Path]:
    """Id → file of every vector of the suite, sorted by id; nothing is read."""
    folder = suite.folder / "vectors"
    return {
        f"{suite.name}/{p.relative_to(folder).with_suffix('').as_posix()}": p for p in sorted(folder.rglob("*.json"))
    }


def vectors(suite: Suite, *globs: str) -> Iterator[Vector]:
    """The suite's vectors whose id matches one of the globs (all, without globs), in the order of their ids.

    Each file is read when its vector is asked for. SpecError at the first one that cannot be read.
    """
    for name, path in vector_paths(suite).items():
        if not globs or any(fnmatchcase(name, glob) for glob in globs):
            yield read_vector(suite, path, name)


def read_vector(suite: Suite, path: Path, name: str) -> Vector:
    """The vector in `path`, under the id `name`; the file may stand anywhere. SpecError: file, line and what to do."""
    file = relative(suite.root, path) if path.is_relative_to(suite.root) else str(path)
    data = path.read_bytes()
    try:
        read = _DECODER.decode(data)
        in_editions = editions_in(read.editions, suite.edition_names) if read.editions else suite.edition_names
    except msgspec.ValidationError as error:
        raise SpecError([Problem(file, _line_of_key(data, str(error)), f"{error}; a vector is {_SHAPE}")]) from error
    except msgspec.DecodeError as error:
        place = _AT_BYTE.search(str(error))
        line = data.count(b"\n", 0, int(place[1])) + 1 if place else data.count(b"\n") + 1
        raise SpecError([Problem(file, line, f"{error}; mend the JSON at or just before this line")]) from error
    except ValueError as error:
        raise SpecError([Problem(file, _line_of_key(data, "`$.editions`"), str(error))]) from error
    defect = _defect(read.defect) if read.defect else None
    return Vector(
        name, read.title, read.exercises, in_editions, read.dialects, read.scenario, defect, file, read.seconds
    )


def _defect(read: _DefectFile) -> Defect:
    return Defect(read.at, read.breaks, read.kind, None if read.put is msgspec.UNSET else read.put, read.cut)


def _line_of_key(data: bytes, message: str) -> int:
    """The line of the first key on the path that msgspec's message ends with, else 1."""
    place = re.search(r"`\$\.(\w+)", message)
    at = data.find(f'"{place[1]}"'.encode()) if place else -1
    return data.count(b"\n", 0, at) + 1 if at >= 0 else 1
