"""All of bindproof that a suite may use in Python: what it provides, and what it is given.

Enters: nothing. Leaves: `Suite` and the values that it speaks in. A package that provides a suite imports from here
alone. Names here stay, and take and give what they do today; what changes is in the changelog as breaking. How a suite
is made is told in docs/suite-guide.md. `bindproof.suite_api.functions` makes one about a pure function of little.

| name | is |
|-|-|
| `Suite`, `Prepared` | what a suite has to provide |
| `Lenient`, `Gullible`, `Normalising` | what a prepared scenario may provide besides |
| `Pictured` | what a suite may provide besides: how a record is drawn |
| `Divisible` | besides: the parts of a scenario, by which a campaign tells causes apart |
| `Reducible` | besides: smaller scenarios, by which a campaign makes small what it finds |
| `Recognising` | besides: the shape of a reply, by which what conformed is known again in a later start |
| `Programmed`, `Subject`, `Program`, `NoProgramError` | besides: a scenario as a program in a binding's own language |
| `Spec` | the suite's own spec as it was read: dialects, editions, requirements, its folder |
| `Form`, `forms` | whether a value satisfies the schema of a contract object in an edition, and the schema's keys |
| `Evidence`, `EVERY_LANE` | what checks give, and the lane of what is about several |
| `Fault`, `SmokeStep` | a planted fault; a step of `bindproof smoke` |
| `Choices` | how a generator chooses |
| `ObservationError` | raised for a log that is no observation |
| `Json`, `same`, `copied` | a JSON value; strict comparison of two; a copy that shares nothing |
| `pointer_to` | the JSON pointer of keys and indexes, as the `at` of an Evidence is one |
| `compile_pattern`, `Pattern` | searches for an expression of a file, in linear time |
| `editions_in` | the editions that a range such as `2–` means |
| `holds_in` | whether a requirement holds in an edition and a dialect |
| `error_patterns` | by which expressions a dialect tells the kinds of errors in an edition |
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from bindproof.core.model import EVERY_LANE, Evidence, Json, copied, same
from bindproof.core.patterns import Pattern, compile_pattern
from bindproof.core.pointer import pointer_to
from bindproof.spec.editions import editions_in, holds_in
from bindproof.spec.error_patterns import error_patterns
from bindproof.spec.forms import Form, forms
from bindproof.spec.models import Spec

__all__ = [
    "EVERY_LANE",
    "Choices",
    "Divisible",
    "Evidence",
    "Fault",
    "Form",
    "Gullible",
    "Json",
    "Lenient",
    "NoProgramError",
    "Normalising",
    "ObservationError",
    "Pattern",
    "Pictured",
    "Prepared",
    "Program",
    "Programmed",
    "Recognising",
    "Reducible",
    "SmokeStep",
    "Spec",
    "Subject",
    "Suite",
    "compile_pattern",
    "copied",
    "editions_in",
    "error_patterns",
    "forms",
    "holds_in",
    "pointer_to",
    "same",
]


class Fault(Struct, frozen=True):
    """A planted fault: a filter between an adapter and the judge."""

    name: str
    """What `--fault` calls it."""
    title: str
    """What it does, in a few words."""
    breaks: tuple[str, ...]
    """The requirements that it breaks, each wherever it holds."""
    plant: Callable[[Json, list[Json], Json, str], list[Json] | None]
    """Takes the complete scenario, the raw log, the dialect as plain data and the edition's name; returns the faulty
    log, or None where the scenario gives it nothing to spoil."""
    also: tuple[str, ...] = ()
    """The requirements that it may break besides, because they speak of the same in some scenarios, such as a rule on
    all calls and one on calls in flight."""


class SmokeStep(Struct, frozen=True):
    """One step of `smoke`: what an adapter can do then, the scenario that shows it, what to look at where it cannot."""

    title: str
    """What an adapter can do then."""
    scenario: Json
    """The scenario that shows it."""
    hint: str
    """What to look at where it cannot."""


class Choices(Protocol):
    """How a generator makes its choices, so that Hypothesis and a seeded random source can both drive it."""

    def integer(self, low: int, high: int) -> int:
        """Choose a whole number, both ends included; small ones are simpler."""
        ...

    def pick(self, options: Sequence[Any]) -> Any:
        """Choose one of the options; earlier ones are simpler."""
        ...

    def chance(self, percent: int) -> bool:
        """Choose true in about so many of a hundred cases; false is simpler."""
        ...


class Prepared(Protocol):
    """A scenario made ready for one edition and dialect: what is sent, what is allowed, how what was seen is judged."""

    @property
    def spelled(self) -> Json:
        """What is sent: the scenario in the dialect's spelling."""
        ...

    @property
    def prediction(self) -> Json:
        """What the reference allows to be seen: `lanes` of records with matchers, and `after`.

        It may have `open`: then there is no reference, and nothing is compared with it. It may have `belongs`: for each
        record of each lane the names of what it belongs to, its step first. They are what the `about` of an Evidence
        name.
        """
        ...

    def observe(self, log: list[Json]) -> tuple[list[Json], Any]:
        """Return the normalised log and what the checks are given; raises ObservationError for a log that is none."""
        ...

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply into a key, such that replies of one key are judged alike where one conforms.

        params: what is sent. It is given the reply from its member `result` on; one that has no such key gives None.
        """
        ...


@runtime_checkable
class Lenient(Protocol):
    """A prepared scenario that knows, besides, what follows where a binding accepts what it has to refuse.

    What a known divergence lets pass is then held against that, and not left alone.
    """

    def accepting(self, accepted: frozenset[str]) -> Json | None:
        """Return the prediction where these are accepted, as `Evidence.accepted` names them; None if nobody knows."""
        ...


@runtime_checkable
class Gullible(Protocol):
    """A prepared negative that knows what a binding shows which takes the defect, where that is not its twin's log.

    `bindproof spec check` holds by it that the defect breaks the rule that the vector names.
    """

    def taking(self, taken: list[Json], refused: list[Json]) -> list[Json]:
        """Return the log of a binding that takes the defect. taken: the log of the twin; refused: the lawful one."""
        ...


@runtime_checkable
class Normalising(Protocol):
    """A prepared scenario that normalises values: what a vector expects is then normalised as what came out is."""

    def normal(self, value: Json) -> Json:
        """Return a value as `observe` would give it; it may hold matchers, which stay what they are."""
        ...


@runtime_checkable
class Pictured(Protocol):
    """A suite that knows, besides, how a record is drawn in the picture of a scenario.

    Without it a record is drawn in its lane, as its short members.
    """

    def drawn(self, record: Json) -> tuple[str, str]:
        """Return who a record is of, such as `program` or a callback, and what it says in a few words.

        The words leave out what may vary: what came is held against what was due by them.
        """
        ...


@runtime_checkable
class Recognising(Protocol):
    """A suite that knows, besides, the shape of a reply before its scenario is made ready.

    What conformed in an earlier start is then known again by its shape, and neither predicted nor judged anew.
    """

    @property
    def code(self) -> Sequence[Path]:
        """The modules, or their folders, that say what a scenario comes to: if one changes, nothing is known again."""
        ...

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply into a key, as `Prepared.shapes` does of the same scenario."""
        ...


@runtime_checkable
class Divisible(Protocol):
    """A suite that knows, besides, what a scenario is made of, such as the expressions within an expression.

    A campaign tries the parts of what it found: what is wrong in one of them is wrong in the whole for the same cause.
    """

    def parts(self, full: Json) -> Iterable[Json]:
        """Yield complete scenarios that are a part of a complete one, each smaller and as lawful as it is."""
        ...


@runtime_checkable
class Reducible(Protocol):
    """A suite that knows, besides, smaller scenarios of the same kind, such as the shorter sentences of a grammar."""

    def smaller(self, full: Json) -> Iterable[Json]:
        """Yield complete scenarios that may show what a complete one shows, each smaller and as lawful as it is."""
        ...


class Subject(Struct, frozen=True):
    """What a program is about."""

    title: str
    """What the scenario shows, in a line."""
    lines: tuple[str, ...]
    """Where it comes from, and what it exercises."""
    file: str
    """The program's file name, without what says its language."""
    edition: str
    """The edition under which it is judged."""
    dialect: str
    """The dialect of the binding."""
    target: str
    """The package that it drives."""
    version: str | None = None
    """The release of it, where it is known."""


class Program(Struct, frozen=True):
    """A small program of its own that acts a scenario out, says what is expected and observed, and exits with 1 where
    they differ."""

    file: str
    """Its file name."""
    text: str
    """What stands in it."""


class NoProgramError(ValueError):
    """There is no program of a scenario in this language; the message says what it cannot say."""


@runtime_checkable
class Programmed(Protocol):
    """A suite that knows, besides, how a scenario is written as a program in the language of a dialect."""

    def has_programs(self, dialect: str, edition: str) -> bool:
        """Tell whether programs are written in the language of a dialect, for releases of this edition."""
        ...

    def program(self, full: Json, subject: Subject) -> Program:
        """Return a complete scenario as a program; raises NoProgramError where there is none."""
        ...


class ObservationError(ValueError):
    """An adapter's log does not have the form of an observation; the message says where."""


class Suite(Protocol):
    """A contract family: its scenarios, reference, checks, generators and faults."""

    @property
    def name(self) -> str:
        """The suite's name, as of its entry point and of its folder below `spec/`."""
        ...

    @property
    def checks(self) -> Mapping[str, Callable[[Any], Sequence[Evidence] | None]]:
        """A check for each requirement: given a reading it returns what fails, or None where it does not apply."""
        ...

    @property
    def faults(self) -> Mapping[str, Fault]:
        """The planted faults by name."""
        ...

    @property
    def smoke(self) -> Sequence[SmokeStep]:
        """The scenarios that lead the author of an adapter from little to all."""
        ...

    def complete(self, scenario: Json) -> Json:
        """Return the scenario in full form; raises ValueError when it breaks the suite's language."""
        ...

    def brief(self, full: Json) -> Json:
        """Return a complete scenario as one would write it: what has its default is left out."""
        ...

    def prepare(self, full: Json, edition: str, dialect: str) -> Prepared:
        """Make a complete scenario ready; raises ValueError when the reference cannot act it out."""
        ...

    def lanes(self, scenario: Json) -> Callable[[Json], str]:
        """Return what tells the lane of a record, in the logs of this scenario."""
        ...

    def generate(self, choices: Choices, dialect: str | None) -> Json:
        """Return a complete scenario of the suite, one that `complete` would give back as it is: it is not asked.

        dialect: what has to be able to say it, None: anything.
        A scenario for all bindings is made with None: where a binding cannot say it, it is inexpressible there.
        """
        ...
