"""What differs between the requirements of two sides, and what that means by the words MUST, SHOULD and MAY.

Enters: requirements by id. Leaves: Decisions, all of them by rules: only who wrote a statement knows what it changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bindproof.evolve.answers import Answer, Decision
from bindproof.evolve.difference import ABSENT, Difference
from bindproof.spec.models import ALL_DIALECTS, Requirement

_STRENGTH: Final = {"MAY": 0, "SHOULD": 1, "MUST": 2}

_SAFE: Final = "Whoever kept the one keeps the other."
_NEW_DUTY: Final = "Whoever kept the old requirements was not bound to this."
_OLD_DUTY: Final = "Whoever keeps the new requirements is not bound to this any more."
_WORDS: Final = "The statement is in other words, and only its author knows whether they ask for something else."
_MAY: Final = "MAY binds nobody."

Rules = Mapping[str, Requirement]


def requirement_decisions(old: Rules, new: Rules, editions: frozenset[str] | None = None) -> list[Decision]:
    """Return what each difference of requirements breaks, by id.

    editions: those of which it is compared whether a requirement holds in them; None where each side is one edition.

    Old to new is a binding that keeps the old ones, judged by the new ones; new to old is the other way about.
    """
    names = sorted(old.keys() | new.keys())
    return [decision for name in names for decision in _of(name, old.get(name), new.get(name), editions)]


def _of(
    name: str, old: Requirement | None, new: Requirement | None, editions: frozenset[str] | None
) -> Iterator[Decision]:
    there = new or old
    if there is None:
        return
    lines = (old.line if old else there.line), (new.line if new else there.line)

    def decision(kind: str, before: object, after: object, forth: Answer, back: Answer) -> Decision:
        return Decision(forth, back, Difference(there.file, (name,), kind, before, after, (), *lines))

    if old is None or new is None:
        stronger = 1 if old is None else -1
        kind = f"requirement {'added' if old is None else 'removed'}"
        told = {"level": there.level, "dialects": list(there.dialects), "statement": there.statement}
        before, after = (ABSENT, told) if old is None else (told, ABSENT)
        yield decision(kind, before, after, *_duty(stronger, binds=there.level != "MAY"))
        return
    if old.level != new.level:
        stronger = _STRENGTH[new.level] - _STRENGTH[old.level]
        kind = f"level {'raised' if stronger > 0 else 'lowered'}"
        yield decision(kind, old.level, new.level, *_duty(stronger, binds=True))
    if old.statement != new.statement:
        unknown = Answer("UNKNOWN", None, _WORDS)
        yield decision("statement changed", old.statement, new.statement, unknown, unknown)
    if set(old.dialects) != set(new.dialects):
        more = _more(old.dialects, new.dialects), _more(new.dialects, old.dialects)
        yield decision("dialects changed", list(old.dialects), list(new.dialects), *_wider(*more))
    held, holds = (frozenset(side.in_editions) & (editions or frozenset()) for side in (old, new))
    if held != holds:
        yield decision("editions changed", old.editions, new.editions, *_wider(bool(holds - held), bool(held - holds)))


def _wider(gained: bool, lost: bool) -> tuple[Answer, Answer]:
    """Answer for a requirement that holds where it did not, or does not hold where it did."""
    duties = ((gained, _NEW_DUTY), (lost, _OLD_DUTY))
    there, back = (Answer("RULE", breaks, why if breaks else _SAFE) for breaks, why in duties)
    return there, back


def _more(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether a requirement now speaks of dialects of which it did not."""
    if tuple(old) == ALL_DIALECTS:
        return False
    return tuple(new) == ALL_DIALECTS or bool(set(new) - set(old))


def _duty(stronger: int, *, binds: bool) -> tuple[Answer, Answer]:
    if not binds:
        return Answer("RULE", False, _MAY), Answer("RULE", False, _MAY)
    safe = Answer("RULE", False, _SAFE)
    if stronger > 0:
        return Answer("RULE", True, _NEW_DUTY), safe
    return safe, Answer("RULE", True, _OLD_DUTY)
