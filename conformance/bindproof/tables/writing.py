"""Imports a table: its cases become vectors, and a note says where they are from.

Enters: a mapping file. Leaves: files below the suite's vectors, the same ones for the same table. A folder that holds
anything but what was imported is left alone.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Container, Iterator
from fnmatch import fnmatchcase
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import UNSET, Struct

from bindproof.core.errors import FileError
from bindproof.core.model import Json
from bindproof.core.paths import resolved
from bindproof.core.pointer import PointerError
from bindproof.spec.files.document import parse
from bindproof.spec.files.reader import of_form
from bindproof.spec.files.text import read_bytes
from bindproof.tables.case import Case, literal
from bindproof.tables.forms import FORMS

if TYPE_CHECKING:
    from bindproof.tables.mapping import MappingFile

NOTE: Final = "imported.toml"
"""Says, beside the vectors, where they are from. It marks a folder that may be written anew."""

LICENCE: Final = "LICENCE"

OTHERS: Final = "*"
"""In `errors`, stands for every word that is not there."""

_WRITTEN: Final = re.compile(r"[^/]+/[0-9a-f]{10}(-\d+)?\.json")
"""What a vector that was imported is called: the table's file, and a digest of the case."""


class Imported(Struct, frozen=True):
    """What was imported: the folder, how many vectors, how many cases expect nothing."""

    folder: Path
    vectors: int
    left_out: int


def import_table(mapping: Path, source: Path | None = None) -> Imported:
    """Write the vectors of a table.

    source: its folder, None: the one that the mapping names. Raises SpecError or FileError for what cannot be read or
    is of another form, and for a folder with other vectors in it.
    """
    from bindproof.tables.mapping import MappingFile

    written = of_form(MappingFile, parse(read_bytes(mapping, str(mapping)), str(mapping)))
    asked, base = written.value, mapping.resolve().parent
    table, into = source or base / asked.folder, resolved(base / asked.vectors)
    foreign = _foreign(into)
    if foreign is not None:
        raise FileError(foreign, None, "it was not imported, and would go; name another folder in `vectors`")
    made: dict[str, Json] = {}
    left_out = 0
    for path in _files(table, asked, mapping):
        for case in _cases(path, asked):
            if case.value is UNSET and case.error is None:
                left_out += 1
                continue
            vector = _vector(case, path, asked, mapping)
            made[_name(path, vector, made)] = vector
    licence = None if asked.licence_file is None else read_bytes(table / asked.licence_file, asked.licence_file)
    if into.exists():
        shutil.rmtree(into)
    for name, vector in made.items():
        _write(into / name, json.dumps(vector, ensure_ascii=True, indent=1) + "\n")
    _write(into / NOTE, _note(asked, len(made)))
    if licence is not None:
        (into / LICENCE).write_bytes(licence)
    return Imported(into, len(made), left_out)


def _name(path: Path, vector: Json, made: Container[str]) -> str:
    """Return the file of a vector: it goes by what is given and what comes out, and so stays when cases are added."""
    content = json.dumps([vector["scenario"], vector["expect"]], sort_keys=True).encode()
    name = f"{path.stem}/{hashlib.sha256(content).hexdigest()[:10]}"
    again = (f"-{number}" for number in count(2))
    return next(f"{name}{more}.json" for more in chain([""], again) if f"{name}{more}.json" not in made)


def _foreign(into: Path) -> Path | None:
    """Return a file of a folder that no import has written, or the folder where nothing says that one wrote it."""
    found = sorted(path for path in into.rglob("*") if path.is_file())
    if found and not (into / NOTE).is_file():
        return into
    names = ((path, path.relative_to(into).as_posix()) for path in found)
    return next((path for path, name in names if name not in (NOTE, LICENCE) and not _WRITTEN.fullmatch(name)), None)


def _files(table: Path, asked: MappingFile, mapping: Path) -> list[Path]:
    found = sorted({path for glob in asked.files for path in table.glob(glob) if path.is_file()})
    if asked.listed is not None:
        names = read_bytes(table / asked.listed, asked.listed).decode("utf-8", "replace").splitlines()
        meant = {(table / asked.listed).parent / name for name in names}
        found = [path for path in found if path in meant]
    if not found:
        raise FileError(mapping, None, f"no file of {table} is one of {', '.join(asked.files)}; say --from FOLDER")
    return found


def _cases(path: Path, asked: MappingFile) -> Iterator[Case]:
    try:
        yield from FORMS[asked.form](path, asked.members)
    except (PointerError, KeyError, TypeError, AttributeError) as error:
        raise FileError(path, None, f"this is no table of the form {asked.form}: {error!r}") from error


def _vector(case: Case, path: Path, asked: MappingFile, mapping: Path) -> Json:
    missing = [member for member in asked.scenario.values() if member not in case.members]
    if missing:
        raise FileError(path, None, f"{case.title}: the case has no member {missing[0]!r}, which [scenario] names")
    if case.error is not None:
        expect: Json = {"error": asked.errors.get(case.error, asked.errors.get(OTHERS, case.error))}
    else:
        expect = {"value": case.value if case.matched else literal(case.value, numeric=asked.numeric)}
    return {
        "title": case.title,
        "exercises": [_rule(case, path, asked, mapping)],
        "scenario": {name: case.members[member] for name, member in asked.scenario.items()},
        "expect": expect,
    }


def _rule(case: Case, path: Path, asked: MappingFile, mapping: Path) -> str:
    for rule in asked.rule:
        if fnmatchcase(path.name, rule.files) and rule.error in (None, case.error):
            return rule.exercises
    raise FileError(mapping, None, f"no [[rule]] is for {path.name}: {case.title}; add one without conditions, last")


def _note(asked: MappingFile, count: int) -> str:
    rows = {"source": asked.source, "commit": asked.commit, "licence": asked.licence, "form": asked.form}
    told = "".join(f"{name} = {json.dumps(value)}\n" for name, value in rows.items())
    return f"# Written by `bindproof import`, which writes this folder anew.\n{told}vectors = {count}\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
