"""The rules of ours: what is said of differences that no validator sees.

Enters: a Difference. Leaves: an Answer for each direction, or None where values decide.
"""

from __future__ import annotations

from typing import Final

from bindproof.core.model import Json
from bindproof.evolve.answers import Answer, Direction
from bindproof.evolve.difference import Difference
from bindproof.evolve.keywords import OPEN

_UNREAD = "No validator reads it, so whether it means something to anyone has to be said by who changes it."
_DEFAULT = "A member that is left out means something else to the two sides."

MEMBERS: Final = frozenset({"property", "patternProperties entry"})
"""What a schema without other members takes more of where one is added."""

_MORE_VALUES: Final = frozenset({"enum value", "type type", "anyOf", "oneOf"})
"""Of what there may be more, so that more is taken."""

_ASKS_MORE: Final = {"added": True, "raised": True, "removed": False, "lowered": False}
"""By the last word of a kind: whether the new side asks more of a value, for most keywords."""


def by_rule(difference: Difference, *, is_entry: bool) -> tuple[Answer, Answer] | None:
    """Return what old writers and what new writers break by a rule; None where no rule speaks.

    is_entry: whether values are held against what was added or removed, and not only against what refers to it.
    """
    kind = difference.kind
    word = kind.rpartition(" ")[0]
    if kind in {"definition added", "file added", "definition removed", "file removed"}:
        return _whole(kind, is_entry=is_entry)
    if kind.startswith("unknown keyword"):
        return _both(None, _UNREAD)
    if word == "deprecated":
        return _both(False, "An announcement refuses nothing.")
    if word == "default":
        return _both(None if kind == "default added" else True, _DEFAULT)
    return _both(None, _UNREAD) if word in OPEN else None


def _both(breaks: bool | None, why: str) -> tuple[Answer, Answer]:
    answer = Answer("UNKNOWN" if breaks is None else "RULE", breaks, why)
    return answer, answer


def _whole(kind: str, *, is_entry: bool) -> tuple[Answer, Answer]:
    """Answer for a file, or a definition of a file that only defines."""
    if not is_entry:
        return _both(False, "A definition refuses nothing by itself; what refers to it has its own differences.")
    none = Answer("RULE", False, "Its writers have nothing of the kind.")
    lost = Answer("RULE", True, "Its readers have no schema for it.")
    return (none, lost) if kind.endswith("added") else (lost, none)


def may_refuse(difference: Difference, direction: Direction, *, closed: bool) -> bool:
    """Tell whether one looks for a break before one looks for a proof: an order of work, which decides nothing.

    closed: whether the schema in which it is takes no member that it does not name.
    """
    word, _, how = difference.kind.rpartition(" ")
    two = (difference.old, difference.new) if direction == "old_to_new" else (difference.new, difference.old)
    if _asks_nothing_new(word, *two):
        return False
    if how not in _ASKS_MORE:
        return how != "reordered"
    asks_more = _ASKS_MORE[how]
    is_most = how in {"raised", "lowered"} and (word.startswith("max") or word == "exclusiveMaximum")
    if is_most or word in _MORE_VALUES or (closed and word in MEMBERS):
        asks_more = not asks_more
    return asks_more is (direction == "old_to_new")


def _asks_nothing_new(word: str, writer: Json, reader: Json) -> bool:
    """Tell of the two parts that differ whether it is plain that the reader takes what the writer takes."""
    if word == "schema" or word in MEMBERS:
        return writer is False or reader is True or reader == {}
    if word == "type type" and isinstance(writer, str) and isinstance(reader, str):
        return (writer, reader) == ("integer", "number")
    if word != "const" or isinstance(writer, bool) is not isinstance(reader, bool):
        return False
    return bool(writer == reader)  # 1 and 1.0 are one number; 1 and true are not alike, but for Python
