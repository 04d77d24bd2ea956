"""Raw steps: functions of the C library, called with arguments byte by byte.

Enters: raw steps, complete. Leaves: which of them make sense, and the bytes that they state. Must not know checks.
"""

from __future__ import annotations

from itertools import accumulate

from bindproof.core.model import Json

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "call": ("name", "request", "model", "provider", "out"),
    "helper": ("name", "request", "out"),
    "register_intercept": ("name", "callback"),
    "register_subscriber": ("name", "callback"),
    "outcome": ("handle", "annotated_request", "pending_marks", "out"),
    "last_error": ("thread",),
}
"""Function → the arguments that a step may state."""

REPLIES: dict[str, tuple[str, ...]] = {
    "call": ("provider", "decode", "encode"),
    "register_intercept": ("outcome", "status"),
}
"""Function → the replies of its callbacks that a step may state."""

POINTERS = ("provider", "callback", "handle", "out")
"""Arguments that are no texts: a step can only make them null."""


DEEPEST = 100
"""Lists and objects in one another in a text. The library's reader gives up at 128, and ours at some depth too."""


OPENING = b"[{"
NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))
"""What a text is mostly made of; there may be megabytes of it."""


class MisfitError(ValueError):
    """A raw step states what its function does not have; the message says what to do."""


def octets(cell: Json) -> bytes | None:
    """Return the bytes that a cell states; None is the null pointer."""
    if cell is None:
        return None
    if isinstance(cell, str):
        return cell.encode()
    spaces = b" " * int(cell["pad"])
    return str(cell["text"]).encode() + bytes.fromhex(cell["bytes"]) + spaces + str(cell["end"]).encode()


INSIDE = {"helper": "register_intercept", "call": "register_intercept", "flush": "call"}
"""What a callback may call, and the function whose callback that is."""


def check_raw(steps: list[Json]) -> None:
    """Raise MisfitError for a raw step among others, or with an argument that its function does not have."""
    raw_steps = [step for step in steps if step["step"] == "raw"]
    if raw_steps and len(raw_steps) != len(steps):
        raise MisfitError("raw steps and others are in one scenario: the judge cannot follow both, make two of it")
    for step in raw_steps:
        for part, table in (("with", ARGUMENTS), ("replies", REPLIES)):
            allowed = table.get(step["function"], ())
            for name, cell in step[part].items():
                if name not in allowed:
                    known = ", ".join(allowed) or "nothing"
                    raise MisfitError(
                        f"raw step {step['as']!r}: {part} {name!r} is unknown; {step['function']} has {known}"
                    )
                if name in POINTERS and part == "with" and cell is not None:
                    raise MisfitError(f"raw step {step['as']!r}: {name!r} is no text, it can only be null")
                _check_octets(step["as"], name, cell)
        if step["inside"] is not None and step["function"] != INSIDE[step["inside"]]:
            raise MisfitError(f"raw step {step['as']!r}: {step['inside']!r} is `inside` of {INSIDE[step['inside']]}")


def _check_octets(step: str, name: str, cell: Json) -> None:
    try:
        found = octets(cell)
    except ValueError:
        raise MisfitError(f"raw step {step!r}: {name!r} is neither UTF-8 text nor bytes in hex") from None
    if found is not None and depth(found) > DEEPEST:
        raise MisfitError(
            f"raw step {step!r}: {name!r} is nested deeper than {DEEPEST} lists and objects; make it flatter"
        )
    if found is not None and b"\0" in found:
        raise MisfitError(f"raw step {step!r}: {name!r} holds a NUL, at which a C string ends")


def depth(text: bytes) -> int:
    """Return how deep the brackets of a text are nested, those in its strings too: it may be no JSON at all."""
    steps = (1 if byte in OPENING else -1 for byte in text.translate(None, NO_BRACKETS))
    return max(accumulate(steps), default=0)
