"""Whether one schema takes all that another takes, keyword by keyword: what the set algebra of the library has no word
for.

A schema is what each of its keywords asks, together. So it takes all that another takes if each of its keywords does,
and of many that can be seen from the same keyword of the other: a member may be more, a list longer, a pattern found in
more texts. Of schemas that ask themselves it is assumed of the smaller values in a value, and proved of the value.

Enters: two flat schemas. Leaves: True where it is proved, None where nobody knows; nothing is refuted here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from bindproof.core.model import Json, same
from bindproof.evolve.keywords import DRAFT_2020, DRAFTS
from bindproof.evolve.languages import included, words_of
from bindproof.evolve.proof import covers
from bindproof.evolve.vocabulary import dict_of, is_number, list_of

MOST_LOOKS: Final = 2000
"""Pairs of schemas that are looked at."""

DEEPEST: Final = 60

MOST_BYTES: Final = 100_000
"""JSON of a schema: parts of it are compared again and again."""

_TOGETHER: Final = (
    frozenset({"properties", "patternProperties", "additionalProperties"}),
    frozenset({"items", "prefixItems"}),
    frozenset({"contains", "minContains", "maxContains"}),
    frozenset({"if", "then", "else"}),
)
"""Keywords that mean something together; each other one asks by itself."""

_GROUPS: Final = {keyword: group for group in _TOGETHER for keyword in group}

_DRAFT: Final = next(name for name, draft in DRAFTS.items() if draft == DRAFT_2020)

_AROUND: Final = frozenset({"unevaluatedItems", "unevaluatedProperties"})
"""Keywords to which it matters what others asked: nothing is said of a schema that has one."""


class _Form(NamedTuple):
    """A schema, with the definitions that its references lead to."""

    schema: Json
    definitions: dict[str, Json]

    def of(self, schema: Json) -> _Form:
        return _Form(schema, self.definitions)

    @property
    def plain(self) -> _Form:
        """The schema itself, where this one only refers to it, or holds it alone."""
        found = self.schema
        for _ in range(DEEPEST):
            if not isinstance(found, dict) or len(found) != 1:
                break
            if "$ref" in found:
                found = self.definitions[found["$ref"].removeprefix("#/$defs/")]
            elif len(list_of(found.get("allOf"))) == 1:
                found = found["allOf"][0]
            else:
                break
        return self.of(found)

    @property
    def alone(self) -> Json:
        """One schema that stands for itself."""
        if not self.definitions or b'"$ref"' not in msgspec.json.encode(self.schema):
            return self.schema
        return {"allOf": [self.schema], "$defs": self.definitions}


def takes_all_by_keyword(wide: Json, narrow: Json) -> bool | None:
    """Tell whether every value that `narrow` takes is taken by `wide`; None where nobody knows."""
    if any(len(msgspec.json.encode(schema)) > MOST_BYTES or not _is_schema(schema) for schema in (wide, narrow)):
        return None
    try:
        return _Proof().takes(_form(wide), _form(narrow)) or None
    except _TooMuchError:
        return None


def _form(schema: Json) -> _Form:
    if isinstance(schema, dict) and "$defs" in schema:
        return _Form({key: item for key, item in schema.items() if key != "$defs"}, schema["$defs"])
    return _Form(schema, {})


def _is_schema(schema: Json) -> bool:
    """Tell whether a schema is one: a reference may lead to a place that no draft calls a schema."""
    from jsonschema_rs import meta

    if not isinstance(schema, dict):
        return isinstance(schema, bool)
    try:
        return meta.is_valid({**schema, "$schema": _DRAFT})
    except ValueError:
        return False


class _TooMuchError(Exception):
    """More would have to be looked at than is."""


class _Proof:
    def __init__(self) -> None:
        self._left = MOST_LOOKS
        self._below = 0
        """How far the values that are spoken of lie within the value that the question is about."""
        self._assumed: dict[tuple[int, ...], int] = {}
        """What is being proved, by both schemas, with how far within the value."""

    def takes(self, wide: _Form, narrow: _Form) -> bool:
        self._left -= 1
        if self._left < 0 or len(self._assumed) > DEEPEST:
            raise _TooMuchError
        wide, narrow = wide.plain, narrow.plain
        if wide.schema is True or wide.schema == {} or narrow.schema is False:
            return True
        if wide.alone == narrow.alone and same(wide.alone, narrow.alone):
            return True
        if not isinstance(wide.schema, dict) or not isinstance(narrow.schema, dict):
            return False
        if not _AROUND.isdisjoint(wide.schema) or not _AROUND.isdisjoint(narrow.schema):
            return False
        question = tuple(map(id, (*wide, *narrow)))  # each is held by a call that has not ended
        if (
            question in self._assumed
        ):  # of a smaller value it holds by induction; of the same one that would be a circle
            return self._assumed[question] < self._below
        self._assumed[question] = self._below
        try:
            return all(self._asked(wide, part, narrow) for part in _parts(wide.schema))
        finally:
            del self._assumed[question]

    def _asked(self, wide: _Form, part: dict[str, Json], narrow: _Form) -> bool:
        """Tell whether all that `narrow` takes is taken by what some keywords of `wide` ask."""
        keyword = next(iter(part))
        own = {key: item for key, item in narrow.schema.items() if key in _GROUPS.get(keyword, (keyword,))}
        rules = {
            "properties": self._members,
            "patternProperties": self._members,
            "additionalProperties": self._members,
            "items": self._items,
            "prefixItems": self._items,
            "contains": self._contains,
        }
        if keyword in rules and rules[keyword](wide, narrow):
            return True
        if own.keys() == part.keys() and wide.of(part).alone == narrow.of(own).alone and same(part, own):
            return True
        if keyword in own and self._alike(keyword, wide.of(part[keyword]), narrow.of(own[keyword])):
            return True
        if keyword == "allOf":
            return all(self.takes(wide.of(branch), narrow) for branch in part["allOf"])
        if keyword == "anyOf" and any(self.takes(wide.of(branch), narrow) for branch in part["anyOf"]):
            return True
        if covers(wide.of(part).alone, _read(narrow).alone) is True:
            return True
        return any(self.takes(wide.of(part), narrow.of(branch)) for branch in list_of(narrow.schema.get("allOf")))

    def _alike(self, keyword: str, wide: _Form, narrow: _Form) -> bool:
        """Tell of one keyword whether what it asks of the one side asks less of the other."""
        if keyword == "pattern":
            return included(narrow.schema, wide.schema) is True
        if keyword == "propertyNames":
            return self._within(wide, narrow)
        if keyword == "not":
            return self.takes(narrow, wide)
        if keyword == "anyOf":
            return all(
                any(self.takes(wide.of(branch), narrow.of(own)) for branch in wide.schema) for own in narrow.schema
            )
        if keyword == "dependentSchemas":
            return all(
                name in narrow.schema and self.takes(wide.of(item), narrow.of(narrow.schema[name]))
                for name, item in wide.schema.items()
            )
        return False

    def _within(self, wide: _Form, narrow: _Form) -> bool:
        """Ask about values that lie within the one that was spoken of."""
        self._below += 1
        try:
            return self.takes(wide, narrow)
        finally:
            self._below -= 1

    def _members(self, wide: _Form, narrow: _Form) -> bool:
        patterns, others = (dict_of(form.schema.get("patternProperties")) for form in (wide, narrow))
        if patterns.keys() != others.keys():
            return False
        named, known = (dict_of(form.schema.get("properties")) for form in (wide, narrow))
        if patterns and named.keys() != known.keys():
            return False  # a name that one side lists may match a pattern, and is no other of the other side then
        rest, left = (form.schema.get("additionalProperties", True) for form in (wide, narrow))
        pairs = [
            *((named.get(name, rest), known.get(name, left)) for name in {**named, **known}),
            *((patterns[pattern], others[pattern]) for pattern in patterns),
            (rest, left),
        ]
        return all(self._within(wide.of(one), narrow.of(other)) for one, other in pairs)

    def _items(self, wide: _Form, narrow: _Form) -> bool:
        first, others = (list_of(form.schema.get("prefixItems")) for form in (wide, narrow))
        rest, left = (form.schema.get("items", True) for form in (wide, narrow))
        pairs = [
            (first[index] if index < len(first) else rest, others[index] if index < len(others) else left)
            for index in range(max(len(first), len(others)))
        ]
        return all(self._within(wide.of(one), narrow.of(other)) for one, other in [*pairs, (rest, left)])

    def _contains(self, wide: _Form, narrow: _Form) -> bool:
        """Of what is counted at least less may be asked, and of what is counted at most more may be allowed."""
        if "contains" not in wide.schema:
            return True
        if "contains" not in narrow.schema:
            return False
        counted, own = wide.of(wide.schema["contains"]), narrow.of(narrow.schema["contains"])
        (least, most), (own_least, own_most) = _counts(wide.schema), _counts(narrow.schema)
        if least and not (own_least >= least and self._within(counted, own)):
            return False
        return most is None or (own_most is not None and own_most <= most and self._within(own, counted))


def _counts(schema: dict[str, Json]) -> tuple[float, float | None]:
    least, most = schema.get("minContains", 1), schema.get("maxContains")
    return (least if is_number(least) else 1), (most if is_number(most) else None)


def _parts(schema: dict[str, Json]) -> Iterator[dict[str, Json]]:
    """Yield the keywords of a schema, those together that mean something together."""
    left = dict(schema)
    for group in _TOGETHER:
        part = {key: left.pop(key) for key in sorted(group) if key in left}
        if part:
            yield part
    yield from ({key: item} for key, item in left.items())


def _read(form: _Form) -> _Form:
    """Return a schema whose pattern, where it matches few texts, is a list of these."""
    schema = form.schema
    if schema.get("type") != "string" or not isinstance(schema.get("pattern"), str):
        return form
    words = words_of(schema["pattern"])
    if words is None:
        return form
    return form.of({"allOf": [{key: item for key, item in schema.items() if key != "pattern"}, {"enum": words}]})
