"""Values that are tried first where a witness is looked for: the objects of migration notes and of vectors.

Enters: two Sides. Leaves: values by the name of the schema file that they are of, or may be of.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from bindproof.core.model import Json
from bindproof.core.nesting import objects_in
from bindproof.evolve.schemas import Schemas
from bindproof.evolve.sides import Side
from bindproof.evolve.vocabulary import dict_of
from bindproof.spec import Spec, vectors
from bindproof.spec.changes import read_changes

MOST_OF_VECTORS: Final = 200
"""Objects of vectors for one schema: of each shape the smallest, then of each the next."""


def seeds_of(*sides: Side) -> dict[str, list[Json]]:
    """Return the objects of every note and vector of the sides' suites, by the name of their file in a comparison."""
    found: dict[str, list[Json]] = {}
    for suite in {side.spec.name: side.spec for side in sides if side.spec is not None}.values():
        schemas = {name: schema for side in sides for name, schema in side.schemas.items()}
        for name, value in _of_notes(suite, schemas):
            found.setdefault(name, []).append(value)
        for name, values in _of_vectors(suite, schemas).items():
            found.setdefault(name, []).extend(values)
    return found


def _of_notes(spec: Spec, schemas: Schemas) -> Iterator[tuple[str, Json]]:
    for change in read_changes(spec)[0]:
        for example in (example for _, note in change.notes for example in note.object):
            for name in (name for name in schemas if name.rpartition("/")[2] == example.schema_):
                for text in (example.before, example.after):
                    with suppress(ValueError):
                        yield name, json.loads(text)


def _of_vectors(spec: Spec, schemas: Schemas) -> dict[str, list[Json]]:
    """Return objects in scenarios most of whose keys are those of a schema; whether they satisfy it is seen later."""
    texts: dict[str, set[str]] = {name: set() for name in schemas}
    keys = {name: dict_of(dict_of(schema.root).get("properties")).keys() for name, schema in schemas.items()}
    for value in (value for vector in vectors(spec) for value in objects_in(vector.scenario)):
        for name in schemas:
            if 2 * len(value.keys() & keys[name]) > len(value):
                texts[name].add(json.dumps(value, sort_keys=True))
    return {name: [json.loads(text) for text in _chosen(of)] for name, of in texts.items()}


def _chosen(texts: Iterable[str]) -> list[str]:
    """Return the texts of at most MOST_OF_VECTORS objects, smallest first.

    A hundred marks that differ in their names alone, as a vector of many has them, must not leave out the one mark
    that has every field: so the first of each shape come before the second of any.
    """
    met: Counter[str] = Counter()
    ranked = []
    for text in sorted(texts, key=_size):
        shape = json.dumps(_shape(json.loads(text)))
        met[shape] += 1
        ranked.append((met[shape], *_size(text)))
    return [text for _, _, text in sorted(sorted(ranked)[:MOST_OF_VECTORS], key=lambda one: one[1:])]


def _size(text: str) -> tuple[int, str]:
    return len(text), text


def _shape(value: Json) -> Json:
    """Return the value with each text, number and such by its kind alone."""
    if isinstance(value, dict):
        return {key: _shape(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_shape(part) for part in value]
    return type(value).__name__
