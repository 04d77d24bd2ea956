"""Whether a value satisfies a schema, told by two libraries that share no code.

Enters: Schemas and one of their places. Leaves: True or False, or None where the two disagree or one cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec

from bindproof.core.model import Json
from bindproof.core.pointer import pointer_to
from bindproof.evolve.keywords import COMPONENTS, DRAFT_7, DRAFTS
from bindproof.evolve.references import BASE, Node
from bindproof.evolve.schemas import Schemas, node_at

if TYPE_CHECKING:
    from jsonschema_rs import FancyRegexOptions
    from referencing import Registry

_NAMING: Final = frozenset({"$id", "$schema"})
"""Keywords by which others know a schema, and its draft, which is known here."""

_GIVING_UP: Final = (ValueError, RecursionError, LookupError, ArithmeticError, re.error)
"""What a validator raises that cannot tell: `re` has no classes of letters, `\\p{L}`, as patterns of ECMA-262 have."""

_DRAFT_NAMES: Final = {draft: name for name, draft in DRAFTS.items()}


def _fetch(address: str) -> Json:
    raise ValueError(f"{address} is not fetched")


@cache
def _patterns() -> FancyRegexOptions:
    import jsonschema_rs

    return jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000)


def _second(seven: bool, formats: bool, root: Json, registry: Registry[Any]) -> Any:
    import jsonschema

    kind = jsonschema.Draft7Validator if seven else jsonschema.Draft202012Validator
    return kind(root, registry=registry, format_checker=kind.FORMAT_CHECKER if formats else None)


@cache
def _prepared(seven: bool, formats: bool) -> Any:
    """Return a validator that knows no other schema: to begin with one takes longer than to hold a value against it."""
    from referencing import Registry

    return _second(seven, formats, True, Registry())


def prepare() -> None:
    """Import both libraries, which may take longer than many a question."""
    _patterns()
    _prepared(seven=False, formats=True)


class Reader:
    """Takes and refuses values as a schema says, formats asserted or not.

    may_refer: False where no schema is known to refer to any; it need not be found out then.
    """

    def __init__(self, schemas: Schemas, entry: Node, *, formats: bool, may_refer: bool = True) -> None:
        self._schemas = schemas
        self._entry = entry
        self._formats = formats
        self._is_seven = schemas[entry[0]].draft == DRAFT_7
        self._alone = self._by_itself(may_refer)
        self._quick: Callable[[Json], bool] | None = None
        self._second: Callable[[Json], bool] | None = None

    def _by_itself(self, may_refer: bool) -> Json | None:
        """Return the schema at the entry, where it refers to nothing: no other has to be known then. Else None."""
        try:
            schema = node_at(self._schemas, self._entry)
        except (LookupError, TypeError, ValueError):  # the validators say what is wrong with that
            return None
        if may_refer:
            written = msgspec.json.encode(schema)
            if b'"$ref"' in written or b'"$dynamicRef"' in written:
                return None
        if not isinstance(schema, dict):
            return {"allOf": [schema]}
        return {key: item for key, item in schema.items() if key not in _NAMING}

    @property
    def _asking(self) -> Json:
        """A schema with an address of its own, which asks the one at the entry."""
        name, place = self._entry
        draft = _DRAFT_NAMES[self._schemas[name].draft]
        if not isinstance(self._schemas[name].root, dict):
            return {"$schema": draft, "allOf": [self._schemas[name].root]}
        return {"$schema": draft, "$id": f"{BASE}-entry", "$ref": f"{BASE}{name}#{pointer_to(place)}"}

    def _resources(self) -> list[tuple[str, Json]]:
        found = []
        for name, schema in self._schemas.items():
            if isinstance(schema.root, dict):
                root = schema.root
                if COMPONENTS in root:  # what else an API says is no schema, and refers to what is none
                    root = {key: root[key] for key in ("$id", COMPONENTS)}
                found.append((BASE + name, {**root, "$schema": _DRAFT_NAMES[schema.draft]}))
            else:
                found.append((BASE + name, schema.root))
        return found

    @property
    def quick(self) -> Callable[[Json], bool]:
        """What `jsonschema_rs` says. Raises ValueError for a schema that it cannot use."""
        if self._quick is None:  # `cached_property` locks, which costs as much as to hold a value against it
            self._quick = self._made_quick()
        return self._quick

    def _made_quick(self) -> Callable[[Json], bool]:
        import jsonschema_rs

        how: dict[str, Any] = {"validate_formats": self._formats, "pattern_options": _patterns(), "retriever": _fetch}
        try:
            if self._alone is not None:
                kind = jsonschema_rs.Draft7Validator if self._is_seven else jsonschema_rs.Draft202012Validator
                return kind(self._alone, **how).is_valid
            registry = jsonschema_rs.Registry(self._resources(), retriever=_fetch)
            return jsonschema_rs.validator_for(self._asking, registry=registry, **how).is_valid
        except jsonschema_rs.ReferencingError as error:
            raise ValueError(str(error)) from None

    @property
    def second(self) -> Callable[[Json], bool]:
        """What `jsonschema` says."""
        if self._second is None:
            self._second = self._made_second()
        return self._second

    def _made_second(self) -> Callable[[Json], bool]:
        if self._alone is not None:
            made = _prepared(self._is_seven, self._formats).evolve(schema=self._alone)
        else:
            made = _second(self._is_seven, self._formats, self._asking, self._registry())
        return lambda value: bool(made.is_valid(value))

    def _registry(self) -> Registry[Any]:
        from referencing import Registry
        from referencing.jsonschema import DRAFT7, DRAFT202012

        resources: list[tuple[str, Any]] = []
        for (address, root), schema in zip(self._resources(), self._schemas.values(), strict=True):
            kind = DRAFT7 if schema.draft == DRAFT_7 else DRAFT202012
            resources.append((address, kind.create_resource(root)))
        return Registry().with_resources(resources)

    def compile(self) -> None:
        """Raise ValueError for a schema that cannot be used."""
        _ = self.quick

    def takes(self, value: Json) -> bool | None:
        """Tell whether a value satisfies the schema; None where the two libraries disagree, or one gives up."""
        try:
            said = self.quick(value)
        except _GIVING_UP:
            return None
        return said if self.second_says(value) is said else None

    def second_says(self, value: Json) -> bool | None:
        """Tell what the second library says of a value; None where it gives up."""
        try:
            return self.second(value)
        except _GIVING_UP:
            return None
