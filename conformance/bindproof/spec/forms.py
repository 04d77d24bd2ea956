"""The contract objects' schemas of one edition, ready to be asked.

Enters: a Suite and an edition. Leaves: name of a contract object → its form. `jsonschema_rs` is imported on first use,
to keep starting quick.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from bindproof.core.model import Json
from bindproof.spec.models import Suite

BASE = "bindproof://spec/"
"""Schemas state relative ids; they are resolved against this."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a contract object. accepts: whether a value satisfies its schema; keys: those that its schema has."""

    accepts: Callable[[Json], bool]
    keys: frozenset[str]


def read_schemas(suite: Suite, edition: str) -> dict[str, Json]:
    """Return the schemas of an edition by name (`outcome`, `pending-mark`, …), their ids made absolute."""
    folder = suite.folder / "schemas" / edition
    found = {path.stem: msgspec.json.decode(path.read_bytes()) for path in sorted(folder.glob("*.json"))}
    return {name: {**schema, "$id": BASE + schema["$id"]} for name, schema in found.items()}


def forms(suite: Suite, edition: str) -> Mapping[str, Form]:
    """Return the form of each contract object of an edition."""
    import jsonschema_rs

    schemas = read_schemas(suite, edition)
    registry = jsonschema_rs.Registry([(schema["$id"], schema) for schema in schemas.values()])
    return {
        name: Form(
            jsonschema_rs.validator_for(schema, registry=registry).is_valid, frozenset(schema.get("properties", ()))
        )
        for name, schema in schemas.items()
        if "type" in schema
    }
