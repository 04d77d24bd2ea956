"""The one reader of files that people write: bytes to text to values to a form, every fault with its line.

Enters: a path and a form. Leaves: what the file holds with the lines of its values, or Problems. Must not know single
files. pydantic is imported on first use, to keep starting quick.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.spec.files.document import Document, parse
from bindproof.spec.files.text import read_bytes
from bindproof.spec.problem import Problem, SpecError

if TYPE_CHECKING:
    from bindproof.spec.files.form import Form

F = TypeVar("F", bound="Form")


class Written(Struct, Generic[F], frozen=True):
    """What a file holds: `value` as its form, and where each part of it stands."""

    value: F
    document: Document

    @property
    def name(self) -> str:
        """What messages call the file."""
        return self.document.name

    def line(self, *place: str | int) -> int:
        """Return the line of a value, or of the innermost around it that is there."""
        return self.document.line(*place)

    def problem(self, text: str, *place: str | int) -> Problem:
        """Return a problem of the value at a place."""
        return self.document.problem(text, *place)


def read(path: Path, name: str, form: type[F], problems: list[Problem]) -> Written[F] | None:
    """Return what a file holds; None, with every fault among the problems, where that is not of the form."""
    try:
        return of_form(form, parse(read_bytes(path, name), name))
    except SpecError as error:
        problems.extend(error.problems)
        return None


def of_form(form: type[F], document: Document) -> Written[F]:
    """Return a document as the form. Raises SpecError with every fault."""
    from pydantic import ValidationError

    from bindproof.spec.files.faults import problems_of

    try:
        return Written(form.model_validate_json(json.dumps(document.value)), document)
    except ValidationError as error:
        raise SpecError(problems_of(form, document, error)) from None


def read_object(path: Path, name: str) -> tuple[dict[str, Json], Document]:
    """Return a JSON file that has no form of ours and is an object, such as a schema. Raises SpecError."""
    document = parse(read_bytes(path, name), name)
    return object_of(document), document


def object_of(document: Document) -> dict[str, Json]:
    """Return the value of a document that is an object. Raises SpecError."""
    if not isinstance(document.value, dict):
        raise SpecError([document.problem("this is no JSON object")])
    return document.value
