"""The JSON Schema of every message, made from its types: `spec/protocol/messages.schema.json` is this, committed.

Enters: the types of `forms`. Leaves: a schema, or its text on stdout when run as a program
(`python -m bindproof.protocol.schema > spec/protocol/messages.schema.json`). Must not know files.
"""

from __future__ import annotations

import json
import sys

import msgspec

from bindproof.core.model import Json
from bindproof.protocol.forms import MESSAGES, NAMED, PROTOCOL_VERSION

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> Json:
    """Return the schema of one message, whoever sends it."""
    (*messages, _, _), forms = msgspec.json.schema_components((*MESSAGES, *NAMED), ref_template="#/$defs/{name}")
    return {
        "$schema": DIALECT,
        "title": f"Adapter protocol {PROTOCOL_VERSION}: every message",
        "anyOf": messages,
        "$defs": forms,
    }


def schema_text() -> str:
    """Return the schema as the text that is committed."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
