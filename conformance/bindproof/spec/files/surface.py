"""The form of a surface file: what scenarios set and judge of everything that a package offers.

Enters: nothing. Leaves: `SurfaceFile`. Must not know packages. It imports pydantic, see `form`.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bindproof.spec.files.form import Form, Some, Words


class FunctionTable(Form):
    """Functions that a step is acted out with."""

    names: Some[Words]
    """Globs over their names. `{family}` stands for each word of a family."""
    step: Words
    """The step."""
    where: dict[str, Words] = Field(default_factory=dict)
    """What has to be so of the step: `family`, `level` (`global`, `scope`, `plugin`), `kind`, `object`."""


class ParameterTable(Form):
    """Parameters of those functions."""

    of: Some[Words]
    """The steps that they are of."""
    names: Some[Words]
    """Globs over the parameters' own names."""
    field: str = ""
    """The member of the step that sets them, `value/x` for a member of that; empty: every such step does."""
    where: dict[str, Words] = Field(default_factory=dict)
    """What has to be so of the step besides."""
    requirements: Some[Words]
    """Rules that judge what becomes of them; a vector that sets them exercises one."""


class MemberTable(Form):
    """What callbacks are given, what they answer with, and what objects say."""

    names: Some[Words]
    """Globs over whole names."""
    requirements: Some[Words]
    """Rules that judge them, each exercised by a vector."""


class ReasonTable(Form):
    """Names that nothing judges."""

    names: Some[Words]
    """Globs over whole names."""
    reason: Words
    """Why not."""


class SurfaceFile(Form):
    """`surfaces/*.toml`: what becomes of each parameter and member that a package offers.

    A name is of the first table that has it: a parameter, a member, one that no scenario sets yet, one that is apart.
    """

    adapters: Some[Words]
    """Those that drive such a package."""
    folder_of: str = ""
    """The adapter in whose folder it lies, where that is another one: several may drive one library."""
    reads: Literal["python", "node", "c", "rust"]
    """How the package says what it offers: stubs and modules of Python, declarations of TypeScript, a header, the
    source of a crate."""
    crates: tuple[Words, ...] = ()
    """Other crates whose names a crate hands on as its own."""
    families: dict[str, Some[Words]] = Field(default_factory=dict)
    """Family → the words for it in names of functions."""
    function: tuple[FunctionTable, ...] = ()
    """Functions that scenarios call."""
    parameter: tuple[ParameterTable, ...] = ()
    """Parameters of theirs."""
    member: tuple[MemberTable, ...] = ()
    """What else is judged."""
    unset: tuple[ReasonTable, ...] = ()
    """What no scenario sets yet, though the suite is about it."""
    apart: tuple[ReasonTable, ...] = ()
    """What the suite is not about, or no scenario can set."""
