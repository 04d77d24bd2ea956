"""The values that a suite's folder is read into: frozen, typed, each closed against unknown fields.

Enters: nothing. Leaves: the models of every file below `spec/<suite>/`. Must not know how files are found or read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from bindproof.core.model import Defect, Expect, Json

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
    """A version of the suite's spec."""

    name: str
    state: Literal["open", "locked", "preview"]
    """Open while it may still change; locked when it may not; preview before any release of it."""
    releases: dict[str, tuple[str, ...]] = {}
    """By the name of a target, the releases of it that belong here."""
    capabilities: tuple[str, ...] = ()
    """What an adapter must be able to act out; `unsupported` is no excuse for one of these."""
    partial: bool = False
    """Whether the spec states no more than a part of it: of the vectors that name no editions it has those alone all of
    whose requirements hold in it, and what no requirement speaks of is not judged."""


def newest_of(editions: Sequence[Edition]) -> Edition:
    """Return the newest edition that is no preview, or the newest of all where all are; they are oldest first."""
    return next((edition for edition in reversed(editions) if edition.state != "preview"), editions[-1])


class Erratum(Closed, frozen=True):
    """A change of editions that are locked."""

    date: str
    editions: tuple[str, ...]
    reason: str
    touches: str | None = None
    """A requirement or a schema's file."""
    digest: str | None = None
    """What it is from then on, which `bindproof spec check` says, or `gone`."""
    restated: Mapping[str, str] = {}
    """Or requirement → digest: those whose words alone have changed, in whichever of the editions have them."""


class ConformanceClass(Closed, frozen=True):
    """Requirements that a target may claim to keep, such as those of a binding without tools."""

    name: str
    title: str
    requirements: tuple[str, ...]
    """Globs over ids."""

    def has(self, requirement: str) -> bool:
        """True when a requirement is one of its own."""
        return any(fnmatchcase(requirement, glob) for glob in self.requirements)


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
    """Messages in which a pattern is found have a kind."""

    kind: str
    pattern: str
    """As `core.patterns` reads it."""
    editions: str | None = None
    """A range, or None: all."""
    example: str | None = None
    """A message of the binding, for the reference to answer with; the pattern has to find it."""


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
    """Answers to questions that the contract leaves to each binding."""

    exception_identity: bool = False
    """An exception that a callback raises can reach the caller as the very object (OUT-012)."""
    exceptions_have_classes: bool = False
    """The end of a call that failed names the class of what a callback raised (EVT-055)."""
    codecs_are_functions: bool = False
    """A program hands a built-in codec over as functions, like one of its own (DLC-011)."""
    finalizers_fail: bool = False
    """A finalizer that fails makes its stream's end an error, in editions that have that (STR-020)."""
    percent_encoded_names: bool = False
    """In names of what a plugin registers, signs but letters, digits and `-._~` are percent-encoded (MID-022)."""


class Dialect(Closed, frozen=True):
    """How one binding spells the canonical names: object name → canonical key → spelling, and its error messages."""

    name: str
    title: str
    editions: str | None = None
    """The range of those whose releases were seen to speak it, or None: all."""
    spelling: dict[str, dict[str, Spelling]] = {}
    error: tuple[ErrorPattern, ...] = ()
    inexpressible: tuple[Inexpressible, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    """What callbacks are given by other bindings and not by this one."""
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
    """One numbered rule."""

    id: str
    title: str
    level: Level
    editions: str
    """The range as written."""
    in_editions: tuple[str, ...]
    """The names of the editions it holds in, retirement taken into account."""
    dialects: tuple[str, ...]
    """Names, or `("all",)`."""
    sources: tuple[Source, ...]
    statement: str
    explanation: str
    untestable: str | None
    retired: str | None
    """`untestable` and `retired`: the reason, or None."""
    file: str
    line: int
    """Of its heading in `file`, which is relative to the data root."""
    digest: str
    """12 hex digits over level, editions, dialects and statement."""

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
    """A scenario kept in the spec. `in_editions` and `dialects` say where it is run; ids come from the file's path."""

    id: str
    title: str
    exercises: tuple[str, ...]
    in_editions: tuple[str, ...]
    dialects: tuple[str, ...]
    scenario: Json
    defect: Defect | None
    file: str
    seconds: float | None = None
    """What it may take, where that is less than the limit for every scenario: a known hang is then soon over."""
    expect: Expect | None = None
    """What comes out of it, judged under the one requirement that it exercises."""
    own: str | None = None
    """The path of a user's own vector, as they wrote it; None for one of the spec."""

    def runs_in(self, edition: str, dialect: str) -> bool:
        """True when the vector is meant for this edition and dialect."""
        return edition in self.in_editions and (self.dialects == ALL_DIALECTS or dialect in self.dialects)


class Sign(Closed, frozen=True):
    """What a failure looks like, as its evidence has it: each of these that is given."""

    expected: Json | UnsetType = UNSET
    expected_matches: str | None = None
    observed: Json | UnsetType = UNSET
    """`expected` and `observed`: exact JSON values."""
    observed_matches: str | None = None
    """`expected_matches` and `observed_matches`: regular expressions that are found in the value's JSON text (no
    spaces, keys in alphabetical order)."""
    at: str | None = None
    """JSON pointer to the place in the record."""


class Frequency(Closed, frozen=True):
    """How often something was seen that does not always occur: in `seen` of `of` runs."""

    seen: int
    of: int


class Divergence(Closed, frozen=True):
    """One expectation: a broken requirement, or a verdict, that is known and explained in advance."""

    target: str
    vectors: tuple[str, ...]
    """Globs over vector ids, but for those of vectors_without; none: it is about scenarios that are no vectors."""
    reason: str
    source: str
    requirement: str | None = None
    verdict: str | None = None
    versions: tuple[str, ...] = ()
    """Specifiers such as `>=0.9,<0.11`, none: every version."""
    vectors_without: tuple[str, ...] = ()
    sign: Sign | None = None
    """What the failures of the requirement look like; None for a verdict."""
    beside: tuple[Sign, ...] = ()
    """What else fails of the requirement because of that, in the steps of a failure that has the sign."""
    sometimes: Frequency | None = None
    """It may also not occur."""
    generated: str | None = None
    """A regular expression; a scenario that is no vector is covered where its JSON text has it. None: none is."""
    generated_without: str | None = None
    """Another, which the text may not have."""
    file: str = ""
    line: int = 1
    """`file` and `line`: of its entry."""

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
    """A suite as `load` gives it."""

    root: Path
    """The data root."""
    name: str
    """Also the folder's name below `spec/`."""
    title: str
    editions: tuple[Edition, ...]
    """Oldest first."""
    objects: tuple[ObjectKeys, ...]
    error_kinds: tuple[str, ...]
    dialects: dict[str, Dialect]
    chapters: tuple[Chapter, ...]
    requirements: dict[str, Requirement] = field(default_factory=dict)
    """By id, in chapter order."""
    errata: tuple[Erratum, ...] = ()
    """Oldest first."""
    classes: tuple[ConformanceClass, ...] = ()
    reference: str | None = None
    """The module of the reference, for the adapter of that name, or empty. Vectors, sources, notes and expectations are
    read apart, when they are wanted."""
    kept: Kept | None = field(default=None, repr=False, compare=False)
    """Those of them that were read in an earlier start."""

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
