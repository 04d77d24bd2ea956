"""What each file of a suite may hold, as it is written. Editors are given the same as JSON Schemas.

Enters: nothing. Leaves: a pydantic model for each kind of file. Must not know how files are found or read. This is a
module that imports pydantic: import it where a file is read, not before.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from pydantic import Field, model_validator

from bindproof.core.matchers import misuse
from bindproof.core.model import Expect
from bindproof.spec.files.form import Expression, Form, Some, Specifier, Words
from bindproof.spec.models import ALL_DIALECTS, Dialect, Side


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
    partial: bool = False
    """The spec states a part of it alone: vectors are of it where all that they exercise holds in it, or they name it,
    and what no requirement speaks of is not judged."""


class ErratumTable(Form):
    """A change of editions that are locked."""

    date: Words
    """The day, as in `2026-11-22`."""
    editions: Some[str]
    """The editions that it changes."""
    touches: Words | None = None
    """A requirement, or a schema's file."""
    digest: Words | None = None
    """What it is from then on, as `bindproof spec check` says, or `gone`."""
    restated: dict[Words, Words] = Field(default={})
    """In place of these two: requirements whose words alone have changed, each with its digest from then on."""
    reason: Words
    """Why a locked edition had to change."""

    @model_validator(mode="after")
    def _either(self) -> ErratumTable:
        if (self.touches is None) != (self.digest is None) or (self.touches is None) != bool(self.restated):
            raise ValueError("an erratum has either `touches` with a `digest`, or a table `restated`")
        return self


class ClassTable(Form):
    """A conformance class: requirements that a target may claim to keep."""

    name: Words
    """The name by which adapters claim it."""
    title: Words
    """What a target of this class does, in a few words."""
    requirements: Some[str]
    """Globs over the ids of its requirements."""


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
    class_: tuple[ClassTable, ...] = Field(default=(), alias="class")
    """The conformance classes, those first that others build upon."""
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
    exceptions_have_classes: bool = False
    """The end of a call that failed names the class of what a callback raised."""
    codecs_are_functions: bool = False
    """A program hands a built-in codec over as functions, like one of its own."""
    finalizers_fail: bool = False
    """A finalizer that fails makes its stream's end an error, in editions that have that."""
    percent_encoded_names: bool = False
    """In names of what a plugin registers, signs but letters, digits and `-._~` are percent-encoded."""


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
    layer: Expression | None = None
    """What may stand in front of each message, so often as it passes a layer of the runtime: `internal error: `."""
    error: tuple[ErrorTable, ...] = ()
    """What the binding's messages say; the first pattern that is found decides."""
    inexpressible: tuple[InexpressibleTable, ...] = ()
    """What the binding's language has no way to say."""
    withheld: tuple[WithheldTable, ...] = ()
    """Arguments that other bindings give to callbacks and this one does not."""
    policies: PoliciesTable = PoliciesTable()
    """Answers to questions that the contract leaves to each binding."""

    def dialect(self) -> Dialect:
        """Return it as the others read it: each pattern allows for the layers that a message has passed."""
        written = self.model_dump(by_alias=True)
        layer = written.pop("layer")
        for one in written["error"] if layer else ():
            one["pattern"] = f"^(?:{layer})*{one['pattern'].removeprefix('^')}"
        return msgspec.convert(written, Dialect)


class SourceDocument(Form):
    """A document that requirements are taken from."""

    id: Words
    """What requirements call it."""
    title: Words
    """Its title, or where it is found."""
    what: str
    """What kind of thing it is."""
    places: tuple[str, ...] = ()
    """Those that each have to stand in the `place` of a rule, at its beginning or as a word of its own."""


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
    program: str | None = None
    """A file in docs/probes/ that shows it in a release; it is needed where no scenario can."""


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


class Migrate(Form):
    """What makes an object of the old edition one of the new, where that needs nobody to decide."""

    schema_: str = Field(alias="schema")
    """The schema's file."""
    at: str = ""
    """The part that is changed, as a JSON pointer in which `*` is every item of a list; left out, the whole object."""
    patch: Words
    """JSON Patch (RFC 6902) as JSON text, done whole or not at all: a `test` in it says where it is done."""


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
    differences: tuple[str, ...] = ()
    """Fingerprints of the differences that the note is about, as `bindproof evolve diff` prints them."""
    vectors: tuple[str, ...] = ()
    """Ids of vectors that a binding of the old edition breaks under the new one."""
    object: tuple[ObjectExample, ...] = ()
    """Contract objects before and after."""
    migrate: tuple[Migrate, ...] = ()
    """What `bindproof evolve migrate` does to stored objects; of each example of its schema, `after` is what it makes
    of `before`."""
    program: tuple[ProgramExample, ...] = ()
    """Programs before and after."""


class ChangesFile(Form):
    """`changes/<old>--<new>.toml`: what breaks from one edition to the next."""

    note: tuple[Note, ...] = ()
    """A note for everything that breaks."""


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


class ExpectTable(Form):
    """What comes out: exactly one of `value` and `error`."""

    value: Any = None
    """The value, as a prediction has it: it may hold matchers."""
    error: Words | None = None
    """The kind of the error."""

    @model_validator(mode="after")
    def _either(self) -> ExpectTable:
        if ("value" in self.model_fields_set) == (self.error is not None):
            raise ValueError("what is expected is either a `value`, or an `error` of a kind")
        if (wrong := misuse(self.value)) is not None:
            raise ValueError(wrong)
        return self

    def expect(self) -> Expect:
        """Return the same as a value that needs no pydantic."""
        return Expect(error=self.error) if self.error is not None else Expect(self.value)


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
    expect: ExpectTable | None = None
    """What comes out of it, judged under the one requirement that it exercises."""
    seconds: float | None = Field(default=None, gt=0, le=3600)
    """What it may take at most, where it is known to hang."""

    @model_validator(mode="after")
    def _under_one_rule(self) -> VectorFile:
        if self.expect is not None and (len(self.exercises) != 1 or self.defect is not None):
            raise ValueError(
                "where there is `expect`, name the one requirement in `exercises` under which it is judged; "
                "a `defect` says itself what follows from it"
            )
        return self
