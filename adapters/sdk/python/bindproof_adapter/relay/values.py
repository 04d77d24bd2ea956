"""The values of a scenario: JSON in which some objects, such as `{"$get": …}`, stand for something else.

Enters: a value as the scenario writes it, and a lookup by name. Leaves: a fresh plain value. Must not know ops.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bindproof_adapter.relay import pointer
from bindproof_adapter.signals import Inexpressible
from bindproof_adapter.spelling import meant

Json = Any

HANDED_OVER = ("data", "metadata", "args", "request", "input", "output")
"""Members of a step that a program hands over as JSON, in which there may be what JSON lacks."""

LACKING = frozenset({"$float", "$integer", "$function"})
"""How a scenario spells what JSON lacks."""


def resolve(value: Json, known: Mapping[str, Json]) -> Json:
    """Return a deep copy of `value` with every `$get` replaced by a copy of what it names in `known`.

    `known` maps "given" and the ids of finished steps to values. Raises PlaceError for a name or place that does not
    exist, and Inexpressible for `$none`, which Python has no word for.
    """
    if isinstance(value, list):
        return [resolve(item, known) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        if "$get" in value:
            return copy(_get(value["$get"], known))
        if "$none" in value:
            raise Inexpressible("$none", "Python has no value for undefined")
    return {key: resolve(item, known) for key, item in value.items()}


def lacks_json(value: Json) -> bool:
    """Tell whether there is something in a value that JSON lacks."""
    if isinstance(value, dict):
        return not LACKING.isdisjoint(value) or any(map(lacks_json, value.values()))
    return isinstance(value, list) and any(map(lacks_json, value))


def handed_over(step: Json) -> Json:
    """Return a step with what JSON lacks, in what it hands over, as the language has it."""
    return step | {key: meant(step[key]) for key in HANDED_OVER if key in step and lacks_json(step[key])}


def handed_back(value: Json) -> Any:
    """Return what a callback replies, or hands over, with what JSON lacks as the language has it."""
    return meant(value) if lacks_json(value) else value


def copy(value: Json) -> Json:
    """Return a deep copy of a JSON value; anything that is not a dict or list is taken as it is."""
    if isinstance(value, dict):
        return {key: copy(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copy(item) for item in value]
    return value


def _get(path: str, known: Mapping[str, Json]) -> Json:
    name, slash, rest = path.partition("/")
    if name not in known:
        raise pointer.PlaceError(f"$get {path!r}: nothing is called {name!r} here")
    try:
        return pointer.find(known[name], slash + rest)
    except pointer.PlaceError as missing:
        raise pointer.PlaceError(f"$get {path!r}: {missing}") from None
