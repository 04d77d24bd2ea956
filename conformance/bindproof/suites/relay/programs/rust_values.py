"""Values of programs in Rust: JSON by `json!`, in which functions stand for what an expected value leaves open.

Enters: JSON with calls and code in it. Leaves: source text. Must not know scenarios.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from bindproof.core.model import Json
from bindproof.suites.relay.programs.expected import FunctionCall
from bindproof.suites.relay.programs.outline import NoProgramError
from bindproof.suites.relay.programs.writing import Code, Spread

ROOM = 100
"""So many columns a value may take."""


def text_of(text: str) -> str:
    """Return a text as Rust writes it; raises NoProgramError for one that Rust cannot hold."""
    if any(0xD800 <= ord(char) < 0xE000 for char in text):
        raise NoProgramError("a text of Rust is Unicode, and half of a surrogate pair is none")
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(char: str) -> str:
    known = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}
    return known.get(char) or (char if char.isprintable() else f"\\u{{{ord(char):x}}}")


def raw(text: str) -> str:
    """Return a text as Rust writes one with many backslashes."""
    if "\\" not in text or not text.isprintable():
        return text_of(text)
    if '"#' in text:
        return text_of(text)
    return f'r#"{text}"#' if '"' in text else f'r"{text}"'


def deeper(lines: Iterable[str]) -> list[str]:
    """Return lines one level further in."""
    return [f"    {line}" if line else "" for text in lines for line in text.split("\n")]


def expression(value: Json, room: int = ROOM, width: int | None = None) -> str:
    """Return a value as an expression, in several lines where it does not fit.

    room: so many columns are left in the line where it begins; width: so many has each line that it is broken into.
    """
    width = room if width is None else width
    if value is None:
        return "Value::Null"
    if isinstance(value, Code):
        return f"{value.text}.clone()"
    if isinstance(value, FunctionCall):
        return _called(value, room, width)
    return f"json!({_inside(value, room - 7, width)})"


def entry(item: Json, width: int = ROOM) -> str:
    """Return an expected entry as an expression."""
    if isinstance(item, list):
        who, what, value = item
        head = f"entry({text_of(who)}, {text_of(what)}, "
        return f"{head}{_telling(value, width - len(head) - 2, width)})"
    entries = item.arguments[0] if item.function == "Maybe" else list(item.arguments)
    made = listed("vec![", [entry(one, width - 4) for one in entries], "]", width - 30)
    if item.function != "Maybe":
        return f"one_of({made})"
    of, *counts = item.arguments[1:]
    if counts:
        return f"maybe_counting({text_of(of)}, {made}, {expression(counts[0])})"
    return f"maybe({text_of(of)}, {made})"


def _telling(value: Json, room: int, width: int) -> str:
    if isinstance(value, Spread):
        return f"event_with({expression(value.members, room - 12, width)})"
    return expression(value, room, width)


def listed(opening: str, items: list[str], closing: str, room: int) -> str:
    """Return items between brackets, in one line or in one each."""
    line = f"{opening}{', '.join(items)}{closing}"
    if len(line) <= room and "\n" not in line:
        return line
    return "\n".join([opening, *deeper(f"{item}," for item in items), closing])


def _inside(value: Json, room: int, width: int) -> str:
    """Return a value as it stands inside `json!`."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return text_of(value)
        case int():
            return f"{value}{'' if -(2**31) <= value < 2**31 else '_i64' if value < 2**63 else '_u64'}"
        case Code():
            return value.text
        case FunctionCall():
            return _called(value, room, width)
        case list():
            return _filled("[", [("", item) for item in value], "]", room, width)
        case dict():
            return _filled("{", [(f"{text_of(key)}: ", item) for key, item in value.items()], "}", room, width)
    return json.dumps(value)


def _filled(opening: str, items: list[tuple[str, Json]], closing: str, room: int, width: int) -> str:
    """Return items between brackets, as many in a line as go in. items: what stands before each, and its value."""
    line = f"{opening}{', '.join(f'{head}{_inside(item, 9999, 9999)}' for head, item in items)}{closing}"
    if len(line) <= room:
        return line
    if len(items) == 1 and not items[0][0]:  # lists in lists stay in one line, however deep they are
        return f"{opening}{_inside(items[0][1], room - 2, width)}{closing}"
    lines = [""]
    for head, value in items:
        item = f"{head}{_inside(value, width - 5 - len(head), width - 4)}"
        longer = f"{lines[-1]} {item}," if lines[-1] else f"{item},"
        if lines[-1] and ("\n" in item or "\n" in lines[-1] or len(longer) > width - 4):
            lines.append(f"{item},")
        else:
            lines[-1] = longer
    lines[-1] = lines[-1].removesuffix(",")
    return "\n".join([opening, *deeper(lines), closing])


def _called(call: FunctionCall, room: int, width: int) -> str:
    given = list(call.arguments)
    match call.function:
        case "ANY":
            return "any()"
        case "failure":
            pattern, text = raw(given[0].arguments[0]), given[1]
            return f"failure_with({pattern}, {text_of(text)})" if text else f"failure({pattern})"
        case "time":
            names = dict(zip(("as", "of", "equal", "at_least", "at"), given, strict=False))
            said = {key: item for key, item in names.items() if item is not None}
            return f"time({expression(said, room - 6, width)})"
        case "contains":
            return f"contains({expression(given[0], room - 10, width)})"
        case "one_of" | "unordered":
            items = [expression(item, width - 5, width - 4) for item in given]
            return listed(f"{call.function}(vec![", items, "])", room)
    return f"{call.function}({', '.join(_inside(item, room, width) for item in given)})"
