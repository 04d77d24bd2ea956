"""The schemas among the components of an OpenAPI 3.1 document, which are JSON Schemas.

Enters: a Document that says `openapi`. Leaves: a Document whose value is a schema that only defines, with the places of
the file; what else the API says is an unknown keyword in it, so that no difference there is called safe. Raises
SpecError for other versions, and for what is no such document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from bindproof.core.errors import UsageError
from bindproof.core.model import Json
from bindproof.evolve.keywords import COMPONENTS, DRAFTS, NAMED, ONE, SEVERAL
from bindproof.evolve.vocabulary import dict_of
from bindproof.spec.files.document import Document
from bindproof.spec.files.toml_lines import Place
from bindproof.spec.problem import Problem, SpecError

_AT: Final = ("components", "schemas")
_POINTER: Final = "#/components/schemas/"
_NAMED: Final = f"#/{COMPONENTS.replace('/', '~1')}/"

_DIALECTS: Final = frozenset({"https://spec.openapis.org/oas/3.1/dialect/base", *DRAFTS})
"""What `jsonSchemaDialect` may say; the first is 2020-12 with keywords that refuse nothing."""

_WORDS: Final = "externalDocs"
"""A keyword of OpenAPI that says nothing about values; so does `example`, which is one of `examples`."""


_SILENT: Final = frozenset({"openapi", "info", "jsonSchemaDialect", "tags", "externalDocs"})
"""Keys of a document that say nothing about what is sent."""


class Components(Document, frozen=True, dict=True):
    """The schemas of a document; lines are those of the file."""

    @cached_property
    def lines(self) -> Mapping[Place, int]:
        """The line of every value by its place."""
        whole = Document(self.name, None, self.text).lines
        return {(COMPONENTS, *place[2:]) if place[:2] == _AT else place: line for place, line in whole.items()}


def is_openapi(document: Document) -> bool:
    """Tell whether a document says that it is one of OpenAPI, of whatever version."""
    value = document.value
    return isinstance(value, dict) and any(isinstance(value.get(key), str) for key in ("openapi", "swagger"))


def components(document: Document) -> Document:
    """Return the schemas of a document. Raises SpecError where it is none of OpenAPI 3.1, or no valid one."""
    value = document.value
    keyword = "openapi" if "openapi" in value else "swagger"
    if keyword != "openapi" or not value["openapi"].startswith("3.1."):
        said = f"this is OpenAPI {value[keyword]}; of OpenAPI, 3.1 is read, whose schemas are JSON Schemas"
        raise SpecError([document.problem(said, keyword)])
    dialect = value.get("jsonSchemaDialect")
    if dialect is not None and dialect not in _DIALECTS:
        said = f"`jsonSchemaDialect` is {dialect!r:.100}; these are read: {', '.join(sorted(_DIALECTS))}"
        raise SpecError([document.problem(said, "jsonSchemaDialect")])
    problems = list(_invalid(document))
    if problems:
        raise SpecError(problems)
    others = {key: item for key, item in value.items() if key not in _SILENT}
    held = dict(dict_of(others.pop("components", {})))
    schemas = {name: _schema(schema) for name, schema in dict_of(held.pop("schemas", {})).items()}
    root = {**others, **({"components": held} if held else {}), COMPONENTS: schemas}
    return Components(document.name, root, document.text)


def _invalid(document: Document) -> Iterator[Problem]:
    """Yield what a kept library says against a document; it is asked nothing for which it would follow a reference."""
    try:
        from openapi_spec_validator import OpenAPIV31SpecValidator
    except ImportError:
        said = f"{document.name} is OpenAPI, which is read where `pip install 'bindproof[openapi]'` was run"
        raise UsageError(said) from None
    for error in OpenAPIV31SpecValidator.schema_validator.iter_errors(document.value):
        yield document.problem(f"this is no OpenAPI 3.1: {error.message:.300}", *error.path)


def _schema(value: Json) -> Json:
    """Return a schema whose references to components name them where they are now."""
    if not isinstance(value, dict):
        return value
    found = {key: _held(key, item) for key, item in value.items() if key not in {_WORDS, "example"}}
    if "example" in value and not isinstance(found.get("examples"), list):
        found["examples"] = [value["example"]]
    return found


def _held(keyword: str, value: Json) -> Json:
    if keyword == "$ref" and isinstance(value, str):
        return value.replace(_POINTER, _NAMED, 1)
    if keyword in NAMED and isinstance(value, dict):
        return {name: _schema(item) for name, item in value.items()}
    if keyword in SEVERAL and isinstance(value, list):
        return [_schema(item) for item in value]
    return _schema(value) if keyword in ONE else value
