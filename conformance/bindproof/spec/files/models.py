"""What each file of a suite may hold, as it is written. Editors are given the same as JSON Schemas.

Enters: nothing. Leaves: a pydantic model for each kind of file. Must not know how files are found or read. This is a
module that imports pydantic: import it where a file is read, not before.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from pydantic import Field, model_validator

from bindproof.core.model import Outcome
from bindproof.spec.files.form import Expression, Form, Some, Specifier, Words
from bindproof.spec.models import ALL_DIALECTS, Divergence, Frequency, Side, Sign

_GIVEN_VERDICTS = tuple(name for name in get_args(Outcome) if name not in ("conforms", "diverges"))


class EditionTable(Form):
    """An edition of the suite's spec."""

    name: Words
    """The edition's name, such as `0.10`."""
    state: Literal["open", "locked", "preview"]
    """open: it may still change; locked: it may not; preview: before any release of it."""
    releases: dict[str, tuple[Specifier, ...]] = Field(default={})
    """By the name of a target, the releases of it that the edition is about."""
    capabilities: tuple[str, ...] = ()
    """What an adapter has to be able to act out in this edition."""


class ErratumTable(Form):
    """A change of editions that are locked."""

    date: Words
    """The day, as in `2026-11-22`."""
    editions: Some[str]
    """The editions that it changes."""
    touches: Words
    """A requirement, or a schema's file."""
    digest: Words
    """What it is from then on, as `bindproof spec check` says, or `gone`."""
    reason: Words
    """Why a locked edition had to change."""


class ObjectTable(Form):
    """A contract object whose keys dialects may spell otherwise."""

    name: Words
    """The object's name."""
    keys: tuple[str, ...]
    """Its canonical keys."""
    schema_: str | None = Field(default=None, alias="schema")
    """Its file below `schemas/<edition>/`, where it has one."""


class SuiteFile(Form):
    """`suite.toml`: what a suite is made of."""

    name: Words
    """The suite's name, which is its folder's."""
    title: Words
    """What the suite is about, in a few words."""
    error_kinds: tuple[str, ...]
    """What a failed step may say went wrong."""
    edition: Some[EditionTable]
    """The editions, oldest first."""
    object: tuple[ObjectTable, ...] = ()
    """The contract objects whose keys dialects may spell otherwise."""
    erratum: tuple[ErratumTable, ...] = ()
    """Changes of locked editions, oldest first."""
    reference: str | None = None
    """The module of the reference, for the adapter of that name."""


class SpellingTable(Form):
    """How a binding spells one canonical key."""

    own: Words
    """The binding's own name."""
    sides: tuple[Side, ...]
    """Where the object passes between a program and the binding under that name."""
    refuses: tuple[str, ...] = ()
    """Names that the binding has to refuse."""


class ErrorTable(Form):
    """Messages of the binding that have one kind."""

    kind: Words
    """One of the suite's `error_kinds`."""
    pattern: Expression
    """A regular expression of RE2, which begins with ^."""
    editions: str | None = None
    """The range of editions whose releases say so, such as `0.5–0.7`; all when it is left out."""
    example: str | None = None
    """A message of the binding, for the reference to answer with; the pattern has to find it."""


class InexpressibleTable(Form):
    """A part of a scenario that the binding's language has no way to say."""

    path: Words
    """The step, op or matcher."""
    reason: Words
    """Why there is no way to say it."""


class WithheldTable(Form):
    """Arguments of a family's callbacks that this binding does not hand over."""

    family: Words
    """The family of callbacks."""
    arguments: tuple[str, ...]
    """The arguments that are not there."""
    editions: tuple[str, ...] | None = None
    """The editions in which it is so; all when it is left out."""


class PoliciesTable(Form):
    """Answers to questions that the contract leaves to each binding."""

    exception_identity: bool = False
    """An exception that a callback raises can reach the caller as the very object."""
    codecs_are_functions: bool = False
    """A program hands a built-in codec over as functions, like one of its own."""


class DialectFile(Form):
    """`dialects/*.toml`: how one binding spells the canonical names, and what its errors say."""

    name: Words
    """The dialect's name, which is the file's."""
    title: Words
    """The binding, in a few words."""
    editions: str | None = None
    """The range of editions whose releases were seen to speak it; all when it is left out."""
    spelling: dict[str, dict[str, SpellingTable]] = Field(default={})
    """By object and canonical key, how the binding spells it."""
    error: tuple[ErrorTable, ...] = ()
    """What the binding's messages say; the first pattern that is found decides."""
    inexpressible: tuple[InexpressibleTable, ...] = ()
    """What the binding's language has no way to say."""
    withheld: tuple[WithheldTable, ...] = ()
    """Arguments that other bindings give to callbacks and this one does not."""
    policies: PoliciesTable = PoliciesTable()
    """Answers to questions that the contract leaves to each binding."""


class SourceDocument(Form):
    """A document that requirements are taken from."""

    id: Words
    """What requirements call it."""
    title: Words
    """Its title, or where it is found."""
    what: str
    """What kind of thing it is."""
    places: tuple[str, ...] = ()
    """Those that each have to stand in the `place` of a rule, as a word of its own."""


class SourceRule(Form):
    """One sentence of a document that states a rule."""

    document: Words
    """The id of the document."""
    place: str
    """Where in the document it stands."""
    gist: Words
    """What it says, in short."""
    requirements: tuple[str, ...] = ()
    """The requirements that say it."""
    open: str | None = None
    """Why none does, or what part of it is left open."""


class SourcesFile(Form):
    """`sources.toml`: which rule of which document became which requirement, or why it became none."""

    document: tuple[SourceDocument, ...] = ()
    """The documents."""
    rule: tuple[SourceRule, ...] = ()
    """An entry for each sentence that states a rule on the suite's subjects."""


class Act(Form):
    """Who has to act on a change."""

    dialects: Some[str]
    """In bindings of which dialects; `all` for every one."""
    who: Words
    """Whoever has to act."""
    must: Words
    """What they must do."""


class ObjectExample(Form):
    """A contract object as JSON text in canonical spelling: as it was, and as it is now."""

    schema_: str = Field(alias="schema")
    """The schema's file."""
    before: Words
    """JSON text that satisfies the old edition."""
    after: Words
    """JSON text that satisfies the new one."""


class ProgramExample(Form):
    """A whole program of a binding's language."""

    dialect: Words
    """The dialect whose language it is in."""
    before: Words
    """It runs on the old edition and fails on the new."""
    after: Words
    """It runs on the new edition."""


class Note(Form):
    """What breaks from an edition to the next."""

    title: Words
    """What breaks, in a few words."""
    what: Words
    """What breaks, in full."""
    act: tuple[Act, ...]
    """Who must do what."""
    breaks: tuple[Literal["writers", "readers"], ...] = ()
    """Whom the objects of the examples break. writers: what they write is refused now; readers: what they read was
    refused before."""
    requirements: tuple[str, ...] = ()
    """Those that come into force or go out of it."""
    schemas: tuple[str, ...] = ()
    """What differs in the schemas, as `file#/pointer`."""
    vectors: tuple[str, ...] = ()
    """Ids of vectors that a binding of the old edition breaks under the new one."""
    object: tuple[ObjectExample, ...] = ()
    """Contract objects before and after."""
    program: tuple[ProgramExample, ...] = ()
    """Programs before and after."""


class ChangesFile(Form):
    """`changes/<old>--<new>.toml`: what breaks from one edition to the next."""

    note: tuple[Note, ...] = ()
    """A note for everything that breaks."""


class SignTable(Form):
    """What a failure looks like: a table of `beside`, and a part of a divergence."""

    expected: Any = None
    """What should have been seen, as an exact value."""
    expected_matches: Expression | None = None
    """Or an expression that is found in its JSON text: no spaces, keys in alphabetical order; null is `^null$`."""
    observed: Any = None
    """What is seen instead, as an exact value."""
    observed_matches: Expression | None = None
    """Or an expression that is found in its JSON text."""
    at: str | None = None
    """The place in the record, as a JSON pointer."""

    @model_validator(mode="after")
    def _once(self) -> SignTable:
        for name in ("expected", "observed"):
            if {name, f"{name}_matches"} <= self.model_fields_set:
                raise ValueError(f"give either `{name}` or `{name}_matches`")
        return self

    def says(self) -> bool:
        """Tell whether anything is given."""
        return not self.model_fields_set.isdisjoint(SignTable.model_fields)

    def sign(self) -> Sign:
        """Return the same as a value that needs no pydantic."""
        given = self.model_fields_set & SignTable.model_fields.keys()
        return Sign(**{name: getattr(self, name) for name in given})


class BesideTable(SignTable):
    """What else fails because of a divergence, in the same step of the scenario."""

    @model_validator(mode="after")
    def _something(self) -> BesideTable:
        if not self.says():
            raise ValueError("say what is seen: `observed`, `observed_matches`, `expected`, `expected_matches` or `at`")
        return self


class FrequencyTable(Form):
    """How often something was seen that does not always occur."""

    seen: int = Field(gt=0)
    """In so many runs"""
    of: int
    """of so many."""

    @model_validator(mode="after")
    def _less(self) -> FrequencyTable:
        if self.seen >= self.of:
            raise ValueError(
                "what was seen in every run is expected always: leave `sometimes` out, and name the vectors"
            )
        return self


class DivergenceTable(SignTable):
    """A broken requirement, or a verdict, that is known and explained in advance."""

    target: Words
    """The name of the target."""
    vectors: Some[str]
    """Globs over vector ids."""
    vectors_without: tuple[str, ...] = ()
    """Globs over those of them that do not show it."""
    reason: Words
    """Why it is so."""
    source: Words
    """Where that was seen."""
    requirement: str | None = None
    """The requirement that is broken; or there is `verdict`."""
    verdict: Literal[_GIVEN_VERDICTS] | None = None  # type: ignore[valid-type]  # a tuple of names
    """The verdict that is given; or there is `requirement`."""
    versions: tuple[Specifier, ...] = ()
    """Version specifiers of the releases; every release when it is left out."""
    beside: tuple[BesideTable, ...] = ()
    """What else fails of the requirement because of that, in the same step of the scenario."""
    sometimes: FrequencyTable | None = None
    """It may also not occur: how often it was seen, and in how many runs."""
    generated: Expression | None = None
    """A scenario that is no vector is covered where its JSON text has this."""
    generated_without: Expression | None = None
    """And where its JSON text does not have this."""

    @model_validator(mode="after")
    def _either(self) -> DivergenceTable:
        if (self.requirement is None) == (self.verdict is None):
            raise ValueError(
                "a divergence names either the `requirement` that is broken or the `verdict` that is given"
            )
        if self.requirement is not None and not self.says():
            raise ValueError(
                "say what is seen where it is broken: `observed`, `observed_matches`, `expected`, `expected_matches` or `at`"
            )
        if self.verdict is not None and (self.says() or self.beside):
            raise ValueError("a verdict has nothing to be seen: leave out `observed`, `expected`, `at` and `beside`")
        return self

    def divergence(self, file: str, line: int) -> Divergence:
        """Return the same as a value that needs no pydantic, with the file and the line of its entry."""
        plain = self.model_dump(include=set(DivergenceTable.model_fields) - set(SignTable.model_fields) - {"beside"})
        frequency = plain.pop("sometimes")
        return Divergence(
            **plain,
            sign=self.sign() if self.requirement is not None else None,
            beside=tuple(table.sign() for table in self.beside),
            sometimes=Frequency(**frequency) if frequency else None,
            file=file,
            line=line,
        )


class ExpectationsFile(Form):
    """`expectations/*.toml`, or a file of your own: divergences that are known and explained."""

    divergence: tuple[DivergenceTable, ...] = ()
    """An entry for each."""


class DefectTable(Form):
    """The one thing that makes a scenario wrong: exactly one of `put` and `cut`."""

    at: str
    """The place in the scenario, as a JSON pointer."""
    breaks: Words
    """The requirement that this breaks."""
    kind: Words
    """The kind of error that has to follow."""
    put: Any = None
    """The value to place there."""
    cut: bool = False
    """True removes what is there."""

    @model_validator(mode="after")
    def _either(self) -> DefectTable:
        if ("put" in self.model_fields_set) == self.cut:
            raise ValueError("a defect has either `put` with a value, or `cut`: true")
        return self


class VectorFile(Form):
    """`vectors/**/*.json`: a scenario that is kept, with the requirements that it exercises."""

    title: Words
    """What is tried, in a few words."""
    exercises: tuple[str, ...]
    """The requirements that it is for."""
    scenario: dict[str, Any]
    """The scenario, as the suite's scenarios.md says."""
    editions: str | None = None
    """The range of editions in which it is run; all when it is left out."""
    dialects: tuple[str, ...] = ALL_DIALECTS
    """The dialects in which it is run; all when it is left out."""
    defect: DefectTable | None = None
    """What makes it wrong, so that it has to be refused."""
    seconds: float | None = Field(default=None, gt=0, le=3600)
    """What it may take at most, where it is known to hang."""
