"""Values that are tried first where a witness is looked for: the objects of migration notes.

Enters: two Sides. Leaves: values by the name of the schema file that they are of.
"""

from __future__ import annotations

import json
from contextlib import suppress

from bindproof.core.model import Json
from bindproof.evolve.sides import Side
from bindproof.spec.changes import read_changes


def seeds_of(*sides: Side) -> dict[str, list[Json]]:
    """Return the objects of every note of the sides' suites, by the name of their file in a comparison."""
    found: dict[str, list[Json]] = {}
    for side in sides:
        if side.spec is None:
            continue
        for change in read_changes(side.spec)[0]:
            for example in (example for _, note in change.notes for example in note.object):
                for name in (name for name in side.schemas if name.rpartition("/")[2] == example.schema_):
                    for text in (example.before, example.after):
                        with suppress(ValueError):
                            found.setdefault(name, []).append(json.loads(text))
    return found
