"""Every fault of a file's values, in words that say what to write instead.

Enters: a model, a Document, and what pydantic found. Leaves: Problems, each at the line of its value. Must not know
single files.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from bindproof.core.model import Json
from bindproof.spec.files.document import Document, shown
from bindproof.spec.files.form import Form
from bindproof.spec.files.toml_lines import Place
from bindproof.spec.problem import Problem

_LONGEST: Final = 60
"""Characters of a value that a message shows."""

_SENTENCE_END: Final = re.compile(r"\.(?:\s|$)")

_BOUNDS: Final = {
    "greater_than": "above {gt:g}",
    "greater_than_equal": "of {ge:g} at least",
    "less_than_equal": "of {le:g} at most",
}

_WORDS: Final[Mapping[Any, str]] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    Any: "any value",
    types.NoneType: "null",
}


def problems_of(form: type[Form], document: Document, error: ValidationError) -> list[Problem]:
    """Return a problem for each place that has a fault; of a value that fits no member of a union there is one."""
    found: dict[Place, str] = {}
    for fault in error.errors(include_url=False):
        place = _place(document.value, fault)
        found.setdefault(place, _said(form, document.value, place, fault))
    if not document.name.endswith(".toml"):
        found = {place: said.replace("write a table", "write an object") for place, said in found.items()}
    return [document.problem(said, *place) for place, said in found.items()]


def _place(value: Json, fault: ErrorDetails) -> Place:
    """Return the place of a fault in the document; pydantic names members of unions in between."""
    place: Place = ()
    for key in fault["loc"]:
        if (isinstance(value, dict) and key in value) or (isinstance(value, list) and isinstance(key, int)):
            value = value[key]  # type: ignore[index]  # of the one kind or the other
            place = (*place, key)
    return (*place, fault["loc"][-1]) if fault["type"] == "missing" else place


def _said(form: type[Form], document: Json, place: Place, fault: ErrorDetails) -> str:
    kind, name = fault["type"], shown(place) if place else "this file"
    if kind == "missing":
        field = _fields(_type_at(form, place[:-1]))[str(place[-1])]
        return f"{name} is missing; write {_words(field.annotation)}{_meaning(field)}"
    if kind == "extra_forbidden":
        return f"{name} is unknown; {_instead(str(place[-1]), _fields(_type_at(form, place[:-1])), quotes='`')}"
    if kind == "value_error":
        return f"{name}: {fault['ctx']['error']}" if place else str(fault["ctx"]["error"])
    if kind == "too_short":
        return f"{name} is empty; name at least one"
    if kind == "string_pattern_mismatch":
        return f"{name} is empty; a reader has to learn something from it"
    if kind in _BOUNDS:
        return f"{name} is {_brief(fault['input'])}; write a number {_BOUNDS[kind].format(**fault['ctx'])}"
    value, wanted = fault["input"], _type_at(form, place)
    options = [option for option in _options(wanted) if isinstance(option, str)]
    near = get_close_matches(value, options, n=1) if isinstance(value, str) else []
    return f"{name} is {_brief(value)}; write {_words(wanted)}" + (f" (did you mean {near[0]!r}?)" if near else "")


def _instead(word: str, names: Iterable[str], quotes: str) -> str:
    names = list(names)
    near = get_close_matches(word, names, n=1)
    return f"did you mean {quotes}{near[0]}{quotes}?" if near else f"there is {', '.join(names)}"


def _meaning(field: FieldInfo) -> str:
    """Return the first sentence of what a field means."""
    first = " ".join(_SENTENCE_END.split(field.description or "", maxsplit=1)[0].split())
    return f" ({first[:1].lower()}{first[1:]})" if first else ""


def _fields(form: Any) -> dict[str, FieldInfo]:
    """Return the fields of a table by their keys, none for what is no table."""
    if not (isinstance(form, type) and issubclass(form, Form)):
        return {}
    return {field.alias or name: field for name, field in form.model_fields.items()}


def _type_at(form: Any, place: Place) -> Any:
    """Return the type of the value at a place, without what annotates it."""
    form = _bare(form)
    for key in place:
        field = _fields(form).get(str(key))
        inner = [kind for kind in get_args(form) if kind is not Ellipsis]
        form = _bare(field.annotation if field else inner[-1] if inner else Any)
    return form


def _bare(form: Any) -> Any:
    """Take away annotations, and None where it is one of two: it stands for a key that is left out."""
    while get_origin(form) is Annotated:
        form = get_args(form)[0]
    members = [one for one in _members(form) if one is not types.NoneType]
    return _bare(members[0]) if len(members) == 1 else form


def _members(form: Any) -> tuple[Any, ...]:
    return get_args(form) if get_origin(form) in (Union, types.UnionType) else ()


def _options(form: Any) -> Iterator[Any]:
    """Yield the values that a type names one by one."""
    for one in _members(form) or (form,):
        if get_origin(_bare(one)) is Literal:
            yield from get_args(_bare(one))


def _words(form: Any) -> str:
    """Return what a value of a type is called."""
    form = _bare(form)
    if members := _members(form):
        return " or ".join(_words(one) for one in members)
    if get_origin(form) is Literal:
        options = ", ".join(map(repr, get_args(form)))
        return f"one of {options}" if len(get_args(form)) > 1 else options
    if get_origin(form) is tuple:
        return f"a list, each item {_words(get_args(form)[0])}"
    return _WORDS.get(form, "a table")


def _brief(value: Json) -> str:
    """Return a value as a message shows it."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = {True: "true", False: "false", None: "null"}.get(value) if isinstance(value, bool | None) else repr(value)
    return text if text and len(text) <= _LONGEST else f"{str(text)[:_LONGEST]}…"
