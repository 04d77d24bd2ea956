"""JSON values as the specification sees them, and the built-in functions: what they take, and what they give."""

import json
import math
from collections.abc import Callable

from bindproof_reference.functions import Json, Refused, same

Search = Callable[[Json], Json]  # what an expression is: it takes something out of a value

NAMES = {bool: "boolean", str: "string", list: "array", dict: "object", type(None): "null", tuple: "expression"}
WRITTEN = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
SORTED = "array of number|array of string"


def called(name: str, given: list[Json]) -> Json:
    """Return what a function gives for arguments; raises Refused."""
    if name not in FUNCTIONS:
        raise Refused("unknown-function")
    types, function = FUNCTIONS[name]
    least = len(types) - (types[-1:] == ("...",))
    if len(given) < least or (len(given) > least and types[-1:] != ("...",)):
        raise Refused("invalid-arity")
    if not all(_fits(one, types[min(at, least - 1)]) for at, one in enumerate(given)):
        raise Refused("invalid-type")
    return function(*given)


def type_of(value: Json) -> str:
    """Return a value's type in the words of the specification; an expression as an argument is a tuple."""
    return NAMES.get(type(value), "number")


def true(value: Json) -> bool:
    """Tell whether a value counts as true: all do but null, false and what is empty."""
    return value is not None and value is not False and value not in ("", [], {})


def _fits(value: Json, wanted: str) -> bool:
    if wanted == "any":
        return type_of(value) != "expression"
    kinds = (word.partition(" of ") for word in wanted.split("|"))
    return any(kind == type_of(value) and (not of or {*map(type_of, value)} <= {of}) for kind, _, of in kinds)


def _by(choose: Callable[..., Json]) -> Callable[..., Json]:
    """Return a function of a list and an expression; choose: takes positions, and as `key` what a position has."""

    def function(members: list[Json], by: tuple[Search]) -> Json:
        keys = [by[0](one) for one in members]
        if not _fits(keys, SORTED):
            raise Refused("invalid-type")
        chosen = choose(range(len(keys)), key=keys.__getitem__)
        return [members[at] for at in chosen] if isinstance(chosen, list) else members[chosen]

    return function


def _to_number(value: Json) -> Json:
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return found if type_of(found) == "number" else None


# The types of the arguments: `"..."` behind one is any number of it, `array of string` a list of nothing else.
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
    "map": (("expression", "array"), lambda by, a: [by[0](one) for one in a]),
    "max": ((SORTED,), lambda a: max(a, default=None)),
    "max_by": (("array", "expression"), lambda a, by: _by(max)(a, by) if a else None),
    "merge": (("object", "..."), lambda *a: {key: value for one in a for key, value in one.items()}),
    "min": ((SORTED,), lambda a: min(a, default=None)),
    "min_by": (("array", "expression"), lambda a, by: _by(min)(a, by) if a else None),
    "not_null": (("any", "..."), lambda *a: next((one for one in a if one is not None), None)),
    "reverse": (("array|string",), lambda a: a[::-1]),
    "sort": ((SORTED,), sorted),
    "sort_by": (("array", "expression"), _by(sorted)),
    "starts_with": (("string", "string"), str.startswith),
    "sum": (("array of number",), sum),
    "to_array": (("any",), lambda a: a if isinstance(a, list) else [a]),
    "to_number": (("any",), _to_number),
    "to_string": (("any",), lambda a: a if isinstance(a, str) else WRITTEN(a)),
    "type": (("any",), type_of),
    "values": (("object",), lambda a: list(a.values())),
}
