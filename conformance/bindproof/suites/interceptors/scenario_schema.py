"""The JSON Schema of the scenario language, made from its model: `spec/interceptors/scenario.schema.json`, committed.

Enters: the structs of `language`. Leaves: a schema, or its text on stdout when run as a program
(`python -m bindproof.suites.interceptors.scenario_schema > spec/interceptors/scenario.schema.json`).
"""

from __future__ import annotations

import json
import sys

import msgspec

from bindproof.core.model import Json
from bindproof.suites.interceptors.language import Scenario

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> Json:
    """Return the schema of a scenario as a vector states it."""
    return {"$schema": DIALECT, "title": "Scenario of the suite interceptors", **msgspec.json.schema(Scenario)}


def schema_text() -> str:
    """Return the schema as the text that is committed."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
