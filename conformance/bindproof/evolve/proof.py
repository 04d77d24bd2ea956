"""Whether one schema takes all that another takes, proved by a library that has the set algebra of schemas.

Enters: two flat schemas, which are of draft 2020-12. Leaves: True where it is proved, False where the contrary is,
None where nobody knows. `jsonschema_rs` answers YES only for what it has proved; `tests/evolve` holds it to that,
and to the same for its NO.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from bindproof.core.model import Json
from bindproof.evolve.keywords import DRAFT_2020

if TYPE_CHECKING:
    from jsonschema_rs import CanonicalSchema


def covers(wide: Json, narrow: Json) -> bool | None:
    """Tell whether every value that `narrow` takes is taken by `wide`.

    Readers differ in whether they assert formats, so what a format decides is proved for both kinds of readers.
    """
    left, right = msgspec.json.encode(wide), msgspec.json.encode(narrow)
    if left == right:
        return True
    answers = {_covers(left, right, formats=True)}
    if b'"format"' in left or b'"format"' in right:
        answers.add(_covers(left, right, formats=False))
    if False in answers:
        return False
    return True if answers == {True} else None


def _covers(wide: bytes, narrow: bytes, *, formats: bool) -> bool | None:
    from jsonschema_rs import canonical

    left, right = canonical_form(wide, formats), canonical_form(narrow, formats)
    if left is None or right is None:
        return None
    try:
        answer = left.covers(right)
    except ValueError:
        return None
    if answer == canonical.Containment.YES:
        return True
    return False if answer == canonical.Containment.NO else None


def difference(old: Json, new: Json) -> Json | None:
    """Return a schema of the values that `old` takes and `new` refuses; None where there is no such schema to be had.

    What satisfies it is a candidate for a witness and no more: nothing is proved by it.
    """
    left, right = (canonical_form(msgspec.json.encode(schema), True) for schema in (old, new))
    if left is None or right is None:
        return None
    try:
        return left.subtract(right).to_json_schema()
    except ValueError:
        return None


@lru_cache(maxsize=512)
def canonical_form(schema: bytes, formats: bool) -> CanonicalSchema | None:
    """Return the canonical form of a schema; None where the library has none. The last ones are kept."""
    import jsonschema_rs

    read = msgspec.json.decode(schema)
    try:
        return jsonschema_rs.canonicalize(read, draft=DRAFT_2020, validate_formats=formats, offline=True)
    except (ValueError, jsonschema_rs.ReferencingError):
        return None
