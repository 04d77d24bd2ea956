"""What differs between the schemas of two sides, each difference by itself, and the old schemas with some of them made.

Enters: two Schemas. Leaves: Differences, and Schemas. What a difference breaks is not said here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from bindproof.core.model import Json, copied, same
from bindproof.evolve.keywords import DEFINITIONS, DRAFTS, NAMED, ONE, OPEN, SEVERAL, WORDS, asserting
from bindproof.evolve.references import BASE
from bindproof.evolve.schemas import Schema, Schemas, pointer_of
from bindproof.spec.files.toml_lines import Place
from bindproof.spec.schema_diff import meaning

ABSENT: Final = msgspec.UNSET
"""What stands for a part that one side has not."""

STAYING: Final = frozenset({"file added", "file removed", "definition added", "definition removed"})
"""Kinds of which the parts are there on both sides when single differences are made: others may refer to them."""

DRAFT_CHANGED: Final = "draft changed"
"""The kind of which every schema in a file is read otherwise."""

_SETS: Final = {"enum": "value", "type": "type", "required": "name"}
"""Keywords that hold a set, with what they hold."""

_BOUNDS: Final = frozenset(
    {"exclusiveMaximum", "exclusiveMinimum", "maxContains", "maxItems", "maxLength", "maxProperties", "maximum"}
    | {"minContains", "minItems", "minLength", "minProperties", "minimum"}
)


class Difference(Struct, frozen=True):
    """One difference between the schemas of two sides."""

    file: str
    place: Place
    """Where in the file, on both sides; empty where the file is on one side alone."""
    kind: str
    """What differs, in a few words, such as `property added`."""
    old: Json
    """The part as it was; ABSENT where it was not there."""
    new: Json
    """The part as it is; ABSENT where it is not there any more."""
    node: Place = ()
    """The place of the schema whose keyword it is."""
    old_line: int = 1
    new_line: int = 1

    @property
    def pointer(self) -> str:
        """The place as a JSON pointer."""
        return pointer_of(self.place)

    @property
    def fingerprint(self) -> str:
        """Twelve hex digits that are the same wherever the same part of the same file changes in the same way."""
        what = [self.file, self.pointer, self.kind, _plain(self.old), _plain(self.new)]
        return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def line(self) -> int:
        """The line to look at: on the new side, on the old one for what is gone."""
        return self.old_line if self.new is ABSENT else self.new_line


def differences(old: Schemas, new: Schemas) -> list[Difference]:
    """Return every difference, in the order of files and of their lines on the new side."""
    found: list[Difference] = []
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            found.append(Difference(name, (), "file removed", old[name].root, ABSENT))
        elif name not in old:
            found.append(Difference(name, (), "file added", ABSENT, new[name].root))
        else:
            found.extend(_between(name, old[name], new[name]))
    return found


def _between(name: str, old: Schema, new: Schema) -> Iterator[Difference]:
    if old.draft != new.draft:
        said = {draft: address for address, draft in DRAFTS.items()}
        yield Difference(name, ("$schema",), DRAFT_CHANGED, said[old.draft], said[new.draft])
    assertions = asserting(old.draft)
    if old.draft != new.draft:
        assertions |= asserting(new.draft)
    for place, kind, before, after, node in _Walk(assertions).schema(old.root, new.root, ()):
        lines = old.line(place), new.line(place)
        yield Difference(name, place, kind, before, after, node, *lines)


_Found = tuple[Place, str, Json, Json, Place]


class _Walk:
    """Goes through two schemas at once."""

    def __init__(self, assertions: frozenset[str]) -> None:
        self._assertions = assertions

    def schema(self, old: Json, new: Json, at: Place) -> Iterator[_Found]:
        """Yield what differs between two schemas at the same place."""
        if not (isinstance(old, dict) and isinstance(new, dict)):
            if not same(old, new):
                yield at, "schema changed", old, new, at
            return
        for keyword in sorted(old.keys() | new.keys()):
            if keyword in WORDS:
                continue
            before, after = old.get(keyword, ABSENT), new.get(keyword, ABSENT)
            if before is ABSENT or after is ABSENT or not same(before, after):
                yield from self._keyword(keyword, before, after, at)

    def _keyword(self, keyword: str, old: Json, new: Json, at: Place) -> Iterator[_Found]:
        place = (*at, keyword)
        if keyword in NAMED and _is_map(old) and _is_map(new):
            yield from self._named(keyword, _or_empty(old), _or_empty(new), at)
        elif keyword in ONE and _are((dict, bool), old, new):
            yield from self.schema(old, new, place)
        elif keyword in SEVERAL and _are(list, old, new) and len(old) == len(new) and not _reordered(old, new):
            for index, (before, after) in enumerate(zip(old, new, strict=True)):
                yield from self.schema(before, after, (*place, index))
        elif keyword in _SETS:
            yield place, _set_kind(keyword, old, new), old, new, at
        else:
            yield place, self._kind(keyword, old, new), old, new, at

    def _named(self, keyword: str, old: Json, new: Json, at: Place) -> Iterator[_Found]:
        word = "definition" if keyword in DEFINITIONS else "property" if keyword == "properties" else f"{keyword} entry"
        for name in sorted(old.keys() | new.keys()):
            place = (*at, keyword, name)
            if name not in new:
                yield place, f"{word} removed", old[name], ABSENT, at
            elif name not in old:
                yield place, f"{word} added", ABSENT, new[name], at
            elif isinstance(old[name], list) or isinstance(new[name], list):
                if not same(old[name], new[name]):
                    yield place, f"{word} changed", old[name], new[name], at
            else:
                yield from self.schema(old[name], new[name], place)

    def _kind(self, keyword: str, old: Json, new: Json) -> str:
        known = keyword in self._assertions or keyword in OPEN
        word = keyword if known else f"unknown keyword {keyword}"
        if new is ABSENT or old is ABSENT:
            return f"{word} {'removed' if new is ABSENT else 'added'}"
        if keyword in _BOUNDS and _are((int, float), old, new):
            return f"{word} {'raised' if new > old else 'lowered'}"
        if keyword in SEVERAL and _are(list, old, new):
            how = "reordered" if len(old) == len(new) else "gained" if len(new) > len(old) else "lost"
            return f"{word} {how}"
        return f"{word} changed"


def _is_map(side: Json) -> bool:
    return side is ABSENT or isinstance(side, dict)


def _or_empty(side: Json) -> Json:
    return {} if side is ABSENT else side


def _are(kind: type | tuple[type, ...], old: Json, new: Json) -> bool:
    return isinstance(old, kind) and isinstance(new, kind)


def _reordered(old: list[Json], new: list[Json]) -> bool:
    return sorted(map(_text, old)) == sorted(map(_text, new))


def _set_kind(keyword: str, old: Json, new: Json) -> str:
    if old is ABSENT or new is ABSENT:
        return f"{keyword} {'added' if old is ABSENT else 'removed'}"
    before, after = ({_text(item) for item in (side if isinstance(side, list) else [side])} for side in (old, new))
    word = _SETS[keyword]
    if before == after:
        return f"{keyword} reordered"
    how = "added" if before < after else "removed" if after < before else "changed"
    return f"{keyword} {word} {how}"


def _text(value: Json) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def _plain(value: Json) -> Json:
    """Return a part without the words in it, which may change while the difference stays the same."""
    return [] if value is ABSENT else [meaning(value)]


def made(old: Schemas, new: Schemas, chosen: Iterable[Difference]) -> dict[str, Schema]:
    """Return the old schemas with these differences made.

    Files and definitions of both sides are there in any case: a part that changed may refer to them.
    """
    found = {name: Schema(copied(schema.root), schema.draft, schema.document) for name, schema in old.items()}
    for name, schema in new.items():
        if name not in found:
            found[name] = Schema(copied(schema.root), schema.draft, schema.document)
        else:
            _add_definitions(found[name].root, schema.root)
    for one in chosen:
        if one.kind == DRAFT_CHANGED:
            found[one.file] = Schema(found[one.file].root, new[one.file].draft, found[one.file].document)
        elif one.kind not in STAYING:
            changed = _put(found[one.file].root, one)
            found[one.file] = Schema(changed, found[one.file].draft, found[one.file].document)
    return found


def _add_definitions(old: Json, new: Json) -> None:
    for keyword in DEFINITIONS:
        if isinstance(old, dict) and isinstance(new, dict) and isinstance(new.get(keyword), dict):
            there = old.setdefault(keyword, {})
            for name, item in new[keyword].items():
                there.setdefault(name, copied(item))


def _put(root: Json, one: Difference) -> Json:
    if not one.place:
        return {**one.new, "$id": BASE + one.file} if isinstance(one.new, dict) else one.new
    holder = root
    for token in one.place[:-1]:
        holder = holder.setdefault(token, {}) if isinstance(holder, dict) else holder[token]
    last = one.place[-1]
    if one.new is not ABSENT:
        holder[last] = copied(one.new)
    elif isinstance(holder, dict):
        holder.pop(last, None)
    return root
