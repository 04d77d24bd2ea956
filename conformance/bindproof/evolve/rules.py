"""The rules of ours: what is said of differences that no validator sees.

Enters: a Difference. Leaves: an Answer for each direction, or None where values decide.
"""

from __future__ import annotations

from bindproof.evolve.answers import Answer
from bindproof.evolve.difference import Difference
from bindproof.evolve.keywords import OPEN

_UNREAD = "No validator reads it, so whether it means something to anyone has to be said by who changes it."
_DEFAULT = "A member that is left out means something else to the two sides."


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
