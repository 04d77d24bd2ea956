"""Whether a part may be compared by itself: where a wider part can only make the whole wider, and what is left of it.

Enters: Schemas, places, Differences. Leaves: the places where that is so, and the two schemas to compare.

A value is held against a schema by asking the schemas in it. Where these are asked straight, as `properties`, `items`
and `allOf` do, a part that takes more makes a whole that takes more. `not`, `if` and a `oneOf` whose branches may meet
may turn that round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import Final

from bindproof.core.model import Json, same
from bindproof.evolve.apart import apart
from bindproof.evolve.difference import ABSENT
from bindproof.evolve.references import Node
from bindproof.evolve.schemas import Schemas, dynamic_targets, following, node_at

_TURNING: Final = frozenset({"not", "if", "oneOf"})
_LOOKING_AROUND: Final = frozenset({"unevaluatedItems", "unevaluatedProperties"})
"""Keywords to which it matters what other schemas asked; where one is, no part is compared by itself."""

_TOGETHER: Final = (
    frozenset({"properties", "patternProperties", "additionalProperties"}),
    frozenset({"items", "prefixItems", "additionalItems"}),
    frozenset({"contains", "minContains", "maxContains"}),
    frozenset({"if", "then", "else"}),
)
"""Keywords that mean something together; every other one refuses by itself."""


def turned(sides: Sequence[Schemas], starts: Iterable[Node]) -> set[Node] | None:
    """Return the schemas whose growth may make a start smaller, on either side or where parts of both are mixed.

    None where that can be so of any.
    """
    straight: set[Node] = set()
    round_: set[Node] = set()
    is_apart = cache(partial(apart, sides))  # asked of a union for each of its branches
    waiting = [(start, False) for start in starts]
    while waiting:
        node, turning = waiting.pop()
        if node in round_ or (node in straight and not turning):
            continue
        (round_ if turning else straight).add(node)
        for schemas in sides:
            try:
                schema = node_at(schemas, node)
            except (LookupError, TypeError, ValueError):
                continue
            if isinstance(schema, dict) and (_LOOKING_AROUND & schema.keys() or _is_open(sides, schema)):
                return None
            for after in following(schemas, node):
                waiting.append((after, turning or _turns(is_apart, schema, node, after)))
    return round_


def _is_open(sides: Sequence[Schemas], schema: dict[str, Json]) -> bool:
    """Tell whether it depends on the way to a schema what it refers to."""
    reference = schema.get("$dynamicRef")
    if reference is None:
        return False
    meant = {target for side in sides for target in dynamic_targets(side, reference)}
    return len(meant) != 1


def _turns(is_apart: Callable[[Node], bool], schema: Json, node: Node, after: Node) -> bool:
    inside = after[0] == node[0] and after[1][: len(node[1])] == node[1] and len(after[1]) > len(node[1])
    if not inside:
        return False
    keyword = after[1][len(node[1])]
    if keyword == "oneOf" and is_apart(node):
        return False
    return keyword in _TURNING or (keyword == "contains" and "maxContains" in schema)


def parts(old: Json, new: Json) -> tuple[Json, Json]:
    """Return two schemas less what refuses the same on both sides.

    If the new one of them takes all that the old one takes, so it is of the whole: what was left out is asked of a
    value besides, and is the same.
    """
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return old, new
    changed = {key for key in old.keys() | new.keys() if not _alike(old.get(key, ABSENT), new.get(key, ABSENT))}
    kept = set(changed)
    for group in _TOGETHER:
        if group & changed:
            kept |= group
    left, right = ({key: item for key, item in side.items() if key in kept} for side in (old, new))
    for key in ("properties", "patternProperties"):
        if isinstance(left.get(key), dict) and isinstance(right.get(key), dict):
            left[key], right[key] = _names_alone(left[key], right[key])
    return left, right


def _alike(old: Json, new: Json) -> bool:
    return old is not ABSENT and new is not ABSENT and same(old, new)


def _names_alone(old: dict[str, Json], new: dict[str, Json]) -> tuple[Json, Json]:
    """Leave of members that are the same on both sides only that they are there."""
    alike = {name for name in old.keys() & new.keys() if same(old[name], new[name])}
    return tuple({name: True if name in alike else item for name, item in side.items()} for side in (old, new))  # type: ignore[return-value]
