"""What editors are told of a file, so that they complete its keys and mark its faults: a JSON Schema.

Enters: a form. Leaves: the schema, made from the form alone. Must not know where schemas are kept.
"""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from bindproof.core.model import Json
from bindproof.spec.files.form import Form

DRAFT = "https://json-schema.org/draft/2020-12/schema"


class _WithoutTitles(GenerateJsonSchema):
    """Says what a field means, not its name in other letters."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return False: editors show the key itself."""
        return False


def editor_schema(form: type[Form]) -> dict[str, Json]:
    """Return the JSON Schema of a file."""
    return {"$schema": DRAFT, **form.model_json_schema(schema_generator=_WithoutTitles)}
