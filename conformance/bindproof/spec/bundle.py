"""The schemas of an edition as others use them: one file, whose addresses are absolute and lead into itself.

Enters: a Spec and an edition. Leaves: a JSON Schema 2020-12 that carries each schema in several forms, as `$defs`:

| below | what it takes |
|-|-|
| `writers/` | what a program should write: no member that the contract does not name, save where more are kept |
| `readers/` | what a program should be able to read: members, categories and versions that came later too |
| `<dialect>/<side>/` | the objects that a dialect spells in its own way, on the side on which they pass |

An object that a dialect does not respell on a side has no form there: the canonical one is that.
Must not know files' bytes, vectors or requirements.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from bindproof.core.model import Json
from bindproof.spec.editions import settings
from bindproof.spec.files.folder import relative
from bindproof.spec.files.reader import read_object
from bindproof.spec.forms import BASE, read_schemas
from bindproof.spec.models import Dialect, Side, Spec

_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

READERS: Final = "readers.json"
"""The file of a suite that says how far its readers' forms are open: by schema a merge patch (RFC 7396), and under
`bundle` what the bundle takes that is asked as it is."""

_READ: Final[tuple[Side, ...]] = ("input", "argument", "helper", "event")
"""The sides on which a program reads an object; on the others it writes one."""

Refer = Callable[[str], str]
"""Where a reference to a file of the edition leads to."""


def bundle(spec: Spec, edition: str) -> Json:
    """Return the bundle of an edition. Raises SpecError for schemas that cannot be read."""
    schemas = {f"{name}.json": schema for name, schema in read_schemas(spec, edition).items()}
    patches = read_patches(spec)
    address = f"{BASE}{spec.name}/{edition}/"
    closed = {given.schema for given in spec.objects if given.schema}
    forms: dict[str, dict[str, Json]] = {
        "writers": {name: writers_form(schema, whole=name in closed) for name, schema in schemas.items()},
        "readers": {name: _patched(opened(schema), patches.get(name, {})) for name, schema in schemas.items()},
    }
    for dialect in _spoken(spec, edition):
        for side in _sides(dialect):
            source = "readers" if side in _READ else "writers"
            forms[f"{dialect.name}/{side}"] = _respelled(spec, dialect, side, forms[source], f"{address}{source}/")
    root = {key: value for key, value in patches.get("bundle", {"not": {}}).items() if key != "description"}
    what = patches.get("bundle", {}).get("description", "Asked as it is, it takes nothing: ask one of its `$defs`.")
    return {
        "$schema": _DRAFT,
        "$id": f"{address}bundle.json",
        "title": f"{spec.title}, edition {edition}",
        "description": f"Every schema of the edition, for writers and for readers. {what}",
        **root,
        "$defs": {
            f"{form}/{name}": _placed(schema, f"{address}{form}/{name}")
            for form, each in forms.items()
            for name, schema in sorted(each.items())
        },
    }


def bundle_file(spec: Spec, edition: str) -> Path:
    """Return where the bundle of an edition is kept."""
    return spec.folder / "bundles" / f"{edition}.json"


def write_bundles(spec: Spec) -> list[Path]:
    """Write the bundle of every edition, and return the files. Raises SpecError for schemas that cannot be read."""
    paths = []
    for edition in spec.edition_names:
        path = bundle_file(spec, edition)
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(bundle(spec, edition), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        paths.append(path)
    return paths


def read_patches(spec: Spec) -> dict[str, Json]:
    """Return what the suite says of its readers, nothing where it says nothing. Raises SpecError."""
    path = spec.folder / READERS
    return read_object(path, relative(spec.root, path))[0] if path.exists() else {}


# -- for writers and for readers ---------------------------------------------------------------------------------------


def writers_form(schema: Json, *, whole: bool) -> Json:
    """Return a schema that takes no member of an object which the contract does not name.

    An object is closed where it has members that are required: what else may stand there is known then. One that only
    describes some of its members keeps what stands beside them. whole: the outermost object is closed too.
    """

    def close(node: dict[str, Json], outermost: bool) -> dict[str, Json]:
        named = node.get("properties")
        whole_one = outermost and whole
        if named and (node.get("required") or whole_one) and "additionalProperties" not in node:
            return {**node, "additionalProperties": False}
        return node

    return _changed(schema, close)


def opened(schema: Json) -> Json:
    """Return a schema that takes members which it does not name, in every object."""

    def opening(node: dict[str, Json], outermost: bool) -> dict[str, Json]:
        return {key: value for key, value in node.items() if (key, value) != ("additionalProperties", False)}

    return _changed(schema, opening)


def _changed(
    schema: Json, change: Callable[[dict[str, Json], bool], dict[str, Json]], *, outermost: bool = True
) -> Json:
    """Return a schema with each object in it changed; the examples stay, and what is named by authors is no schema."""
    if not isinstance(schema, dict):
        return schema
    found = change(schema, outermost)
    return {key: _inner(key, value, change) for key, value in found.items()}


def _inner(key: str, value: Json, change: Callable[[dict[str, Json], bool], dict[str, Json]]) -> Json:
    if key in ("properties", "$defs", "patternProperties") and isinstance(value, dict):
        return {name: _changed(item, change, outermost=False) for name, item in value.items()}
    if key in ("items", "additionalProperties", "not", "if", "then", "else") and isinstance(value, dict):
        return _changed(value, change, outermost=False)
    if key in ("anyOf", "oneOf", "allOf", "prefixItems") and isinstance(value, list):
        return [_changed(item, change, outermost=False) for item in value]
    return value


def _patched(value: Json, patch: Json) -> Json:
    """Return a value after a merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    found = dict(value) if isinstance(value, dict) else {}
    for key, item in patch.items():
        if item is None:
            found.pop(key, None)
        else:
            found[key] = _patched(found.get(key), item)
    return found


def _placed(schema: Json, address: str) -> Json:
    """Return a schema with its address, which stands first but for the draft's."""
    rest = {key: value for key, value in schema.items() if key not in ("$schema", "$id")}
    return {"$schema": _DRAFT, "$id": address, **rest}


# -- in a dialect's spelling -------------------------------------------------------------------------------------------


def _spoken(spec: Spec, edition: str) -> Iterator[Dialect]:
    yield from (spec.dialects[name] for found, name in settings(spec) if found == edition)


def _sides(dialect: Dialect) -> list[Side]:
    """Return the sides on which a dialect spells something in its own way, in an order that does not change."""
    used = {side for table in dialect.spelling.values() for spelled in table.values() for side in spelled.sides}
    return sorted(used)


def _respelled(
    spec: Spec, dialect: Dialect, side: Side, schemas: Mapping[str, Json], canonical: str
) -> dict[str, Json]:
    """Return the schemas of the objects that a dialect respells on a side, and of those that hold such objects."""
    files = {given.name: given.schema for given in spec.objects if given.schema and given.schema in schemas}
    names = {file: own for name, file in files.items() if (own := _own_names(dialect, name, side))}
    plain = {file for name, file in files.items() if name not in dialect.spelling}
    wanted = names.keys() | {name for name in plain if set(_files(schemas[name])) & names.keys()}
    return {name: _spelled(schemas[name], names, wanted, canonical) for name in sorted(wanted)}


def _own_names(dialect: Dialect, given: str, side: Side) -> dict[str, str]:
    table = dialect.spelling.get(given, {})
    return {key: spelled.own for key, spelled in table.items() if side in spelled.sides and spelled.own != key}


def _files(schema: Json) -> Iterator[str]:
    """Yield the files that a schema refers to."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref" and isinstance(value, str) and not value.startswith("#"):
                yield value.partition("#")[0]
            elif key != "examples":
                yield from _files(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _files(item)


def _spelled(schema: Json, names: Mapping[str, Mapping[str, str]], wanted: set[str], canonical: str) -> Json:
    own = names.get(str(schema["$id"]).rpartition("/")[2], {})
    found = _referring(schema, lambda file: file if file in wanted else canonical + file)
    found["properties"] = {own.get(key, key): value for key, value in found["properties"].items()}
    if "required" in found:
        found["required"] = [own.get(key, key) for key in found["required"]]
    if "examples" in found:
        found["examples"] = [_example(one, schema, own, names) for one in found["examples"]]
    return found


def _referring(schema: Json, refer: Refer) -> Json:
    """Return a schema whose references to other files lead where `refer` says."""
    if isinstance(schema, list):
        return [_referring(item, refer) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _pointing(value, refer) if key == "$ref" else value if key == "examples" else _referring(value, refer)
        for key, value in schema.items()
    }


def _pointing(reference: str, refer: Refer) -> str:
    file, hash_, pointer = reference.partition("#")
    return reference if not file else refer(file) + hash_ + pointer


def _example(value: Json, schema: Json, own: Mapping[str, str], names: Mapping[str, Mapping[str, str]]) -> Json:
    """Return an example in the dialect's spelling, the objects in it too."""
    return {own.get(key, key): _part(item, schema["properties"].get(key, {}), names) for key, item in value.items()}


def _part(value: Json, schema: Json, names: Mapping[str, Mapping[str, str]]) -> Json:
    if isinstance(value, list):
        return [_part(item, schema.get("items", {}), names) for item in value]
    own = names.get(str(schema.get("$ref", "")), {})
    return {own.get(key, key): item for key, item in value.items()} if isinstance(value, dict) else value
