"""Objects that the forms of a bundle refuse, each one change away from an example that they take.

Enters: a bundle. Leaves: objects with the address of the form that has to refuse them. Must not know files, vectors or
requirements. `jsonschema_rs` is imported on first use, to keep starting quick.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bindproof.core.model import Json

STRANGE: Final = "member_of_nobody"
"""A member that no form names."""

OTHERS: Final[tuple[Json, ...]] = (None, False, 7, "text", [], {})
"""One value of each type."""


def refusals(bundle: Json) -> list[Json]:
    """Return what each form that has examples has to refuse: `form` (its address), `object`, and `because` in words."""
    import jsonschema_rs

    registry = jsonschema_rs.Registry([(bundle["$id"], bundle)])
    found = []
    for form in bundle["$defs"].values():
        takes = jsonschema_rs.validator_for({"$ref": form["$id"]}, registry=registry).is_valid
        refused: list[Json] = []
        for example in form.get("examples", ()):
            for because, value in _changed(example):
                if value not in refused and not takes(value):
                    refused.append(value)
                    found.append({"form": form["$id"], "object": value, "because": because})
    return found


def _changed(example: Json) -> Iterator[tuple[str, Json]]:
    """Yield what is no object, then objects with one member less, of another type or more; each with what was done."""
    if not isinstance(example, dict):
        return
    yield from (("it is no object", other) for other in OTHERS if not isinstance(other, dict))
    for name, value in example.items():
        yield f"{name} is left out", {key: one for key, one in example.items() if key != name}
        for other in OTHERS:
            if type(other) is not type(value):
                yield f"{name} is of another type", {**example, name: other}
    yield f"{STRANGE} is no member", {**example, STRANGE: 0}
