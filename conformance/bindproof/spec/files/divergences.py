"""What a file of expectations may hold, as it is written.

Enters: nothing. Leaves: pydantic models. Must not know how files are found or read. This is a module that imports
pydantic: import it where a file is read, not before.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from pydantic import Field, field_validator, model_validator

from bindproof.core.model import VerdictOutcome
from bindproof.spec.files.form import Expression, Form, Some, Specifier, Words
from bindproof.spec.models import Divergence, Frequency, Sign

_GIVEN_VERDICTS = tuple(name for name in get_args(VerdictOutcome) if name not in ("conforms", "diverges"))

_SAY_WHAT = "`observed`, `observed_matches`, `expected`, `expected_matches` or `at`"


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
            raise ValueError(f"say what is seen: {_SAY_WHAT}")
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
    vectors: Some[str] = ()
    """Globs over vector ids; may be left out where there is `generated`."""
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

    @field_validator("reason")
    @classmethod
    def _said(cls, reason: str) -> str:
        if reason.strip().upper().startswith("TODO"):
            raise ValueError("say why it is so, and is not mended; TODO is no reason")
        return reason

    @model_validator(mode="after")
    def _either(self) -> DivergenceTable:
        if (self.requirement is None) == (self.verdict is None):
            raise ValueError(
                "a divergence names either the `requirement` that is broken or the `verdict` that is given"
            )
        if not self.vectors and self.generated is None:
            raise ValueError("say where it occurs: `vectors` that show it, or `generated` for scenarios that are none")
        if self.requirement is not None and not self.says():
            raise ValueError(f"say what is seen where it is broken: {_SAY_WHAT}")
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
