"""Changes of JSON values and of bytes, drawn from a seeded stream.

Enters: a value or bytes, a stream of random numbers. Leaves: the same with one to three places changed, none of it
shared with what came. Must not know what the value means.
"""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

Json = Any
Place = tuple[Json, ...]

VALUES: tuple[Json, ...] = (
    *(None, True, False, 0, 1, -1, 3, 2**31, 2**63, 2**64 + 1, -(2**70), 0.0, -0.0, 1.5, 1e308),
    *("", "x", "program", "settled", "2026-13-45T00:00:00Z", "2026-01-01T00:00:00.000000001Z", "\x00", "\x1b[31m"),
    *("9" * 5000, "‮", "é" * 3),
    *("00-0123456789abcdef0123456789abcdef-0123456789abcdef-01", "01234567-89ab-cdef-0123-456789abcdef"),
    *([], [None], [1], ["x"], [[]], [{}], [[1], "x", None], {}, {"": None}, {"a": 1}, {"x": {"y": []}}),
    *({"$none": True}, {"$any": True}, {"$literal": 1}, {"headers": 1}, {"content": [1]}, {"type": 1, "message": []}),
)
"""What stands in the place of a value; each type is there, and what has a meaning somewhere."""


def places(value: Json, at: Place = ()) -> list[Place]:
    """Return every place inside a value."""
    found: list[Place] = []
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        found.append((*at, key))
        found += places(item, (*at, key))
    return found


def inside(value: Json, place: Place) -> Json:
    """Return what holds the last step of a place."""
    for key in place[:-1]:
        value = value[key]
    return value


def changed(value: Json, draw: random.Random) -> Json:
    """Return a copy of an object or list with one to three places changed."""
    value = deepcopy(value)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        found = places(value)
        if not found:
            return value
        place = draw.choice(found)
        _change(value, inside(value, place), place[-1], draw)
    return value


def _change(whole: Json, holder: Json, key: Json, draw: random.Random) -> None:
    """Change what one object or list has under one key."""
    how = draw.randrange(10)
    if how < 5:
        holder[key] = deepcopy(draw.choice(VALUES))
    elif how == 5:
        del holder[key]
    elif how == 6:
        _renamed(holder, key, draw)
    elif how == 7:
        _swapped(holder, key, draw)
    elif how == 8:
        holder[key] = draw.choice(([holder[key]], {"a": holder[key]}, [holder[key]] * 2, str(holder[key])))
    else:
        other = draw.choice(places(whole))
        holder[key] = deepcopy(inside(whole, other)[other[-1]])


def _renamed(holder: Json, key: Json, draw: random.Random) -> None:
    """Put a value under another name, or once more into its list."""
    if isinstance(holder, dict):
        holder[draw.choice(("", "x", "fact", "given", "value", "error", f"{key}s"))] = holder.pop(key)
    else:
        holder.insert(draw.randrange(len(holder) + 1), deepcopy(holder[key]))


def _swapped(holder: Json, key: Json, draw: random.Random) -> None:
    other = draw.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[key], holder[other] = holder[other], holder[key]


PIECES = [
    *(b"\xff", b"\x00", b"\xed\xa0\x80", b"\\ud800", b"\xef\xbb\xbf", b"\r", b"\xe2\x80\xa8", b"\x1b[31m"),
    *(b"9" * 5000, b"-1", b"1e999", b"18446744073709551616", b"nan", b"0x", b"1979-05-27", b"true", b"null", b'""'),
    *(b"[" * 330, b"[" * 3000, b'{"a":' * 330, b"[[", b"]]", b"}", b"{}", b"[]", b"'''", b'"""', b"#", b"=", b"."),
    *(b"(.*)*x$", b"(", b"(?!a)", b"a{99999}", b"\\1", b"$ref", b"#/nowhere", b"~", b"/", b"../../x", b"__proto__"),
    *(b"0.9\xe2\x80\x93", b"all", b"MUST", b"## FST-001 A", b"\n\n", b"\n```\n", b">=0.9,<0.10", b"\xc2\xb7", b" "),
]
"""What is put in; each is known to have broken some reader of the same kind of file."""


def changed_bytes(data: bytes, draw: random.Random) -> bytes:
    """The bytes with one to three places changed."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        at, end = sorted(draw.randrange(len(data) + 1) for _ in range(2))
        end = min(end, at + draw.choice((0, 0, 1, 2, 9, 200)))
        piece = draw.choice(
            (
                draw.choice(PIECES),
                bytes([draw.randrange(256)]),
                b"",
                data[at:end] * draw.randrange(4),
                data[end : end + 40],
            )
        )
        data = data[:at] + piece + data[end:]
    return data
