"""Draws values that a schema might take, most of them near to what another schema refuses.

Enters: Schemas, a place to begin, a seeded source of randomness. Leaves: JSON values, which nobody has held against the
schema yet. The names, constants and bounds of both sides are among what is drawn from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from bindproof.core.model import Json
from bindproof.evolve.chains import end_of
from bindproof.evolve.least import FORMATS
from bindproof.evolve.matching import matching
from bindproof.evolve.references import Node
from bindproof.evolve.schemas import Schemas, dynamic_targets, node_at, target_of
from bindproof.evolve.vocabulary import LONGEST, Words, dict_of, is_number, list_of

DEEPEST: Final = 12
"""Lists and objects in one another, in a value that is drawn."""

MOST_PARTS: Final = 60
"""Parts of a value, after which nothing is drawn that no one asks for: large schemas are mostly of what is optional."""

SAMPLES: Final = 6
"""Texts that are made for one pattern, and then drawn from: to make one takes longer than all else."""

_TYPES: Final = ("object", "array", "string", "number", "integer", "boolean", "null")

_WILD: Final[tuple[Json, ...]] = ("", "a", 0, 1, 1.5, -1, True, False, None, [], {}, [0], {"a": 0}, ["a", "a"])


class Draw:
    """Draws values for one search."""

    def __init__(self, random: Random, own: Schemas, words: Words, warm: frozenset[Node] = frozenset()) -> None:
        """Take the schemas that values are drawn for. words: of both sides. warm: places that should take part."""
        self._random = random
        self._own = own
        self._words = words
        self._warm = warm
        self._wildness = 0.0
        self._left = MOST_PARTS
        self._samples: dict[str, list[str]] = {}

    def value(self, start: Node, depth: int = 0) -> Json:
        """Return a value that the schema at a place might take."""
        self._wildness = self._random.choice((0.0, 0.0, 0.05))
        self._left = self._random.choice((0, MOST_PARTS))  # half of them have little but what leads to the difference
        return self._of(node_at(self._own, start), start, depth)

    def of(self, schema: Json) -> Json:
        """Return a value that a flat schema might take."""
        self._wildness = 0.0
        self._left = MOST_PARTS
        return self._of(schema, ("", ()), 0)

    def _of(self, schema: Json, at: Node, depth: int) -> Json:
        random = self._random
        self._left -= 1
        if not isinstance(schema, dict) or depth > DEEPEST or random.random() < self._wildness:
            return self._wild(depth)
        if "const" in schema:
            return schema["const"]
        if list_of(schema.get("enum")):
            return random.choice(list_of(schema["enum"]))
        if not _BRANCHING.isdisjoint(schema):
            merged = self._merged(schema, at, depth)
            if merged is not None:
                return merged
        kind = self._kind(schema)
        return self._KINDS[kind](self, schema, at, depth)

    def _merged(self, schema: dict[str, Json], at: Node, depth: int) -> Json:
        """Draw of what a schema refers to or chooses from, and join objects; None where it does neither."""
        own = {key: item for key, item in schema.items() if key not in _BRANCHING}
        kind = own.get("type")
        drawn = []
        for branch, place in self._branches(schema, at):
            typed = isinstance(branch, dict) and isinstance(kind, str) and not _SETTLING & branch.keys()
            drawn.append(self._of({**branch, "type": kind} if typed else branch, place, depth + 1))
        if not drawn:
            return None
        is_object = kind == "object" or (kind is None and bool(_ABOUT["object"] & own.keys()))
        others = [item for item in drawn if not isinstance(item, dict)]
        if others and not is_object:
            return self._random.choice(others)
        joined: dict[str, Json] = {}
        for item in ([self._object(own, at, depth)] if is_object else []) + drawn:
            for key, inner in item.items() if isinstance(item, dict) else ():
                if key not in joined or self._random.random() < 0.5:
                    joined[key] = inner
        return joined

    def _branches(self, schema: dict[str, Json], at: Node) -> Iterator[tuple[Json, Node]]:
        name, place = at
        for index, branch in enumerate(list_of(schema.get("allOf"))):
            yield branch, (name, (*place, "allOf", index))
        for keyword in ("anyOf", "oneOf"):
            found = [(branch, (name, (*place, keyword, i))) for i, branch in enumerate(list_of(schema.get(keyword)))]
            if found:
                warm = [one for one in found if one[1] in self._warm]
                yield self._random.choice(warm if warm and self._random.random() < 0.8 else found)
        for keyword in ("$ref", "$dynamicRef"):
            reference = schema.get(keyword)
            if isinstance(reference, str):
                yield from self._referred(keyword, reference)

    def _referred(self, keyword: str, reference: str) -> Iterator[tuple[Json, Node]]:
        targets = dynamic_targets(self._own, reference) if keyword == "$dynamicRef" else [target_of(reference)]
        for target in targets[:1]:
            try:
                if target is not None:
                    end = end_of(self._own, target)
                    yield node_at(self._own, end), end
            except (LookupError, TypeError, ValueError):
                continue

    def _kind(self, schema: dict[str, Json]) -> str:
        said = schema.get("type")
        if isinstance(said, str):
            return said if said in _TYPES else "null"
        if list_of(said):
            return str(self._random.choice(list_of(said)))
        for kind, keywords in _ABOUT.items():
            if keywords & schema.keys() and self._random.random() < 0.85:
                return kind
        return self._random.choice(_TYPES)

    def _object(self, schema: dict[str, Json], at: Node, depth: int) -> Json:
        random = self._random
        name, place = at
        named = dict_of(schema.get("properties"))
        wanted = [key for key in list_of(schema.get("required")) if isinstance(key, str)]
        few = random.random() < 0.5 or depth > 6
        found: dict[str, Json] = {}
        for key in dict.fromkeys((*wanted, *named)):
            inner = (name, (*place, "properties", key))
            likely = 0.9 if inner in self._warm else 0.1 if few else 0.5
            if self._left <= 0 and inner not in self._warm:
                likely = min(likely / 9, 1 / max(1, len(named)))
            likely = 1 - self._wildness if key in wanted else likely
            if random.random() < likely:
                found[key] = self._of(named.get(key, True), inner, depth + 1)
        for pattern, inner_schema in dict_of(schema.get("patternProperties")).items():
            if random.random() < 0.6:
                inner = (name, (*place, "patternProperties", pattern))
                found[self._matching(pattern)] = self._of(inner_schema, inner, depth + 1)
        self._more(schema, at, depth, found)
        return found

    def _more(self, schema: dict[str, Json], at: Node, depth: int, found: dict[str, Json]) -> None:
        """Add members that no name asks for."""
        random = self._random
        name, place = at
        keyword = "additionalProperties" if "additionalProperties" in schema else "unevaluatedProperties"
        rest = schema.get(keyword, True)
        least = schema.get("minProperties", 0)
        least = min(least, LONGEST) if is_number(least) else 0
        inner = (name, (*place, keyword))
        likely = self._wildness if rest is False else 0.8 if inner in self._warm else 0.3
        likely = likely if self._left > 0 else likely / 9
        names = schema.get("propertyNames")
        while len(found) < least or random.random() < likely:
            likely *= 0.5
            least -= 0.05
            key = (
                self._of({"type": "string", **names}, (name, (*place, "propertyNames")), depth + 1)
                if isinstance(names, dict) and random.random() < 0.8
                else random.choice(self._words.names or ["a"])
                if random.random() < (0.3 if inner in self._warm else 0.6)  # many names are those of a pattern
                else str(random.choice(("extra", "b", "", "", f"k{len(found)}")))
            )
            found[key if isinstance(key, str) else "a"] = self._of(rest, inner, depth + 1)

    def _array(self, schema: dict[str, Json], at: Node, depth: int) -> Json:
        random = self._random
        name, place = at
        first = schema.get("prefixItems") if "prefixItems" in schema else schema.get("items")
        first = first if isinstance(first, list) else []
        word = "prefixItems" if "prefixItems" in schema else "items"
        rest_word = "items" if not isinstance(schema.get("items"), list) else "additionalItems"
        rest = schema.get(rest_word, schema.get("unevaluatedItems", True))
        bounds = [int(schema[key]) for key in ("minItems", "maxItems") if is_number(schema.get(key))]
        lengths = [max(0, bound + step) for bound in bounds for step in (-1, 0, 0, 1)] + [0, 1, 2, len(first)]
        if not self._wildness:
            least, most = (schema.get(key, other) for key, other in (("minItems", 0), ("maxItems", LONGEST)))
            lengths = [length for length in lengths if least <= length <= most] or lengths
        length = min(random.choice(lengths) if self._left > 0 else min(lengths), LONGEST)
        if (name, (*place, rest_word)) in self._warm:
            length = max(length, len(first) + 1)
        found = []
        for index in range(length):
            if "contains" in schema and random.random() < 0.4:
                found.append(self._of(schema["contains"], (name, (*place, "contains")), depth + 1))
            elif index < len(first):
                found.append(self._of(first[index], (name, (*place, word, index)), depth + 1))
            else:
                found.append(self._of(rest, (name, (*place, rest_word)), depth + 1))
        if found and random.random() < 0.2 and (self._wildness or schema.get("uniqueItems") is not True):
            found.append(found[0])
        return found

    def _text(self, schema: dict[str, Json], at: Node, depth: int) -> Json:
        random = self._random
        if isinstance(schema.get("pattern"), str) and random.random() < 0.7:
            return self._matching(schema["pattern"])
        if schema.get("format") in FORMATS and random.random() < 0.7:
            return random.choice(FORMATS[str(schema["format"])])
        bounds = [schema[key] for key in ("minLength", "maxLength") if is_number(schema.get(key))]
        bounds = [int(bound) for bound in bounds if 0 < bound <= LONGEST]
        if bounds and random.random() < 0.7:
            return "a" * random.choice(bounds)
        return random.choice(self._words.said if self._words.said and random.random() < 0.3 else self._words.texts)

    def _number(self, schema: dict[str, Json], at: Node, depth: int) -> Json:
        step = schema.get("multipleOf")
        if is_number(step) and self._random.random() < 0.5:
            return step * self._random.randint(-3, 10)
        return self._random.choice(self._words.numbers)

    def _integer(self, schema: dict[str, Json], at: Node, depth: int) -> Json:
        value = self._number(schema, at, depth)
        return int(value) if self._random.random() < 0.9 and abs(value) < 2**63 else value

    def _matching(self, pattern: str) -> str:
        samples = self._samples.setdefault(pattern, [])
        if len(samples) < SAMPLES:
            samples.append(self._sample(pattern))
            return samples[-1]
        return self._random.choice(samples)

    def _sample(self, pattern: str) -> str:
        found = matching(self._random, pattern)
        return self._random.choice(self._words.texts) if found is None else found

    def _wild(self, depth: int) -> Json:
        random = self._random
        if self._words.values and random.random() < 0.3:
            return random.choice(self._words.values)
        if depth < 3 and random.random() < 0.15:
            return {random.choice(self._words.names or ["a"]): self._wild(depth + 1)}
        return random.choice(_WILD)

    _KINDS: Final[Mapping[str, Callable[..., Json]]] = {
        "object": _object,
        "array": _array,
        "string": _text,
        "number": _number,
        "integer": _integer,
        "boolean": lambda self, schema, at, depth: self._random.random() < 0.5,
        "null": lambda self, schema, at, depth: None,
    }


_BRANCHING: Final = frozenset({"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf"})
_SETTLING: Final = _BRANCHING | {"type", "const", "enum"}
"""Keywords by which a schema says itself of which type its values are."""

_ABOUT: Final[Mapping[str, frozenset[str]]] = {
    "object": frozenset(
        {"properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties"}
        | {"maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"}
    ),
    "array": frozenset({"items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems"}),
    "string": frozenset({"minLength", "maxLength", "pattern", "format"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
}
