"""The JSON Schema of a record, made from its types: `spec/relay/record.schema.json` is this, committed.

Enters: the types of `records`. Leaves: a schema, or its text on stdout when run as a program
(`python -m bindproof.suites.relay.observation.schema > spec/relay/record.schema.json`). Must not know files.

What the types refuse in code, and what an adapter should keep to though the reader takes more, stands in `BESIDES`.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final, get_args

import msgspec

from bindproof.core.model import Json
from bindproof.suites.relay.observation.records import ERROR_KEYS, Record

DIALECT = "https://json-schema.org/draft/2020-12/schema"

OBJECT: Final = {"type": "object"}

STEP_ERROR: Final = {
    "description": "same_as: the callback whose own exception object the caller received.",
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "message": {"type": "string"},
        "code": {"type": ["string", "null"]},
        "same_as": {"type": ["string", "null"]},
    },
    "required": sorted(ERROR_KEYS),
    "additionalProperties": False,
}

REFUSAL: Final = {
    "type": "object",
    "properties": {"type": {"type": "string"}, "message": {"type": "string"}},
    "required": ["type", "message"],
    "additionalProperties": False,
}

MEMBERS: Final[dict[str, Json]] = {
    "callback": {"minLength": 1},
    "k": {"minimum": 0},
    "latch": {"minLength": 1},
    "name": {"minLength": 1},
    "step": {"minLength": 1},
    "subscriber": {"minLength": 1},
}
"""Of members of these names, in whatever record."""

BESIDES: Final[dict[str, Json]] = {
    "enter": {"properties": {"given": OBJECT}},
    "leave": {"oneOf": [{"required": ["reply"]}, {"required": ["raised"]}]},
    "refused": {"properties": {"error": REFUSAL}, "required": ["reply"]},
    "answer": {"properties": {"error": STEP_ERROR}, "oneOf": [{"required": ["value"]}, {"required": ["error"]}]},
    "over": {"oneOf": [{"required": ["how"]}, {"required": ["raised"]}]},
    "done": {"properties": {"error": STEP_ERROR}, "oneOf": [{"required": ["value"]}, {"required": ["error"]}]},
    "event": {"properties": {"event": OBJECT}},
    "measure": {"properties": {"value": OBJECT}},
}
"""Of records of these facts."""


def schema() -> Json:
    """Return the schema of a record, whose member `fact` tells which it is."""
    kinds = get_args(Record)
    references, forms = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return {
        "$schema": DIALECT,
        "title": "Record of the suite relay",
        "oneOf": list(references),
        "$defs": {kind.__name__: _complete(kind.__struct_config__.tag, forms[kind.__name__]) for kind in kinds},
    }


def _complete(fact: str, form: dict[str, Any]) -> Json:
    besides = BESIDES.get(fact, {})
    stricter = besides.get("properties", {})
    members = {
        name: {**member, **MEMBERS.get(name, {}), **stricter.get(name, {})}
        for name, member in form["properties"].items()
    }
    required = [*form["required"], *besides.get("required", ())]
    return {**form, **besides, "properties": members, "required": required, "additionalProperties": False}


def schema_text() -> str:
    """Return the schema as the text that is committed."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
