"""Where a scenario comes from: a vector, its twin, a seed and a number, a file, or a scenario that was made smaller.

Enters: nothing. Leaves: a value for each, and what people call it. Must not know what a scenario holds.

The name is for people. It is never read: a file may be called `generated/1.json`, and a vector `x+twin`.
"""

from __future__ import annotations

from pathlib import Path

import msgspec


class FromVector(msgspec.Struct, frozen=True, tag_field="kind", tag="vector"):
    """A vector of the spec."""

    id: str
    """As `bindproof spec list --vectors` shows it."""


class FromFile(msgspec.Struct, frozen=True, tag_field="kind", tag="file"):
    """A vector in a file outside the spec."""

    path: str
    """As the user wrote it."""


class TwinOf(msgspec.Struct, frozen=True, tag_field="kind", tag="twin"):
    """The positive twin of a negative: the same scenario without its defect."""

    negative: FromVector | FromFile


class Generated(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="generated"):
    """A generated scenario."""

    seed: int
    number: int
    guided: bool = False
    """Of a guided campaign, in which seed and number make another one."""
    draw_for: str | None = None
    """The dialect whose scenarios were drawn, None: anything. Seed and number make another one for each."""


class SmallerOf(msgspec.Struct, frozen=True, tag_field="kind", tag="smaller"):
    """A scenario that was tried in the place of a larger one."""

    larger: Origin
    number: int
    """Which of those that went out together."""


class FromSmoke(msgspec.Struct, frozen=True, tag_field="kind", tag="smoke"):
    """A step of `bindproof smoke`, counted from 0."""

    step: int


Planned = FromVector | FromFile | TwinOf | Generated
"""The origin of a scenario that is planned, and has a verdict in the log."""

Origin = Planned | SmallerOf | FromSmoke


def named_by(origin: Origin) -> Origin:
    """Return the origin by which people ask for a scenario: of a twin, which nobody asks for, that of its negative."""
    return origin.negative if isinstance(origin, TwinOf) else origin


def vector_of(origin: Origin) -> str | None:
    """Return the id of the vector that is acted out, itself or its twin; None for what is no vector of the spec."""
    named = named_by(origin)
    return named.id if isinstance(named, FromVector) else None


def name_of(origin: Origin) -> str:
    """Return what people call a scenario of this origin."""
    match origin:
        case FromVector():
            return origin.id
        case Generated():
            kind = "".join([f"{origin.draw_for}-" if origin.draw_for else "", "guided-" if origin.guided else ""])
            return f"generated/{kind}{origin.seed}/{origin.number}"
        case TwinOf():
            return f"{name_of(origin.negative)}+twin"
        case FromFile():
            return f"file/{Path(origin.path).name}"
        case SmallerOf():
            return f"{name_of(origin.larger)}/{origin.number}"
        case FromSmoke():
            return f"smoke/{origin.step:02}"
