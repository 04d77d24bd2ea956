"""A dialect's spelling as look-up tables, and the translations that the harness makes with them.

Enters: a dialect as plain data. Leaves: canonical values in the binding's names, and the binding's values in
canonical names.
Translation happens only at positions that the contract names, never inside content, data or metadata.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bindproof.model import Json

UNREAD = "wire:"
"""Prefix for a canonical key seen where the dialect has its own name for it: no binding may read such a key."""


class Names(dict[str, str]):
    """Own names by canonical name. reading: the other way round; a canonical name that is not the own one is unread."""

    def __init__(self, own: Mapping[str, str]) -> None:
        super().__init__(own)
        unread = {name: UNREAD + name for name in own}
        self.reading = unread | {spelled: name for name, spelled in own.items()}


@dataclass(frozen=True, slots=True)
class Spelling:
    """Own names by canonical name, for each object and side that group 1 translates."""

    argument: Names
    reply: Names
    helper: Names
    mark_reply: Names
    mark_helper: Names
    encode: Names

    @classmethod
    def of(cls, dialect: Json) -> Spelling:
        """Read the tables of a dialect (`spec/relay/dialects/*.toml` as plain data)."""

        def names(kind: str, side: str) -> Names:
            table = dialect.get("spelling", {}).get(kind, {})
            return Names({name: entry["own"] for name, entry in table.items() if side in entry["sides"]})

        return cls(
            argument=names("outcome", "argument"),
            reply=names("outcome", "reply"),
            helper=names("outcome", "helper"),
            mark_reply=names("mark", "reply"),
            mark_helper=names("mark", "helper"),
            encode=names("encode", "argument"),
        )

    def reply_pointer(self, pointer: str) -> str:
        """Spell a pointer into an intercept's reply."""
        tokens = pointer.split("/")
        if len(tokens) > 3 and tokens[1] == "pending_marks":
            tokens[3] = self.mark_reply.get(tokens[3], tokens[3])
        if len(tokens) > 1:
            tokens[1] = self.reply.get(tokens[1], tokens[1])
        return "/".join(tokens)

    def reply_value(self, pointer: str, value: Json) -> Json:
        """Spell a value that is put at a canonical pointer of an intercept's reply."""
        tokens = pointer.split("/")
        if isinstance(value, dict) and value.keys() == {"$as_is"}:
            return value["$as_is"]
        if isinstance(value, dict) and value.keys() == {"$get"}:
            return {"$get": self._given_path(value["$get"])}
        if len(tokens) == 1:
            return self._outcome(value)
        if tokens[1] == "pending_marks" and len(tokens) == 2:
            return [self._mark(mark) for mark in value] if isinstance(value, list) else value
        if tokens[1] == "pending_marks" and len(tokens) == 3:
            return self._mark(value)
        return value

    def _given_path(self, path: str) -> str:
        root, _, rest = path.partition("/")
        first, slash, more = rest.partition("/")
        return f"{root}/{self.argument.get(first, first)}{slash}{more}" if root == "given" and first else path

    def _outcome(self, value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        return {self.reply.get(key, key): self.reply_value(f"/{key}", item) for key, item in value.items()}

    def _mark(self, value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        if value.keys() == {"$as_is"}:
            return value["$as_is"]
        return {self.mark_reply.get(key, key): item for key, item in value.items()}

    # -- back to canonical names -------------------------------------------------------------------

    def canonical_argument(self, given: Json) -> Json:
        """Read what an intercept was given."""
        return _read(given, self.argument)

    def canonical_encode(self, given: Json) -> Json:
        """Read what an encode callback was given."""
        return _read(given, self.encode)

    def canonical_reply(self, reply: Json) -> Json:
        """Read an intercept's reply, its marks included."""
        return _with_marks(_read(reply, self.reply), self.mark_reply)

    def canonical_helper(self, value: Json) -> Json:
        """Read a helper's outcome, its marks included."""
        return _with_marks(_read(value, self.helper), self.mark_helper)


def _read(value: Json, names: Names) -> Json:
    if not names or not isinstance(value, dict):
        return value
    canonical = names.reading
    return {canonical.get(key, key): item for key, item in value.items()}


def _with_marks(value: Json, names: Names) -> Json:
    if not names or not isinstance(value, dict) or not isinstance(value.get("pending_marks"), list):
        return value
    return value | {"pending_marks": [_read(mark, names) for mark in value["pending_marks"]]}
