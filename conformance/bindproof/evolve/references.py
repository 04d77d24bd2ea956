"""What the references in a set of schema files mean, and schemas in which each says so in one form.

Enters: the values of files by name. Leaves: schemas whose every `$ref` is an address below BASE, and Problems for those
that lead nowhere. Nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote, urljoin

from bindproof.core.model import Json
from bindproof.core.pointer import pointer_to, tokens_of
from bindproof.evolve.keywords import COMPONENTS, DRAFT_7, DRAFTS, NAMED, ONE, SEVERAL, asserting, nodes
from bindproof.spec.files.document import Document
from bindproof.spec.files.toml_lines import Place
from bindproof.spec.problem import Problem

BASE: Final = "http://schemas.invalid/"
"""Every file has its address below this one, which leads nowhere."""

Node = tuple[str, Place]
"""A schema among those of a side: its file and place."""

_VALUES: Final = frozenset({"const", "default", "enum", "examples"})
"""Keywords that hold values, in which nothing refers to anything."""

_NAMING: Final = frozenset({"$id", "$anchor", "$dynamicAnchor"})
"""Keywords by which a schema has a name."""

_DRAFT_ADDRESSES: Final = tuple(name.rpartition("/")[0] + "/" for name in DRAFTS)


class Addresses:
    """What the addresses in a set of files mean."""

    def __init__(self, roots: Mapping[str, Json]) -> None:
        self.roots = roots
        self.bases: dict[Node, str] = {}
        """The address that references in a schema start from, where it says so itself."""
        self.nodes: dict[str, Node] = {}
        for name, root in roots.items():
            self.nodes[BASE + name] = (name, ())
            self._walk(name, root)

    def _walk(self, name: str, root: Json) -> None:
        for place, node in nodes(root):  # what is around a schema comes before it
            if not isinstance(node, dict) or _NAMING.isdisjoint(node):
                continue
            base = self._base(name, place)
            own = node.get("$id")
            if isinstance(own, str) and not own.startswith("#"):
                base = self.bases[name, place] = _split(_joined(base if place else BASE, own))[0]
                self.nodes.setdefault(base, (name, place))
            for anchor in self._anchors(node):
                self.nodes.setdefault(f"{base}#{anchor}", (name, place))

    def _base(self, name: str, place: Place) -> str:
        """Return the address that references at a place start from."""
        if self.bases:
            for length in range(len(place), -1, -1):
                if (name, place[:length]) in self.bases:
                    return self.bases[name, place[:length]]
        return BASE + name

    @staticmethod
    def _anchors(node: dict[str, Json]) -> list[str]:
        own = node.get("$id")
        found = [node.get("$anchor"), node.get("$dynamicAnchor")]
        found.append(own[1:] if isinstance(own, str) and own.startswith("#") else None)
        return [anchor for anchor in found if isinstance(anchor, str)]

    def meant(self, name: str, place: Place, reference: str) -> Node | None:
        """Return the file and place that a reference at a place leads to."""
        base = self._base(name, place)
        for one in (base, BASE + name):
            full = _joined(one, reference) if not reference.startswith("#") else one + reference
            address, fragment = _split(full)
            if fragment and not fragment.startswith("/"):
                if (found := self.nodes.get(f"{address}#{fragment}")) is not None:
                    return found
                continue
            if (file := self.nodes.get(address)) is None:
                continue
            where = (file[0], (*file[1], *self._tokens(fragment)))
            if self._leads(where):
                return where
        return None

    def is_dynamic(self, node: Node, anchor: str) -> bool:
        """Tell whether a schema has a `$dynamicAnchor` of this name; a `$dynamicRef` to any other is like a `$ref`."""
        value = self.roots[node[0]]
        for token in node[1]:
            value = value[int(token) if isinstance(value, list) else token]
        return isinstance(value, dict) and value.get("$dynamicAnchor") == anchor

    @staticmethod
    def _tokens(fragment: str) -> list[str]:
        try:
            return tokens_of(unquote(fragment))
        except ValueError:
            return ["\0"]

    def _leads(self, where: Node) -> bool:
        value = self.roots[where[0]]
        try:
            for token in where[1]:
                value = value[int(token) if isinstance(value, list) else token]
        except (LookupError, TypeError, ValueError):
            return False
        return isinstance(value, dict | bool)


def _joined(base: str, reference: str) -> str:
    """Return a reference as a full address; one that is no address stays as it is, and leads nowhere."""
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def _split(address: str) -> tuple[str, str]:
    """Return an address and its fragment."""
    before, _, fragment = address.partition("#")
    return before, fragment


class Resolving:
    """Makes the schema of one file one in which each reference is in its full form, and nothing else names places."""

    def __init__(self, known: Addresses, name: str, document: Document, draft: int, problems: list[Problem]) -> None:
        self._known = known
        self._name = name
        self._document = document
        self._draft = draft
        self._problems = problems

    def schema(self, node: Json, place: Place) -> Json:
        """Return the schema at a place so made."""
        if not isinstance(node, dict):
            return node
        found: dict[str, Json] = {}
        for keyword, value in node.items():
            if keyword in {"$id", "$anchor", "id"}:
                continue
            if keyword == "$ref" and isinstance(value, str):
                found["$ref"] = self._reference(value, place)
            elif not isinstance(value, dict | list):
                found[keyword] = value
            else:
                found[keyword] = self._held(keyword, value, (*place, keyword))
        dynamic = found.pop("$dynamicRef", None) if self._draft != DRAFT_7 else None
        if isinstance(dynamic, str):
            self._dynamic(dynamic, place, found)
        if self._draft == DRAFT_7 and "$ref" in found:  # there all that stands beside a reference is passed over
            return {key: value for key, value in found.items() if key == "$ref" or key not in asserting(DRAFT_7)}
        return found

    def _dynamic(self, text: str, place: Place, found: dict[str, Json]) -> None:
        target = None if text.startswith(_DRAFT_ADDRESSES) else self._known.meant(self._name, place, text)
        anchor = _split(text)[1]
        if target is None:
            found["$dynamicRef"] = text
            if not text.startswith(_DRAFT_ADDRESSES):
                said = f"$dynamicRef {text!r:.200} leads to nothing in these files: no schema there has such an anchor"
                self._problems.append(self._document.problem(said, *place, "$dynamicRef"))
        elif self._known.is_dynamic(target, anchor):
            found["$dynamicRef"] = f"#{anchor}" if target[0] == self._name else f"{BASE}{target[0]}#{anchor}"
        else:
            meant = {"$ref": f"{BASE}{target[0]}#{pointer_to(target[1])}"}
            found["allOf"] = [*found.get("allOf", []), meant]

    def _held(self, keyword: str, value: Json, place: Place) -> Json:
        if keyword in NAMED and isinstance(value, dict):
            return {
                key: self.schema(item, (*place, key)) if isinstance(item, dict) else item for key, item in value.items()
            }
        if keyword in SEVERAL and isinstance(value, list):
            return [self.schema(item, (*place, index)) for index, item in enumerate(value)]
        if keyword in ONE:
            return self.schema(value, place)
        return value if keyword in _VALUES else self._loose(value, place)

    def _loose(self, value: Json, place: Place) -> Json:
        """Return a part that no draft calls a schema, and that something may refer to all the same."""
        if isinstance(value, list):
            return [self._loose(item, (*place, index)) for index, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        found = {key: self._loose(item, (*place, key)) for key, item in value.items()}
        target = self._known.meant(self._name, place, value["$ref"]) if isinstance(value.get("$ref"), str) else None
        return {**found, "$ref": f"{BASE}{target[0]}#{pointer_to(target[1])}"} if target else found

    def _reference(self, text: str, place: Place) -> str:
        if text.startswith(_DRAFT_ADDRESSES):
            return text
        target = self._known.meant(self._name, place, text)
        if target is None:
            written = text.replace(COMPONENTS.replace("/", "~1"), COMPONENTS)
            said = f"$ref {written!r:.200} leads to nothing in these files; nothing is fetched, so add what it means"
            self._problems.append(self._document.problem(said, *place, "$ref"))
            return text
        return f"{BASE}{target[0]}#{pointer_to(target[1])}"


def named(part: Json) -> Json:
    """Return a part whose references name files, as people write them, and not addresses below BASE."""
    if isinstance(part, dict):
        return {
            key: item.removeprefix(BASE) if key == "$ref" and isinstance(item, str) else named(item)
            for key, item in part.items()
        }
    return [named(item) for item in part] if isinstance(part, list) else part
