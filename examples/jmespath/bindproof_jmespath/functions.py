"""The built-in functions: the types of their arguments, as the specification has them, and what they give.

`"..."` behind a type means any number of it; `array of string` a list of nothing else.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from bindproof_jmespath.reference import Refusal, same, search, type_of

Json = Any

_SORTED = "array of number|array of string"


def _keys(members: list[Json], by: tuple[Any]) -> list[Json]:
    keys = [search(by[0], one) for one in members]
    if {type_of(key) for key in keys} - {"number"} and {type_of(key) for key in keys} - {"string"}:
        raise Refusal("invalid-type")
    return keys


def _chosen(choose: Callable[..., int]) -> Callable[..., Json]:
    def function(members: list[Json], by: tuple[Any]) -> Json:
        keys = _keys(members, by)
        return members[choose(range(len(keys)), key=keys.__getitem__)] if keys else None

    return function


def _sort_by(members: list[Json], by: tuple[Any]) -> Json:
    keys = _keys(members, by)
    return [members[at] for at in sorted(range(len(keys)), key=keys.__getitem__)]


def _to_number(value: Json) -> Json:
    if type_of(value) != "string":
        return value if type_of(value) == "number" else None
    try:
        found = json.loads(value)
    except ValueError:
        return None
    return found if type_of(found) == "number" else None


def _merged(*objects: Json) -> Json:
    return {key: value for one in objects for key, value in one.items()}


FUNCTIONS: dict[str, tuple[tuple[str, ...], Callable[..., Json]]] = {
    "abs": (("number",), abs),
    "avg": (("array of number",), lambda a: sum(a) / len(a) if a else None),
    "ceil": (("number",), math.ceil),
    "contains": (
        ("array|string", "any"),
        lambda a, b: any(same(b, one) for one in a) if isinstance(a, list) else isinstance(b, str) and b in a,
    ),
    "ends_with": (("string", "string"), str.endswith),
    "floor": (("number",), math.floor),
    "join": (("string", "array of string"), str.join),
    "keys": (("object",), list),
    "length": (("string|array|object",), len),
    "map": (("expression", "array"), lambda by, a: [search(by[0], one) for one in a]),
    "max": ((_SORTED,), lambda a: max(a, default=None)),
    "max_by": (("array", "expression"), _chosen(max)),
    "merge": (("object", "..."), _merged),
    "min": ((_SORTED,), lambda a: min(a, default=None)),
    "min_by": (("array", "expression"), _chosen(min)),
    "not_null": (("any", "..."), lambda *a: next((one for one in a if one is not None), None)),
    "reverse": (("array|string",), lambda a: a[::-1]),
    "sort": ((_SORTED,), sorted),
    "sort_by": (("array", "expression"), _sort_by),
    "starts_with": (("string", "string"), str.startswith),
    "sum": (("array of number",), sum),
    "to_array": (("any",), lambda a: a if isinstance(a, list) else [a]),
    "to_number": (("any",), _to_number),
    "to_string": (
        ("any",),
        lambda a: a if isinstance(a, str) else json.dumps(a, ensure_ascii=False, separators=(",", ":")),
    ),
    "type": (("any",), type_of),
    "values": (("object",), lambda a: list(a.values())),
}
