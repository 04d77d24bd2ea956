"""The values that a suite's folder is read into: frozen, typed, each closed against unknown fields.

Enters: nothing. Leaves: the models of every file below `spec/<suite>/`. Must not know how files are found or read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from bindproof.core.model import Defect, Json

Level = Literal["MUST", "SHOULD", "MAY"]
Side = Literal["input", "argument", "reply", "helper", "event"]
"""Where an object passes between a program and a binding. input: a value that the program puts into a call; argument:
what a callback is given; reply: what a callback returns; helper: what a standalone helper answers; event: an event."""

ALL_DIALECTS = ("all",)
OBSERVED = "observed"
"""The document id of what was only seen to happen: good for SHOULD, never for MUST."""


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A frozen record whose file may hold no key that it does not name."""


class Edition(Closed, frozen=True):
    """A version of the suite's spec. `releases` maps a target's name to the releases of it that belong here.

    state: open while it may still change; locked when it may not; preview before any release of it.
    """

    name: str
    state: Literal["open", "locked", "preview"]
    releases: dict[str, tuple[str, ...]] = {}
    capabilities: tuple[str, ...] = ()


def newest_of(editions: Sequence[Edition]) -> Edition:
    """Return the newest edition that is no preview, or the newest of all where all are; they are oldest first."""
    return next((edition for edition in reversed(editions) if edition.state != "preview"), editions[-1])


class Erratum(Closed, frozen=True):
    """A change of editions that are locked.

    touches: a requirement or a schema's file. digest: what it is from then on, which `bindproof spec check` says, or
    `gone`.
    """

    date: str
    editions: tuple[str, ...]
    touches: str
    digest: str
    reason: str


class ObjectKeys(Closed, frozen=True):
    """A contract object whose keys dialects may respell; `schema` is its file below `schemas/<edition>/`, if any."""

    name: str
    keys: tuple[str, ...]
    schema: str | None = None


class Spelling(Closed, frozen=True):
    """How a binding spells one canonical key: its own name, on which sides, and names that it has to refuse."""

    own: str
    sides: tuple[Side, ...]
    refuses: tuple[str, ...] = ()


class ErrorPattern(Closed, frozen=True):
    """Messages in which `pattern` is found (see `core.patterns`) have this kind; `editions` is a range, or None: all.

    example: a message of the binding, for the reference to answer with; the pattern has to find it.
    """

    kind: str
    pattern: str
    editions: str | None = None
    example: str | None = None


class Inexpressible(Closed, frozen=True):
    """A part of a scenario that the binding's language has no way to say, and why."""

    path: str
    reason: str


class Withheld(Closed, frozen=True):
    """Arguments of a family's callbacks that this binding does not hand over, in these editions, or None: in all."""

    family: str
    arguments: tuple[str, ...]
    editions: tuple[str, ...] | None = None


class Policies(Closed, frozen=True):
    """Answers to questions that the contract leaves to each binding.

    exception_identity: an exception that a callback raises can reach the caller as the very object (OUT-012).
    codecs_are_functions: a program hands a built-in codec over as functions, like one of its own (DLC-011).
    """

    exception_identity: bool = False
    codecs_are_functions: bool = False


class Dialect(Closed, frozen=True):
    """How one binding spells the canonical names: object name → canonical key → spelling, and its error messages.

    editions: the range of those whose releases were seen to speak it, or None: all. withheld: what callbacks are given
    by other bindings and not by this one.
    """

    name: str
    title: str
    editions: str | None = None
    spelling: dict[str, dict[str, Spelling]] = {}
    error: tuple[ErrorPattern, ...] = ()
    inexpressible: tuple[Inexpressible, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    policies: Policies = Policies()

    def as_json(self) -> dict[str, Json]:
        """The dialect as plain JSON values, with the keys of its TOML file and every default filled in."""
        plain: dict[str, Json] = msgspec.json.decode(msgspec.json.encode(self))
        return plain


class Source(Closed, frozen=True):
    """Where a requirement comes from: a document's id in sources.toml and the place in it."""

    document: str
    place: str


class Requirement(Closed, frozen=True):
    """One numbered rule.

    editions: the range as written; in_editions: the names of the editions it holds in, retirement taken into account.
    dialects: names, or `("all",)`. untestable and retired: the reason, or None. line: of its heading in `file`, which
    is relative to the data root. digest: 12 hex digits over level, editions, dialects and statement.
    """

    id: str
    title: str
    level: Level
    editions: str
    in_editions: tuple[str, ...]
    dialects: tuple[str, ...]
    sources: tuple[Source, ...]
    statement: str
    explanation: str
    untestable: str | None
    retired: str | None
    file: str
    line: int
    digest: str

    @property
    def prefix(self) -> str:
        """The letters before the number: one chapter's mark."""
        return self.id.partition("-")[0]


class Chapter(Closed, frozen=True):
    """One chapter: its file, title, the text before the first requirement, and its requirements in order."""

    file: str
    title: str
    introduction: str
    requirements: tuple[Requirement, ...]


class Vector(Closed, frozen=True):
    """A scenario kept in the spec. `in_editions` and `dialects` say where it is run; ids come from the file's path.

    seconds: what it may take, where that is less than the limit for every scenario: a known hang is then soon over.
    own: the path of a user's own vector, as they wrote it; None for one of the spec.
    """

    id: str
    title: str
    exercises: tuple[str, ...]
    in_editions: tuple[str, ...]
    dialects: tuple[str, ...]
    scenario: Json
    defect: Defect | None
    file: str
    seconds: float | None = None
    own: str | None = None

    def runs_in(self, edition: str, dialect: str) -> bool:
        """True when the vector is meant for this edition and dialect."""
        return edition in self.in_editions and (self.dialects == ALL_DIALECTS or dialect in self.dialects)


class Sign(Closed, frozen=True):
    """What a failure looks like, as its evidence has it: each of these that is given.

    expected, observed: exact JSON values. expected_matches, observed_matches: regular expressions that are found in the
    value's JSON text (no spaces, keys in alphabetical order). at: JSON pointer to the place in the record.
    """

    expected: Json | UnsetType = UNSET
    expected_matches: str | None = None
    observed: Json | UnsetType = UNSET
    observed_matches: str | None = None
    at: str | None = None


class Frequency(Closed, frozen=True):
    """How often something was seen that does not always occur: in `seen` of `of` runs."""

    seen: int
    of: int


class Divergence(Closed, frozen=True):
    """One expectation: a broken requirement, or a verdict, that is known and explained in advance.

    versions: specifiers such as `>=0.9,<0.11`, none: every version. vectors: globs over vector ids, but for those of
    vectors_without. sign: what the
    failures of the requirement look like; None for a verdict. beside: what else fails of the requirement because of
    that, in the steps of a failure that has the sign. sometimes: it may also not occur.
    generated: a regular expression; a scenario that is no vector is covered where its JSON text has it. None: none is.
    generated_without: another, which the text may not have. file, line: of its entry.
    """

    target: str
    vectors: tuple[str, ...]
    reason: str
    source: str
    requirement: str | None = None
    verdict: str | None = None
    versions: tuple[str, ...] = ()
    vectors_without: tuple[str, ...] = ()
    sign: Sign | None = None
    beside: tuple[Sign, ...] = ()
    sometimes: Frequency | None = None
    generated: str | None = None
    generated_without: str | None = None
    file: str = ""
    line: int = 1

    @property
    def place(self) -> str:
        """`file:line`."""
        return f"{self.file}:{self.line}"


class Kept(Struct, frozen=True):
    """What is known of a suite's folder without looking: its digest, every vector by id, the shipped expectations."""

    digest: str
    vectors: tuple[Vector, ...]
    expectations: tuple[Divergence, ...]


@dataclass(frozen=True, slots=True)
class Spec:
    """A suite as `load` gives it. root: the data root; name: also the folder's name below `spec/`.

    editions: oldest first. requirements: by id, in chapter order. errata: oldest first. reference: the module of the
    reference, for the adapter of that name, or empty. Vectors, sources, notes and expectations are read apart, when
    they are wanted; kept: those of them that were read in an earlier start.
    """

    root: Path
    name: str
    title: str
    editions: tuple[Edition, ...]
    objects: tuple[ObjectKeys, ...]
    error_kinds: tuple[str, ...]
    dialects: dict[str, Dialect]
    chapters: tuple[Chapter, ...]
    requirements: dict[str, Requirement] = field(default_factory=dict)
    errata: tuple[Erratum, ...] = ()
    reference: str | None = None
    kept: Kept | None = field(default=None, repr=False, compare=False)

    @property
    def folder(self) -> Path:
        """`<root>/spec/<name>`."""
        return self.root / "spec" / self.name

    @property
    def edition_names(self) -> tuple[str, ...]:
        """Names of the editions, oldest first."""
        return tuple(edition.name for edition in self.editions)

    @property
    def newest(self) -> Edition:
        """The newest edition that is no preview, or the newest of all where all are."""
        return newest_of(self.editions)

    def edition(self, name: str) -> Edition:
        """The edition of this name; KeyError names the ones there are."""
        for edition in self.editions:
            if edition.name == name:
                return edition
        raise KeyError(f"suite {self.name} has no edition {name!r}; it has {', '.join(self.edition_names)}")
