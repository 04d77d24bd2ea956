"""What the words OLD and NEW of a comparison mean, and what is read of it.

Enters: a word: a file, a folder, `SUITE:EDITION`, `REVISION:PATH` as git has it, or `REVISION...:PATH` as it was where
the working branch left that one. Leaves: a Side. Raises UsageError
for anything else, SpecError for files that cannot be used.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.evolve.openapi import components, is_openapi
from bindproof.evolve.revisions import at_revision, merge_base
from bindproof.evolve.schemas import Schemas, read_schemas
from bindproof.spec import load, root_of, suite_roots
from bindproof.spec.files.document import Document, parse
from bindproof.spec.files.folder import files_in
from bindproof.spec.files.text import read_bytes
from bindproof.spec.files.yaml_text import ENDINGS as YAML_ENDINGS
from bindproof.spec.models import Requirement, Spec
from bindproof.spec.problem import Problem, read_all

MOST_BYTES: Final = 20_000_000
"""What the files of one side may hold together."""


class Side(Struct, frozen=True):
    """One side of a comparison."""

    word: str
    """As the user typed it."""
    schemas: Schemas
    place: str
    """What the names of its files are below, with a slash at the end; empty where they are below the working folder."""
    rules: Mapping[str, Requirement]
    """The requirements in force; none where there is no suite."""
    spec: Spec | None = None
    edition: str | None = None
    """The edition of the suite, where it is one edition."""
    revision: str = ""
    """What stands before a path as it was in a revision, as the user typed it: `main:`; empty for what is there now."""


class _Located(Struct, frozen=True):
    """Where the files of a side lie."""

    path: Path
    shown: PurePath
    """Where they lie for the user: below the working folder, though it may be long ago."""
    revision: str = ""


def two_sides(old: str, new: str, into: Path) -> tuple[Side, Side]:
    """Return both sides. into: a temporary folder that lives as long as they do."""
    first, second = (_located(word, into / name) for word, name in ((old, "old"), (new, "new")))
    if first is not None and second is not None and first.path.is_file() and second.path.is_file():
        name = second.shown.name
        return _of_file(old, first, name), _of_file(new, second, name)
    return _side(old, first), _side(new, second)


def _located(word: str, into: Path) -> _Located | None:
    """Return where that lies which a word means, None for an edition."""
    path = Path(word)
    if path.exists():
        return _Located(path, path)
    first, colon, rest = word.partition(":")
    if not colon or not first or not rest:
        raise UsageError(f"{word!r} is no file or folder, and neither SUITE:EDITION nor REVISION:PATH")
    if first in suite_roots():
        return None
    into.mkdir()
    found = at_revision(merge_base(first[:-3]) if first.endswith("...") else first, rest, into)
    return _Located(found, PurePath(rest), f"{first}:")


def _side(word: str, at: _Located | None) -> Side:
    if at is None:
        return _of_edition(word)
    if at.path.is_file():
        return _of_file(word, at, at.path.name)
    return _of_suite(word, at) if (at.path / "suite.toml").is_file() else _of_folder(word, at)


def _of_file(word: str, at: _Located, name: str) -> Side:
    return Side(word, read_schemas({name: _document(at.path, word)}), _below(at.shown.parent), {}, revision=at.revision)


def _of_folder(word: str, at: _Located) -> Side:
    return Side(word, read_schemas(_documents(at.path, at.path)), _below(at.shown), {}, revision=at.revision)


def _below(folder: PurePath) -> str:
    """Return what the names of a folder's files begin with."""
    return "" if folder == PurePath() else f"{folder.as_posix().rstrip('/')}/"


def _of_suite(word: str, at: _Located) -> Side:
    folder = at.path.resolve()
    if folder.parent.name != "spec":
        raise UsageError(f"{word} has a suite.toml; the folder of a suite lies in one called spec")
    suite = load(folder.parent.parent, folder.name)
    schemas = read_schemas(_documents(folder / "schemas", folder))
    return Side(word, schemas, _below(at.shown), suite.requirements, suite, revision=at.revision)


def _of_edition(word: str) -> Side:
    name, _, edition = word.partition(":")
    return edition_side(load(root_of(name), name), edition)


def edition_side(suite: Spec, edition: str) -> Side:
    """Return one edition of a suite as a side. Raises UsageError where it has none of that name."""
    if edition not in suite.edition_names:
        raise UsageError(f"suite {suite.name} has no edition {edition!r}; it has {', '.join(suite.edition_names)}")
    folder = suite.folder / "schemas" / edition
    rules = {name: rule for name, rule in suite.requirements.items() if edition in rule.in_editions}
    place = f"spec/{suite.name}/schemas/{edition}/"
    word = f"{suite.name}:{edition}"
    return Side(word, read_schemas(_documents(folder, folder)), place, rules, suite, edition)


def _documents(folder: Path, root: Path) -> dict[str, Document]:
    problems: list[Problem] = []
    every = files_in(folder, folder, "*", problems, deep=True)
    paths = [path for path in every if path.name.endswith((".json", *YAML_ENDINGS))]
    if sum(path.stat().st_size for path in paths) > MOST_BYTES:
        raise UsageError(f"{folder} holds more than {MOST_BYTES // 1_000_000} MB of JSON")
    return read_all(((path.relative_to(root).as_posix(), path) for path in paths), _document, problems)


def _document(path: Path, name: str) -> Document:
    if path.stat().st_size > MOST_BYTES:
        raise UsageError(f"{path} is larger than {MOST_BYTES // 1_000_000} MB")
    document = parse(read_bytes(path, name), name)
    return components(document) if is_openapi(document) else document
