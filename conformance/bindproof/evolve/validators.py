"""Whether a value satisfies a schema, told by two libraries that share no code.

Enters: Schemas and one of their places. Leaves: True or False, or None where the two disagree or one cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

from bindproof.core.model import Json
from bindproof.core.pointer import pointer_to
from bindproof.evolve.keywords import DRAFT_7, DRAFTS
from bindproof.evolve.references import BASE, Node
from bindproof.evolve.schemas import Schemas

_DRAFT_NAMES: Final = {draft: name for name, draft in DRAFTS.items()}


class Reader:
    """Takes and refuses values as a schema says, formats asserted or not."""

    def __init__(self, schemas: Schemas, entry: Node, *, formats: bool) -> None:
        self._schemas = schemas
        self._entry = entry
        self._formats = formats

    @property
    def _root(self) -> Json:
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
                found.append((BASE + name, {**schema.root, "$schema": _DRAFT_NAMES[schema.draft]}))
            else:
                found.append((BASE + name, schema.root))
        return found

    @cached_property
    def quick(self) -> Callable[[Json], bool]:
        """What `jsonschema_rs` says. Raises ValueError for a schema that it cannot use."""
        import jsonschema_rs

        def fetch(address: str) -> Json:
            raise ValueError(f"{address} is not fetched")

        try:
            registry = jsonschema_rs.Registry(self._resources(), retriever=fetch)
            validator = jsonschema_rs.validator_for(
                self._root,
                registry=registry,
                validate_formats=self._formats,
                pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000),
                retriever=fetch,
            )
        except jsonschema_rs.ReferencingError as error:
            raise ValueError(str(error)) from None
        return validator.is_valid

    @cached_property
    def second(self) -> Callable[[Json], bool]:
        """What `jsonschema` says."""
        import jsonschema
        from referencing import Registry
        from referencing.jsonschema import DRAFT7, DRAFT202012

        resources: list[tuple[str, Any]] = []
        for (address, root), schema in zip(self._resources(), self._schemas.values(), strict=True):
            kind = DRAFT7 if schema.draft == DRAFT_7 else DRAFT202012
            resources.append((address, kind.create_resource(root)))
        seven = self._schemas[self._entry[0]].draft == DRAFT_7
        validator = jsonschema.Draft7Validator if seven else jsonschema.Draft202012Validator
        checker = validator.FORMAT_CHECKER if self._formats else None
        made = validator(self._root, registry=Registry().with_resources(resources), format_checker=checker)
        return lambda value: bool(made.is_valid(value))

    def takes(self, value: Json) -> bool | None:
        """Tell whether a value satisfies the schema; None where the two libraries disagree, or one gives up."""
        try:
            said = self.quick(value)
            return said if self.second(value) is said else None
        except (ValueError, RecursionError, LookupError, OverflowError, ArithmeticError):
            return None
