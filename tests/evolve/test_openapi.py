"""The components of an OpenAPI 3.1 document are compared as schemas; what else it says is never called safe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.errors import UsageError
from bindproof.evolve.findings import Findings, compared
from bindproof.evolve.sides import two_sides
from bindproof.evolve.words import path_of
from bindproof.spec.problem import SpecError

OLD = """\
openapi: 3.1.0
info: {title: Pets, version: "1.0"}
paths:
  /pets:
    get:
      responses:
        200: {description: all}
components:
  schemas:
    Owner:
      type: object
      properties:
        country: {const: no}
        pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}
    Pet:
      type: object
      required: [name]
      properties:
        name: {type: string, example: Tom, externalDocs: {url: http://a.example}}
        kind:
          enum: [cat, dog]
        owner: {$ref: '#/components/schemas/Owner'}
"""


def findings(folder: Path, old: str, new: str, ending: str = "yaml") -> Findings:
    paths = [folder / f"{name}.{ending}" for name in ("old", "new")]
    for path, text in zip(paths, (old, new), strict=True):
        path.write_text(text, encoding="utf-8")
    (folder / "x").mkdir()
    return compared(*two_sides(str(paths[0]), str(paths[1]), folder / "x"))


def changed(*changes: tuple[str, str]) -> str:
    new = OLD
    for before, after in changes:
        assert before in new
        new = new.replace(before, after)
    return new


@pytest.mark.long
def test_components_are_compared_as_schemas_are(tmp_path: Path) -> None:
    found = findings(tmp_path, OLD, changed(("[cat, dog]", "[cat, dog, fish]"), ("[name]", "[name, kind]")))
    assert [(one.difference and (one.difference.kind, one.difference.pointer)) for one in found.schemas] == [
        ("enum value added", "/components/schemas/Pet/properties/kind/enum"),
        ("required name added", "/components/schemas/Pet/required"),
    ]
    more, asked = found.schemas
    assert more.difference is not None
    assert path_of(found, more.difference).endswith("new.yaml")
    assert more.difference.line == 21
    assert more.new_to_old.witness["kind"] == "fish"
    assert more.new_to_old.entry == "new.yaml#/components/schemas/Pet"
    assert more.old_to_new.is_safe
    assert asked.old_to_new.witness == {"name": "a"}
    assert found.outcome() == "breaking"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('version: "1.0"', 'version: "1.1"'),
        ("openapi: 3.1.0", "openapi: 3.1.1"),
        ("example: Tom", "example: Tim"),
        ("http://a.example", "http://b.example"),
        ("const: no", 'const: "no"'),
    ],
)
def test_words_are_no_difference(tmp_path: Path, before: str, after: str) -> None:
    found = findings(tmp_path, OLD, changed((before, after)))
    assert (found.schemas, found.outcome()) == ((), "compatible")


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("/pets:", "/animals:", "unknown keyword paths changed"),
        ("components:\n", "components:\n  parameters: {}\n", "unknown keyword components added"),
        ("    Pet:\n", "    Pet:\n      discriminator: {propertyName: name}\n", "unknown keyword discriminator added"),
    ],
)
def test_what_is_no_schema_is_unknown(tmp_path: Path, before: str, after: str, kind: str) -> None:
    found = findings(tmp_path, OLD, changed((before, after)))
    assert [one.difference and one.difference.kind for one in found.schemas] == [kind]
    assert found.outcome() == "unknown"


@pytest.mark.long
def test_it_may_be_json(tmp_path: Path) -> None:
    old: Any = {"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "components": {"schemas": {"A": {}}}}
    new = json.loads(json.dumps(old))
    new["components"]["schemas"]["A"]["type"] = "string"
    found = findings(tmp_path, json.dumps(old), json.dumps(new), "json")
    assert found.schemas[0].old_to_new.witness == 0


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("openapi: 3.1.0", "openapi: 3.0.3", r":1: this is OpenAPI 3\.0\.3; of OpenAPI, 3\.1 is read"),
        ("openapi: 3.1.0", "openapi: 3.2.0", r":1: this is OpenAPI 3\.2\.0; of OpenAPI, 3\.1 is read"),
        ("openapi: 3.1.0", 'swagger: "2.0"', r":1: this is OpenAPI 2\.0; of OpenAPI, 3\.1 is read"),
        ("info: ", "jsonSchemaDialect: http://a.example/\ninfo: ", ":2: `jsonSchemaDialect` is 'http://a.example/'"),
        ("info: {title: Pets, ", "info: {", ":2: this is no OpenAPI 3.1: .*'title' is a required property|title"),
        ("type: array", "type: arr", ":14: this is no JSON Schema 2020-12"),
        ("schemas/Owner'", "schemas/Other'", r":22: \$ref '#/components.*Other' leads to nothing in these files"),
        ("schemas/Owner'", "parameters/Other'", r":22: \$ref '#/components/parameters/Other' leads to nothing"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_line(tmp_path: Path, before: str, after: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        findings(tmp_path, OLD, changed((before, after)))


def test_without_the_libraries_it_is_said_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openapi_spec_validator", None)
    with pytest.raises(UsageError, match=r"read where `pip install 'bindproof\[openapi\]'` was run"):
        findings(tmp_path, OLD, OLD)
