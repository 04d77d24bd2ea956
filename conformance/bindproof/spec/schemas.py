"""Whether the JSON Schemas of a suite's objects are sound, edition by edition.

Enters: a Suite. Leaves: Problems of the schema files. Must not know vectors or requirements. `jsonschema_rs` is
imported on first use, to keep starting quick.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from bindproof.core.model import Json
from bindproof.core.pointer import leads_somewhere
from bindproof.spec.load import relative
from bindproof.spec.models import ObjectKeys, Suite
from bindproof.spec.problem import Problem

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema_problems(suite: Suite) -> list[Problem]:
    """What is wrong with the schemas of every edition, alone and against the objects that suite.toml lists."""
    problems: list[Problem] = []
    seen: set[tuple[str, str]] = set()
    for edition in suite.edition_names:
        folder = suite.folder / "schemas" / edition
        documents, found = _read(suite.root, folder)
        if not documents and not found and any(given.schema for given in suite.objects):
            found = [Problem(relative(suite.root, folder), 1, "this edition has no schemas; suite.toml names some")]
        problems += found
        for path, document in documents.items():
            name = relative(suite.root, path)
            problems += [Problem(name, line, text) for line, text in _faults(path, document, edition, suite.name)]
        if not problems:
            problems += _unresolved(suite.root, documents)
        problems += [
            Problem(relative(suite.root, folder / f"{given.schema}"), 1, text)
            for given in suite.objects
            if given.schema and (text := _unlike(documents.get(folder / given.schema), given))
        ]
        seen |= {(path.name, key) for path, document in documents.items() for key in document.get("properties", {})}
    return problems or list(_unused(suite, seen))


def _read(root: Path, folder: Path) -> tuple[dict[Path, dict[str, Json]], list[Problem]]:
    documents: dict[Path, dict[str, Json]] = {}
    problems = []
    for path in sorted(folder.glob("*.json")):
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except json.JSONDecodeError as error:
            problems.append(Problem(relative(root, path), error.lineno, f"this is no JSON: {error.msg}"))
            continue
        if isinstance(document, dict):
            documents[path] = document
        else:
            problems.append(Problem(relative(root, path), 1, "a schema is a JSON object"))
    return documents, problems


def _faults(path: Path, document: dict[str, Json], edition: str, suite: str) -> Iterator[tuple[int, str]]:
    from jsonschema_rs import meta

    text = path.read_text(encoding="utf-8")
    wanted = f"{suite}/{edition}/{path.name}"
    if document.get("$schema") != _DRAFT:
        yield _line(text, "$schema"), f"`$schema` has to be {_DRAFT}"
    if document.get("$id") != wanted:
        yield _line(text, "$id"), f"`$id` is {document.get('$id')!r}; this file's is {wanted!r}"
    for key in ("title", "description"):
        if not isinstance(document.get(key), str):
            yield 1, f"a schema needs a `{key}`"
    try:
        meta.validate(document)
    except Exception as error:  # jsonschema_rs raises several types, with the reason in the message
        yield 1, f"this is no JSON Schema 2020-12: {str(error).splitlines()[0]}"


def _unresolved(root: Path, documents: Mapping[Path, dict[str, Json]]) -> list[Problem]:
    """Schemas that refer to something which is not there."""
    problems = []
    for path, document in documents.items():
        text = path.read_text(encoding="utf-8")
        for reference in dict.fromkeys(_references(document)):
            file, _, pointer = reference.partition("#")
            target = documents.get(path.parent / file) if file else document
            if target is None or not leads_somewhere(target, pointer):
                line = next((n for n, part in enumerate(text.splitlines(), 1) if f'"{reference}"' in part), 1)
                problems.append(Problem(relative(root, path), line, f"$ref {reference!r} leads nowhere"))
    return problems


def _references(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for item in value.values():
            yield from _references(item)
    elif isinstance(value, list):
        for item in value:
            yield from _references(item)


def _unlike(document: dict[str, Json] | None, given: ObjectKeys) -> str | None:
    if document is None:
        return f"suite.toml says that this is the schema of {given.name!r}; there is no such file"
    unknown = set(document.get("properties", {})) - set(given.keys)
    if unknown:
        return f"properties that are no keys of {given.name!r} in suite.toml: {', '.join(sorted(unknown))}"
    return None


def _unused(suite: Suite, seen: set[tuple[str, str]]) -> Iterator[Problem]:
    """Keys of an object with a schema that no edition's schema has."""
    for given in suite.objects:
        if given.schema and (lost := [key for key in given.keys if (given.schema, key) not in seen]):
            text = f"the keys {', '.join(lost)} of {given.name!r} are in the schema {given.schema} of no edition"
            yield Problem(relative(suite.root, suite.folder / "suite.toml"), 1, text)


def _line(text: str, key: str) -> int:
    match = re.search(rf'"{re.escape(key)}"', text)
    return text.count("\n", 0, match.start()) + 1 if match else 1
