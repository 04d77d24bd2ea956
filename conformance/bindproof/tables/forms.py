"""The common forms of tables: a file becomes cases.

Enters: a file. Leaves: its cases, in its order. Raises ValueError for a file of another form, SpecError for one that
cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from bindproof.core.model import Json
from bindproof.core.pointer import PointerError, value_at
from bindproof.spec.files.document import parse
from bindproof.spec.files.text import read_bytes
from bindproof.tables import cel
from bindproof.tables.case import Case

if TYPE_CHECKING:
    from bindproof.tables.mapping import MembersTable


Form = Callable[[Path, "MembersTable"], Iterator[Case]]
InDocument = Callable[[Json, "MembersTable"], Iterator[Case]]
"""A form whose cases stand in a JSON or TOML document."""


def _document(path: Path) -> Json:
    return parse(read_bytes(path, str(path)), str(path)).value


def _in_document(cases: InDocument) -> Form:
    return lambda path, members: cases(_document(path), members)


def _cases(content: Json, members: MembersTable) -> Iterator[Case]:
    for number, case in enumerate(value_at(content, members.list)):
        title = _member(case, members.title)
        error = _member(case, members.error)
        yield Case(
            str(title) if isinstance(title, str) and title else f"Case {number}",
            case,
            UNSET if error is not UNSET else _member(case, members.result),
            None if error is UNSET else str(error),
        )


def _member(case: Json, pointer: str) -> Any:
    try:
        return value_at(case, pointer)
    except PointerError:
        return UNSET


def _jmespath(content: Json, members: MembersTable) -> Iterator[Case]:
    for group in content:
        for case in group["cases"]:
            title = case.get("comment") or group.get("comment") or "A case"
            value = UNSET if "error" in case else case.get("result", UNSET)
            yield Case(f"{title}: {case['expression']}", {**group, **case}, value, case.get("error"))


def _json_schema(content: Json, members: MembersTable) -> Iterator[Case]:
    for group in content:
        for case in group["tests"]:
            yield Case(f"{group['description']}: {case['description']}", {**group, **case}, bool(case["valid"]))


def _toml(path: Path, members: MembersTable) -> Iterator[Case]:
    """One case: a TOML file, with what it means in a JSON file beside it where it is valid.

    A file that is no UTF-8 has no text, and is left out.
    """
    expected = path.with_suffix(".json")
    try:
        given = {"text": read_bytes(path, str(path)).decode("utf-8")}
    except UnicodeDecodeError:
        yield Case(path.stem, {"text": None})
        return
    if expected.is_file():
        yield Case(path.stem, given, _document(expected))
    else:
        yield Case(path.stem, given, error="invalid")


FORMS: dict[str, Form] = {
    "cases": _in_document(_cases),
    "jmespath.test": _in_document(_jmespath),
    "JSON-Schema-Test-Suite": _in_document(_json_schema),
    "toml-test": _toml,
    "cel-spec": lambda path, members: cel.cases(path),
}
