"""The contract objects' schemas of one edition, ready to be asked.

Enters: a Spec and an edition. Leaves: name of a contract object → its form. `jsonschema_rs` is imported on first use,
to keep starting quick.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.spec.files.folder import files_in, relative
from bindproof.spec.files.reader import read_object
from bindproof.spec.models import Spec
from bindproof.spec.problem import Problem, SpecError

BASE = "https://bindproof.example/"
"""Where the address of every schema begins. Nothing is there, and never will be: nobody can have such a name
(RFC 2606). So an address says which schema is meant, and no validator can fetch another one."""


class Form(Struct, frozen=True):
    """The form of a contract object."""

    accepts: Callable[[Json], bool]
    """Whether a value satisfies its schema."""
    keys: frozenset[str]
    """Those that its schema has."""


def read_schemas(spec: Spec, edition: str) -> dict[str, Json]:
    """Return the schemas of an edition by name (`outcome`, `pending-mark`, …).

    Raises SpecError for what cannot be read.
    """
    problems: list[Problem] = []
    found: dict[str, Json] = {}
    for path in files_in(spec.root, spec.folder / "schemas" / edition, "*.json", problems):
        try:
            schema, document = read_object(path, relative(spec.root, path))
        except SpecError as error:
            problems.extend(error.problems)
            continue
        if isinstance(schema.get("$id"), str):
            found[path.stem] = schema
        else:
            wanted = f"{BASE}{spec.name}/{edition}/{path.name}"
            problems.append(document.problem(f"`$id` has to be {wanted!r}", "$id"))
    if problems:
        raise SpecError(problems)
    return found


def forms(spec: Spec, edition: str) -> Mapping[str, Form]:
    """Return the form of each contract object of an edition. Raises SpecError for schemas that cannot be used."""
    schemas = read_schemas(spec, edition)
    try:
        return _forms(schemas)
    except ValueError as error:
        raise SpecError(_faults(spec, edition, error)) from None


def _forms(schemas: Mapping[str, Json]) -> dict[str, Form]:
    import jsonschema_rs

    from bindproof.spec.schemas import pattern_options

    options = pattern_options()
    registry = jsonschema_rs.Registry([(schema["$id"], schema) for schema in schemas.values()])
    return {
        name: Form(
            jsonschema_rs.validator_for(schema, registry=registry, pattern_options=options).is_valid,
            frozenset(schema.get("properties", ())),
        )
        for name, schema in schemas.items()
        if "type" in schema
    }


def _faults(spec: Spec, edition: str, error: ValueError) -> list[Problem]:
    """Return what is wrong with the schemas, each at its line; where no rule of ours finds it, what was said."""
    from bindproof.spec.schemas import schema_problems

    said = str(error).partition("\n")[0]
    folder = relative(spec.root, spec.folder / "schemas" / edition)
    return schema_problems(spec) or [Problem(folder, 1, f"these schemas cannot be used together: {said}")]
