"""Whether the JSON Schemas of a suite's objects are sound, edition by edition.

Enters: a Spec. Leaves: Problems of the schema files, and how their patterns are compiled. Must not know vectors or
requirements. `jsonschema_rs` is imported on first use, to keep starting quick.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from bindproof.core.model import Json
from bindproof.core.pointer import leads_somewhere
from bindproof.spec.files.document import Document
from bindproof.spec.files.folder import files_in, relative
from bindproof.spec.files.reader import read_object
from bindproof.spec.files.toml_lines import Place
from bindproof.spec.forms import BASE
from bindproof.spec.models import ObjectKeys, Spec
from bindproof.spec.problem import Problem, SpecError

if TYPE_CHECKING:
    from jsonschema_rs import RegexOptions

_PATTERN_BYTES: Final = 1 << 18
"""What a compiled pattern may take; `a{99999}` takes more, and minutes to compile."""

_OTHER_VALUES: Final = frozenset({"const", "default", "enum", "examples"})
"""The words of a schema under which no schema stands."""

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema_problems(spec: Spec) -> list[Problem]:
    """What is wrong with the schemas of every edition, alone and against the objects that suite.toml lists."""
    problems: list[Problem] = []
    seen: set[tuple[str, str]] = set()
    for edition in spec.edition_names:
        folder = spec.folder / "schemas" / edition
        documents, found = _read(spec.root, folder)
        values = {path: document.value for path, document in documents.items()}
        if not documents and not found and any(given.schema for given in spec.objects):
            found = [Problem(relative(spec.root, folder), 1, "this edition has no schemas; suite.toml names some")]
        problems += found
        for path, document in documents.items():
            problems += _faults(document, f"{BASE}{spec.name}/{edition}/{path.name}")
        if not problems:
            problems += _unresolved(documents)
        problems += [
            Problem(relative(spec.root, folder / f"{given.schema}"), 1, text)
            for given in spec.objects
            if given.schema and (text := _unlike(values.get(folder / given.schema, {}), given))
        ]
        seen |= {(path.name, key) for path, value in values.items() for key in _properties(value)}
    return problems or list(_unused(spec, seen))


def pattern_options() -> RegexOptions:
    """Return how the patterns of schemas are compiled: found in linear time, so without looking around or back."""
    from jsonschema_rs import RegexOptions

    return RegexOptions(size_limit=_PATTERN_BYTES)


def _read(root: Path, folder: Path) -> tuple[dict[Path, Document], list[Problem]]:
    documents: dict[Path, Document] = {}
    problems: list[Problem] = []
    for path in files_in(root, folder, "*.json", problems):
        try:
            documents[path] = read_object(path, relative(root, path))[1]
        except SpecError as error:
            problems.extend(error.problems)
    return documents, problems


def _faults(document: Document, wanted: str) -> Iterator[Problem]:
    from jsonschema_rs import ValidationError, meta

    schema = document.value
    if schema.get("$schema") != _DRAFT:
        yield document.problem(f"`$schema` has to be {_DRAFT}", "$schema")
    if schema.get("$id") != wanted:
        yield document.problem(f"`$id` is {schema.get('$id')!r}; this file's is {wanted!r}", "$id")
    for key in ("title", "description"):
        if not isinstance(schema.get(key), str):
            yield document.problem(f"a schema needs a `{key}`", key)
    unfit = [document.problem(text, *place) for place, text in _unfit_patterns(schema)]
    if unfit:
        yield from unfit
        return
    try:
        meta.validate({**schema, "$schema": _DRAFT})
    except ValidationError as error:
        yield document.problem(f"this is no JSON Schema 2020-12: {error.message}", *error.instance_path)
    except ValueError as error:
        yield document.problem(f"this is no JSON Schema 2020-12: {error}")


def _unfit_patterns(value: Json, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """Yield each pattern that cannot be compiled, with its place."""
    if isinstance(value, dict):
        keyed = value.get("patternProperties")
        for key in keyed if isinstance(keyed, dict) else ():
            if not _compiles(key):
                yield (*place, "patternProperties", key), _no_pattern(key)
        if isinstance(value.get("pattern"), str) and not _compiles(value["pattern"]):
            yield (*place, "pattern"), _no_pattern(value["pattern"])
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in members:
        if key not in _OTHER_VALUES:
            yield from _unfit_patterns(item, (*place, key))


def _compiles(pattern: str) -> bool:
    from jsonschema_rs import validator_for

    try:
        validator_for({"pattern": pattern}, pattern_options=pattern_options())
    except ValueError:
        return False
    return True


def _no_pattern(pattern: str) -> str:
    said = f"{pattern[:40]!r}{'…' if len(pattern) > 40 else ''}"
    return (
        f"{said} is no regular expression, looks ahead, behind or back at a group, or is too large; write another one"
    )


def _unresolved(documents: Mapping[Path, Document]) -> list[Problem]:
    """References that lead to something which is not there."""
    problems = []
    for path, document in documents.items():
        for place, reference in _references(document.value):
            file, _, pointer = reference.partition("#")
            target = documents.get(path.parent / file) if file else document
            if target is None or not leads_somewhere(target.value, unquote(pointer)):
                problems.append(document.problem(f"$ref {reference!r} leads nowhere", *place))
    return problems


def _references(value: Json, place: Place = ()) -> Iterator[tuple[Place, str]]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield (*place, "$ref"), value["$ref"]
        for key, item in value.items():
            yield from _references(item, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _references(item, (*place, index))


def _unlike(document: dict[str, Json], given: ObjectKeys) -> str | None:
    unknown = _properties(document) - set(given.keys)
    if unknown:
        return f"properties that are no keys of {given.name!r} in suite.toml: {', '.join(sorted(unknown))}"
    return None


def _properties(schema: dict[str, Json]) -> set[str]:
    found = schema.get("properties")
    return set(found) if isinstance(found, dict) else set()


def _unused(spec: Spec, seen: set[tuple[str, str]]) -> Iterator[Problem]:
    """Schemas of suite.toml that no edition has, and keys of an object with a schema that no edition's schema has."""
    files = {file for file, _ in seen}
    for given in spec.objects:
        if given.schema and given.schema not in files:
            text = f"suite.toml says that {given.schema} is the schema of {given.name!r}; no edition has such a file"
            yield Problem(relative(spec.root, spec.folder / "suite.toml"), 1, text)
        elif given.schema and (lost := [key for key in given.keys if (given.schema, key) not in seen]):
            text = f"the keys {', '.join(lost)} of {given.name!r} are in the schema {given.schema} of no edition"
            yield Problem(relative(spec.root, spec.folder / "suite.toml"), 1, text)
