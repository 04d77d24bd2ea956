"""What the models of written files have in common.

Enters: nothing. Leaves: `Form`, and types of fields that several files have. Must not know single files, nor how they
are read. This is a module that imports pydantic: import it where a file is read, not before.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, TypeVar

import msgspec
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from bindproof.core.patterns import compile_pattern
from bindproof.spec.editions import bad_specifiers

T = TypeVar("T")
V = TypeVar("V")


class Form(BaseModel):
    """A file that people write, or a table of one. The docstring of a field is its description in editors."""

    def into(self, kind: type[V]) -> V:
        """Return the same as a value that needs no pydantic; `kind` has the fields of this form."""
        return msgspec.convert(self.model_dump(by_alias=True), kind)

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True)


def _expression(text: str) -> str:
    compile_pattern(text)
    return text


def _specifier(text: str) -> str:
    if bad_specifiers([text]):
        raise ValueError(f"{text!r} is no version specifier; write one such as '>=0.9,<0.11'")
    return text


Words: TypeAlias = Annotated[str, StringConstraints(pattern=r"\S")]
"""A text that says something."""

Some: TypeAlias = Annotated[tuple[T, ...], Field(min_length=1)]
"""A list with at least one item."""

Expression: TypeAlias = Annotated[str, AfterValidator(_expression), Field(json_schema_extra={"format": "regex"})]
"""A regular expression (see `core.patterns`)."""

Specifier: TypeAlias = Annotated[str, AfterValidator(_specifier), Field(examples=[">=0.9,<0.11"])]
"""A version specifier of PEP 440."""
