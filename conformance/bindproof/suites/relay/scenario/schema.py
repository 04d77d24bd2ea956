"""The JSON Schema of the scenario language, made from its model: `spec/relay/scenario.schema.json` is this, committed.

Enters: the structs of `language`. Leaves: a schema, or its text on stdout when run as a program
(`python -m bindproof.suites.relay.scenario.schema > spec/relay/scenario.schema.json`). Must not know files.
"""

from __future__ import annotations

import json
import sys

import msgspec

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.language import Scenario

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> Json:
    """Return the schema of a scenario as a vector states it."""
    made = msgspec.json.schema(Scenario)
    return {"$schema": DIALECT, "title": "Scenario of the suite relay", **made}


def schema_text() -> str:
    """Return the schema as the text that is committed."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
