"""Values read off two schemas, keyword by keyword: what one takes and the other refuses, if nothing is around it.

A member that only one side asks for is left out, a bound passed by one, a value of an enum taken that the other lacks.
That is found without drawing anything, and mostly the first candidate is the witness.

Enters: the Schemas of two sides, a place. Leaves: values that nobody has held against either schema. Nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

from bindproof.core.model import Json, same
from bindproof.evolve.least import (
    FORMATS,
    KINDS,
    Least,
    first_of,
    kinds_of,
    least_number,
    least_text,
    others_of,
    rest_of,
    sample,
)
from bindproof.evolve.references import Node
from bindproof.evolve.schemas import Schemas, node_at
from bindproof.evolve.vocabulary import LONGEST, dict_of, is_number, list_of

MOST: Final = 300
"""Values that are read off for one entry."""

MOST_PAIRS: Final = 1000
"""Pairs of schemas that are looked at for them."""

DEEPEST: Final = 16

_NEW_NAMES: Final = ("x", "extra")

_MORE: Final[Mapping[str, tuple[Json, ...]]] = {"string": ("", "other"), "integer": (1, -1), "boolean": (True,)}
"""Values of a kind, besides the smallest that a schema takes."""

_UNIONS: Final = frozenset({"anyOf", "oneOf"})
_CONTAINING: Final = ("contains", "minContains", "maxContains")
_DEPENDING: Final = ("dependentRequired", "dependentSchemas", "dependencies")


def contrasts(
    writer: Schemas, reader: Schemas, start: Node, *, follow: bool = True, longest: int = LONGEST
) -> Iterator[Json]:
    """Yield values that the writer might take and the reader might refuse at a place, as keywords tell.

    follow: whether a schema may differ from its like by what it refers to. longest: characters of a text and items of a
    list, where a bound asks for many.
    """
    try:
        two = node_at(writer, start), node_at(reader, start)
    except (LookupError, TypeError, ValueError):
        return
    sides = Least(writer, longest), Least(reader, longest)
    yield from islice(_Contrast(*sides, follow=follow).of(*two, 0), MOST)


class _Contrast:
    """Goes through two schemas at once."""

    def __init__(self, writer: Least, reader: Least, *, follow: bool) -> None:
        self._writer = writer
        self._reader = reader
        self._follow = follow
        self._longest = writer.longest
        self._left = MOST_PAIRS
        self._seen: set[tuple[str, str]] = set()

    def of(self, writer: Json, reader: Json, depth: int) -> Iterator[Json]:
        """Yield what the one might take and the other refuse."""
        self._left -= 1
        if self._left < 0 or depth > DEEPEST or self._is_known(writer, reader):
            return
        write, read = self._writer.plain(writer), self._reader.plain(reader)
        if write is read:
            return
        known = _listed(read)
        listed = _listed(write)
        if listed is not None:
            yield from (value for value in listed if known is None or not any(same(value, one) for one in known))
        elif known is not None:
            yield from self._others(write, known)
        elif _has_union(write, read):
            yield from self._unions(write, read, depth)
        else:
            yield from self._plain(write, read, depth)

    def _others(self, write: dict[str, Json], known: list[Json]) -> Iterator[Json]:
        """Yield simple values that are not among those that the reader lists."""
        for kind in (kind for kind in KINDS if kind in kinds_of(write)):
            value = self._writer.value(write, kind)
            yield from (one for one in (value, *_MORE.get(kind, ())) if one not in known)

    def _is_known(self, writer: Json, reader: Json) -> bool:
        """Tell whether nothing is new in two schemas; of two references what they lead to is looked at once."""
        if not self._follow:
            return same(writer, reader)
        if not (isinstance(writer, dict) and isinstance(reader, dict)):
            return False
        two = writer.get("$ref"), reader.get("$ref")
        if not (isinstance(two[0], str) and isinstance(two[1], str)):
            return False
        if two in self._seen:
            return True
        self._seen.add(two)  # type: ignore[arg-type]
        return False

    def _unions(self, write: dict[str, Json], read: dict[str, Json], depth: int) -> Iterator[Json]:
        if _UNIONS.isdisjoint(write):
            keyword = _union_of(read)
            yield self._writer.value(write)
            for branch in read[keyword]:
                yield from self.of(write, self._reader.chosen(read, keyword, branch), depth + 1)
            return
        keyword = _union_of(write)
        branches, others = write[keyword], list_of(read.get(keyword))
        for index, branch in enumerate(branches):
            chosen = self._writer.chosen(write, keyword, branch)
            if len(branches) == len(others):
                yield from self.of(chosen, self._reader.chosen(read, keyword, others[index]), depth + 1)
            elif not others:
                yield from self.of(chosen, read, depth + 1)
            elif not any(same(branch, other) for other in others):
                yield self._writer.value(chosen)
        if "oneOf" in read:  # of which two may take one value
            yield from (self._writer.value(self._writer.chosen(write, keyword, branch)) for branch in branches)

    def _plain(self, write: dict[str, Json], read: dict[str, Json], depth: int) -> Iterator[Json]:
        kinds, others = kinds_of(write), kinds_of(read)
        if kinds is not others:
            yield from (self._writer.value(write, kind) for kind in KINDS if kind in kinds and kind not in others)
        if "not" in read and not same(write.get("not"), read["not"]):
            yield self._reader.value(read["not"])
            turned = _Contrast(self._reader, self._writer, follow=self._follow)
            yield from turned.of(read["not"], write.get("not", False), depth + 1)
        for some, keywords, differing in _BY_KIND:
            if not (keywords.isdisjoint(write) and keywords.isdisjoint(read)) and some & kinds & others:
                yield from differing(self, write, read, depth)

    def _texts(self, write: dict[str, Json], read: dict[str, Json], depth: int) -> Iterator[Json]:
        if _is_raised(write, read, "minLength"):
            yield from (least_text(write, self._longest), "a" * int(min(read["minLength"] - 1, self._longest)))
        if _is_lowered(write, read, "maxLength") and read["maxLength"] < self._longest:
            yield "a" * (int(read["maxLength"]) + 1)
        for keyword in ("pattern", "format"):
            if keyword in read and not same(write.get(keyword), read[keyword]):
                yield from (least_text(write, self._longest), "", "a", *FORMATS.get(str(write.get("format")), ())[1:])

    def _numbers(self, write: dict[str, Json], read: dict[str, Json], depth: int) -> Iterator[Json]:
        if _is_raised(write, read, "minimum"):
            yield from (least_number(write), read["minimum"] - 1)
        if _is_lowered(write, read, "maximum"):
            yield from (read["maximum"] + 1, write.get("maximum", 0))
        if _is_raised(write, read, "exclusiveMinimum"):
            yield from (read["exclusiveMinimum"], least_number(write))
        if _is_lowered(write, read, "exclusiveMaximum"):
            yield from (read["exclusiveMaximum"], write.get("maximum", 0))
        step = read.get("multipleOf")
        if is_number(step) and not same(step, write.get("multipleOf")):
            yield from (write.get("multipleOf", 1), *((0.5,) if "fraction" in kinds_of(write) else ()))

    def _lists(self, write: dict[str, Json], read: dict[str, Json], depth: int) -> Iterator[Json]:
        base = self._writer.items(write)
        item = self._writer.value(rest_of(write))
        if _is_raised(write, read, "minItems"):
            yield base
        if _is_lowered(write, read, "maxItems") and read["maxItems"] < self._longest:
            yield base + [item] * (int(read["maxItems"]) + 1 - len(base))
        if read.get("uniqueItems") is True and write.get("uniqueItems") is not True:
            yield [item, item]
        first, others = first_of(write), first_of(read)
        for index in range(max(len(first), len(others)) + 1):
            own = first[index] if index < len(first) else rest_of(write)
            other = others[index] if index < len(others) else rest_of(read)
            for value in self.of(own, other, depth + 1):
                before = base[:index] or [self._writer.value(one) for one in first[:index]]
                yield [*before, *([item] * (index - len(before))), value, *base[index + 1 :]]
        yield from self._containing(write, read, base, depth)

    def _containing(
        self, write: dict[str, Json], read: dict[str, Json], base: list[Json], depth: int
    ) -> Iterator[Json]:
        wanted = read.get("contains")
        if wanted is None or all(same(write.get(key), read.get(key)) for key in _CONTAINING):
            return
        yield base
        yield from ([value] for value in self.of(rest_of(write), wanted, depth + 1))
        found = self._writer.value(write.get("contains", wanted))
        for keyword, step in (("minContains", -1), ("maxContains", 1)):
            if is_number(bound := read.get(keyword)) and bound < self._longest:
                yield [found] * (int(bound) + step)

    def _objects(self, write: dict[str, Json], read: dict[str, Json], depth: int) -> Iterator[Json]:
        base = self._writer.members(write)
        names = dict.fromkeys((*dict_of(write.get("properties")), *dict_of(read.get("properties"))))
        yield from self._which_members(write, read, base, list(names), depth)
        for name in names:
            for value in self.of(self._writer.member(write, name), self._reader.member(read, name), depth + 1):
                yield {**base, name: value}
        for value in self.of(others_of(write), others_of(read), depth + 1):
            yield from ({**base, name: value} for name in _NEW_NAMES)
        if "patternProperties" in write or "patternProperties" in read:
            yield from self._named_by_patterns(write, read, base, depth)

    def _which_members(
        self, write: dict[str, Json], read: dict[str, Json], base: dict[str, Json], names: list[str], depth: int
    ) -> Iterator[Json]:
        """Yield objects that differ in which members they have, whatever these are."""
        if _is_raised(write, read, "minProperties") or any(name not in base for name in list_of(read.get("required"))):
            yield base
        if _is_lowered(write, read, "maxProperties") and read["maxProperties"] < self._longest:
            count = int(read["maxProperties"]) + 1
            more = [name for name in names if name not in base] + [f"k{number}" for number in range(count)]
            yield self._with(base, write, more[: max(0, count - len(base))])
        for keyword in _DEPENDING:
            if keyword in read and not same(write.get(keyword), read[keyword]):
                yield from (self._with(base, write, [name]) for name in dict_of(read[keyword]))
        if "propertyNames" in read and not same(write.get("propertyNames"), read["propertyNames"]):
            own = {"type": "string", **self._writer.plain(write.get("propertyNames", True))}
            texts = (text for text in self.of(own, read["propertyNames"], depth + 1) if isinstance(text, str))
            yield from (self._with(base, write, [text]) for text in texts)

    def _with(self, base: dict[str, Json], write: dict[str, Json], names: list[str]) -> dict[str, Json]:
        """Return an object with more members."""
        return {**base, **{name: self._writer.value(self._writer.member(write, name)) for name in names}}

    def _named_by_patterns(
        self, write: dict[str, Json], read: dict[str, Json], base: dict[str, Json], depth: int
    ) -> Iterator[Json]:
        own, others = dict_of(write.get("patternProperties")), dict_of(read.get("patternProperties"))
        for pattern in dict.fromkeys((*own, *others)):
            name = sample(pattern)
            if name is not None:
                two = own.get(pattern, others_of(write)), others.get(pattern, others_of(read))
                for value in self.of(*two, depth + 1):
                    yield {**base, name: value}


_Differing = Callable[[_Contrast, dict[str, Json], dict[str, Json], int], Iterator[Json]]

_BY_KIND: Final[tuple[tuple[frozenset[str], frozenset[str], _Differing], ...]] = (
    (
        frozenset({"integer", "fraction"}),
        frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
        _Contrast._numbers,
    ),
    (frozenset({"string"}), frozenset({"minLength", "maxLength", "pattern", "format"}), _Contrast._texts),
    (
        frozenset({"array"}),
        frozenset({"items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems"})
        | frozenset({"contains", "minContains", "maxContains", "unevaluatedItems"}),
        _Contrast._lists,
    ),
    (
        frozenset({"object"}),
        frozenset({"properties", "required", "additionalProperties", "patternProperties", "propertyNames"})
        | frozenset({"minProperties", "maxProperties", "unevaluatedProperties", *_DEPENDING}),
        _Contrast._objects,
    ),
)
"""By kinds: the keywords that speak of them, and what is read off where one of these is there."""


def _listed(plain: Mapping[str, Json]) -> list[Json] | None:
    """Return the values that a plain schema lists; None where it lists none."""
    if "const" in plain:
        return [plain["const"]]
    return list_of(plain["enum"])[:50] if "enum" in plain else None


def _has_union(write: dict[str, Json], read: dict[str, Json]) -> bool:
    return not (_UNIONS.isdisjoint(write) and _UNIONS.isdisjoint(read))


def _union_of(plain: dict[str, Json]) -> str:
    return "anyOf" if "anyOf" in plain else "oneOf"


def _is_raised(write: dict[str, Json], read: dict[str, Json], keyword: str) -> bool:
    """Tell whether the reader asks for more than the writer."""
    bound, own = read.get(keyword), write.get(keyword)
    return is_number(bound) and not (is_number(own) and own >= bound)


def _is_lowered(write: dict[str, Json], read: dict[str, Json], keyword: str) -> bool:
    """Tell whether the reader takes less than the writer."""
    bound, own = read.get(keyword), write.get(keyword)
    return is_number(bound) and not (is_number(own) and own <= bound)
