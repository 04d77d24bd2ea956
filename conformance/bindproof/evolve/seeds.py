"""Values that are tried first where a witness is looked for: the objects of migration notes and of vectors.

Enters: two Sides. Leaves: values by the name of the schema file that they are of, or may be of.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
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
"""Objects of vectors for one schema, the smallest."""


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
    smallest = {name: sorted(of, key=lambda text: (len(text), text))[:MOST_OF_VECTORS] for name, of in texts.items()}
    return {name: [json.loads(text) for text in of] for name, of in smallest.items()}
