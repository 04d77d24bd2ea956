"""The schemas of one side of a comparison, each reference made to say which file and which place it means.

Enters: the documents of JSON files by name. Leaves: Schemas; a SpecError names what is no schema, or is of no draft
that is read. Nothing is fetched: a reference leads to one of the files, or to what a draft's own name stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from urllib.parse import unquote

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.core.pointer import pointer_to, tokens_of
from bindproof.evolve.keywords import COMPONENTS, DEFINITIONS, DRAFT_2020, DRAFTS, asserting, children, nodes
from bindproof.evolve.references import BASE, Addresses, Node, Resolving
from bindproof.spec.files.document import Document
from bindproof.spec.files.toml_lines import Place
from bindproof.spec.problem import Problem, SpecError

_DRAFTS: Final = {name.partition("://")[2]: draft for name, draft in DRAFTS.items()}


class Schema(Struct, frozen=True):
    """One file."""

    root: Json
    """The schema; each `$ref` is BASE, a file's name, `#` and a pointer."""
    draft: int
    """DRAFT_7 or DRAFT_2020."""
    document: Document | None = None
    """What was read, for the lines of places."""
    called: tuple[str, str] | None = None
    """A key of the root, and what the file itself calls it where that is another name."""

    def line(self, place: Place) -> int:
        """Return the line of a place, or of what is around it; 1 where nobody knows."""
        if self.called and place[:1] == self.called[:1]:
            place = (self.called[1], *place[1:])
        return self.document.line(*place) if self.document else 1


Schemas = Mapping[str, Schema]
"""By the name of the file."""


def read_schemas(documents: Mapping[str, Document]) -> dict[str, Schema]:
    """Return the schemas of these files. Raises SpecError with every fault."""
    problems: list[Problem] = []
    drafts = {name: _draft(document, problems) for name, document in documents.items()}
    problems.extend(problem for name in documents for problem in _of_other_drafts(documents[name], drafts[name]))
    known = Addresses({name: document.value for name, document in documents.items()})
    found = {}
    for name, document in documents.items():
        root = Resolving(known, name, document, drafts[name], problems).schema(document.value, ())
        if isinstance(root, dict):
            root = {**root, "$id": BASE + name}
        found[name] = Schema(root, drafts[name], document)
    problems = problems or [problem for name in found for problem in _invalid(found[name], documents[name])]
    if problems:
        raise SpecError(problems)
    return found


def pointer_of(place: Place) -> str:
    """Return a place as a JSON pointer into the file as it is."""
    if place[:1] == (COMPONENTS,):
        return f"/{COMPONENTS}{pointer_to(place[1:])}"
    return pointer_to(place)


def target_of(reference: str) -> Node | None:
    """Return the file and place that a reference of a Schema means; None where it is one of a draft's own."""
    address, _, fragment = reference.partition("#")
    if not address.startswith(BASE):
        return None
    return unquote(address.removeprefix(BASE)), tuple(tokens_of(unquote(fragment)))


def node_at(schemas: Schemas, node: Node) -> Json:
    """Return the schema at a place. Raises LookupError where there is none."""
    value = schemas[node[0]].root
    for token in node[1]:
        value = value[int(token) if isinstance(value, list) else token]
    return value


def entries(schemas: Schemas) -> list[Node]:
    """Return the schemas that values are held against: each file.

    Of a file that only defines they are the definitions to which nothing in it refers; all, where each is referred to.
    Of the components of an API they are all, as others than schemas refer to them.
    """
    found: list[Node] = []
    for name, schema in schemas.items():
        if not (isinstance(schema.root, dict) and asserting(schema.draft).isdisjoint(schema.root)):
            found.append((name, ()))
            continue
        if COMPONENTS in schema.root:
            found.extend((name, (COMPONENTS, key)) for key in schema.root[COMPONENTS])
            continue
        defined = [(name, (keyword, key)) for keyword in sorted(DEFINITIONS) for key in schema.root.get(keyword, ())]
        used = {
            target[1][:2]
            for place, node in nodes(schema.root)
            for target in targets(node, schemas)
            if target and target[0] == name and target[1][:2] != place[:2]
        }
        found.extend([one for one in defined if one[1] not in used] or defined)
    return found


def reached(schemas: Schemas, start: Node) -> set[Node]:
    """Return every schema that takes part when a value is held against one: those in it, and what they refer to."""
    seen: set[Node] = set()
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting.extend(following(schemas, node))
    return seen


def following(schemas: Schemas, node: Node) -> Iterator[Node]:
    """Yield the schemas that one asks directly: those in it, definitions apart, and what it refers to."""
    name, place = node
    try:
        value = node_at(schemas, node)
    except (LookupError, TypeError, ValueError):
        return
    yield from ((name, (*place, *inner)) for inner, _ in children(value) if inner[0] not in DEFINITIONS)
    yield from (target for target in targets(value, schemas) if target)


def leading(schemas: Schemas, start: Node, to: Iterable[Node]) -> set[Node]:
    """Return the places on the ways from one place to others, through references too."""
    before: dict[Node, list[Node]] = {}
    for node in reached(schemas, start):
        for after in following(schemas, node):
            before.setdefault(after, []).append(node)
    found: set[Node] = set()
    waiting = list(to)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(before.get(node, ()))
    return found


def targets(node: Json, schemas: Schemas) -> Iterator[Node | None]:
    """Yield what a schema refers to; None for one of a draft's own."""
    if not isinstance(node, dict):
        return
    if isinstance(node.get("$ref"), str):
        yield target_of(node["$ref"])
    if isinstance(node.get("$dynamicRef"), str):
        yield from dynamic_targets(schemas, node["$dynamicRef"])


def dynamic_targets(schemas: Schemas, reference: str) -> list[Node]:
    """Return every schema that a `$dynamicRef` may mean, whatever way led to it."""
    anchor = reference.rpartition("#")[2]
    return [
        (name, place)
        for name, schema in schemas.items()
        for place, node in nodes(schema.root)
        if isinstance(node, dict) and node.get("$dynamicAnchor") == anchor
    ]


def _draft(document: Document, problems: list[Problem]) -> int:
    value = document.value
    said = value.get("$schema") if isinstance(value, dict) else None
    if said is None:
        return DRAFT_2020
    draft = _draft_of(said)
    if draft is None:
        text = f"`$schema` is {said!r:.100}; schemas of 2020-12 and draft-07 are read: {', '.join(DRAFTS)}"
        problems.append(document.problem(text, "$schema"))
        return DRAFT_2020
    return draft


def _draft_of(said: Json) -> int | None:
    return _DRAFTS.get(said.partition("://")[2].removesuffix("#")) if isinstance(said, str) else None


def _of_other_drafts(document: Document, draft: int) -> Iterator[Problem]:
    """Name the schemas inside a file that are of another draft than the file, by which their keywords mean others."""
    for place, node in nodes(document.value):
        if place and isinstance(node, dict) and "$schema" in node and _draft_of(node["$schema"]) != draft:
            text = (
                f"`$schema` is {node['$schema']!r:.100}, another draft than its file is of; give it a file of its own"
            )
            yield document.problem(text, *place, "$schema")


def _invalid(schema: Schema, document: Document) -> Iterator[Problem]:
    if isinstance(schema.root, dict) and COMPONENTS in schema.root:
        for name, held in schema.root[COMPONENTS].items():
            yield from _invalid_at(held, (COMPONENTS, name), schema.draft, document)
    else:
        yield from _invalid_at(schema.root, (), schema.draft, document)


def _invalid_at(schema: Json, place: Place, draft: int, document: Document) -> Iterator[Problem]:
    from jsonschema_rs import ValidationError, meta

    said = next(name for name, number in DRAFTS.items() if number == draft)
    title = "2020-12" if draft == DRAFT_2020 else "draft-07"
    try:
        if isinstance(schema, dict):
            meta.validate({**schema, "$schema": said})
        elif not isinstance(schema, bool):
            yield document.problem("this is no JSON Schema: it is neither an object nor true or false", *place)
    except ValidationError as error:
        text = f"this is no JSON Schema {title}: {error.message:.300}"
        yield document.problem(text, *place, *error.instance_path)
    except ValueError as error:
        yield document.problem(f"this is no JSON Schema {title}: {error}", *place)
