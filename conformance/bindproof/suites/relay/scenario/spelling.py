"""A dialect's spelling as look-up tables, and the translations that the harness makes with them.

Enters: a dialect as plain data. Leaves: canonical values in the binding's names, and the binding's values in
canonical names.
Translation happens only at positions that the contract names, never inside content, data or metadata.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites.relay.scenario import overtaking

UNREAD = "wire:"
"""Prefix for a canonical key seen where the dialect has its own name for it: no binding may read such a key."""


SANITIZERS = ("mark.sanitize", "start.sanitize", "end.sanitize")
"""Families whose callbacks reply with an event's fields."""


class Names(dict[str, str]):
    """Own names by canonical name. reading: the other way round; a canonical name that is not the own one is unread."""

    def __init__(self, own: Mapping[str, str]) -> None:
        super().__init__(own)
        unread = {name: UNREAD + name for name in own}
        self.reading = unread | {spelled: name for name, spelled in own.items()}


class Replies(Struct, frozen=True):
    """How one family's replies are spelled: names of their members, of a mark's, of what `$get` finds given."""

    own: Names
    marks: Names
    given: Names

    def pointer(self, pointer: str) -> str:
        """Spell a pointer into a reply."""
        tokens = pointer.split("/")
        if len(tokens) > 3 and tokens[1] == "pending_marks":
            tokens[3] = self.marks.get(tokens[3], tokens[3])
        if len(tokens) > 1:
            tokens[1] = self.own.get(tokens[1], tokens[1])
        return "/".join(tokens)

    def value(self, pointer: str, value: Json) -> Json:
        """Spell a value that is put at a canonical pointer of a reply."""
        tokens = pointer.split("/")
        if isinstance(value, dict) and value.keys() == {"$as_is"}:
            return value["$as_is"]
        if isinstance(value, dict) and value.keys() == {"$get"} and isinstance(value["$get"], str):
            return {"$get": self._given_path(value["$get"])}
        if len(tokens) == 1:
            return self._whole(value)
        if tokens[1] == "pending_marks" and len(tokens) == 2:
            return [self._mark(mark) for mark in value] if isinstance(value, list) else value
        if tokens[1] == "pending_marks" and len(tokens) == 3:
            return self._mark(value)
        return value

    def place(self, at: str) -> str:
        """Spell a pointer into what is given."""
        return self._given_path(f"given{at}").removeprefix("given")

    def _given_path(self, path: str) -> str:
        tokens = path.split("/")
        at = 2 if tokens[1:2] == ["fields"] else 1
        if tokens[0] == "given" and len(tokens) > at:
            tokens[at] = self.given.get(tokens[at], tokens[at])
        return "/".join(tokens)

    def _whole(self, value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        return {self.own.get(key, key): self.value(f"/{key}", item) for key, item in value.items()}

    def _mark(self, value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        if value.keys() == {"$as_is"}:
            return value["$as_is"]
        return {self.marks.get(key, key): item for key, item in value.items()}


class Spelling(Struct, frozen=True):
    """Own names by canonical name, for each object and side that is translated."""

    argument: Names
    reply: Names
    helper: Names
    mark_reply: Names
    mark_helper: Names
    encode: Names
    tool_reply: Names
    fields_argument: Names
    fields_reply: Names
    at_once: str
    """On what programs begin at the same moment where the language has its say: `threads` or `tasks`."""
    withheld: Mapping[str, frozenset[str]]
    """Family → what its callbacks are not given in this language and edition."""
    apart: bool
    """Whether the sanitizers of managed calls run in their call, and those of steps made by hand beside the program."""

    @classmethod
    def of(cls, dialect: Json, edition: str = "") -> Spelling:
        """Read the tables of a dialect (`spec/relay/dialects/*.toml` as plain data), as an edition has them."""

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
            tool_reply=names("tool_outcome", "reply"),
            fields_argument=names("fields", "argument"),
            fields_reply=names("fields", "reply"),
            at_once=_at_once(dialect),
            withheld=_withheld(dialect, edition),
            apart=edition == overtaking.EDITION,
        )

    def replies(self, family: str) -> Replies | None:
        """Return how the replies of a family are spelled, or None where they are all the scenario's own."""
        if family == "llm.request":
            return Replies(self.reply, self.mark_reply, self.argument)
        if family == "tool.execution":
            return Replies(self.tool_reply, self.mark_reply, Names({}))
        if family in SANITIZERS:
            return Replies(self.fields_reply, Names({}), self.fields_argument)
        return None

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

    def canonical_tool_reply(self, reply: Json) -> Json:
        """Read a tool execution intercept's reply, its marks included."""
        return _with_marks(_read(reply, self.tool_reply), self.mark_reply)

    def canonical_fields(self, fields: Json, *, given: bool) -> Json:
        """Read the fields that an event's sanitizer was given, or that it replied with."""
        return _read(fields, self.fields_argument if given else self.fields_reply)

    def canonical_helper(self, value: Json) -> Json:
        """Read a helper's outcome, its marks included."""
        return _with_marks(_read(value, self.helper), self.mark_helper)


def _at_once(dialect: Json) -> str:
    lacks = {entry["path"] for entry in dialect.get("inexpressible", ())}
    return "tasks" if "threads" in lacks else "threads"


def _withheld(dialect: Json, edition: str) -> dict[str, frozenset[str]]:
    told = [entry for entry in dialect.get("withheld", ()) if edition in (entry["editions"] or (edition,))]
    return {entry["family"]: frozenset(entry["arguments"]) for entry in told}


def _read(value: Json, names: Names) -> Json:
    if not names or not isinstance(value, dict):
        return value
    canonical = names.reading
    return {canonical.get(key, key): item for key, item in value.items()}


def _with_marks(value: Json, names: Names) -> Json:
    if not names or not isinstance(value, dict) or not isinstance(value.get("pending_marks"), list):
        return value
    return value | {"pending_marks": [_read(mark, names) for mark in value["pending_marks"]]}
