"""Values that JSON lacks, in the one spelling that all SDKs share.

Enters: what a binding gave, or what a scenario says. Leaves: JSON, or the value that is meant. Must not know suites.

| spelling | is |
|-|-|
| `{"$none": true}` | undefined |
| `{"$float": "NaN"}`, `"Infinity"`, `"-Infinity"` | the number that is none, and the infinities |
| `{"$integer": "9007199254740993"}` | an integer past 2^53 - 1, or below its negative, by its digits |
| `{"$utf16": [55357]}` | a text with a lone surrogate, as its UTF-16 code units |
| `{"$function": true}` | a function |
| `{"$object": {…}}` | the object within, whose one member would else be read as one of these |
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

Json = Any

SAFE: Final = 2**53 - 1
"""Up to here every language that counts with floating point tells integers apart."""

WORDS: Final = frozenset({"$none", "$float", "$integer", "$utf16", "$function", "$object"})


class _Undefined:
    def __repr__(self) -> str:
        return "UNDEFINED"


UNDEFINED: Final = _Undefined()
"""What other languages call undefined; Python has no such value of its own."""


def spelled(value: Any) -> Json:
    """Return what the log says of a value of lists, dicts with texts as keys, and leaves.

    Raises TypeError for what there is no spelling of.
    """
    match value:
        case None | bool():
            return value
        case str():
            return value if _is_text(value) else {"$utf16": _units(value)}
        case int():
            return value if -SAFE <= value <= SAFE else {"$integer": str(value)}
        case float():
            return value if math.isfinite(value) else {"$float": _named(value)}
        case list() | tuple():
            return [spelled(item) for item in value]
        case dict():
            if not all(isinstance(name, str) for name in value):
                raise TypeError("there is no spelling of a dict with a key that is no text")
            told = {name: spelled(item) for name, item in value.items()}
            return {"$object": told} if len(told) == 1 and WORDS & told.keys() else told
        case _Undefined():
            return {"$none": True}
    if callable(value):
        return {"$function": True}
    raise TypeError(f"there is no spelling of a {type(value).__name__}")


def meant(value: Json) -> Any:
    """Return the value that a spelling means; raises ValueError for one that means nothing."""
    if isinstance(value, list):
        return [meant(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((word, told),) = value.items()
        if word in WORDS:
            return _meant(word, told)
    return {name: meant(item) for name, item in value.items()}


def _meant(word: str, told: Json) -> Any:
    match word, told:
        case "$none", True:
            return UNDEFINED
        case "$float", "NaN" | "Infinity" | "-Infinity":
            return float(told)
        case "$integer", str() if re.fullmatch(r"-?[0-9]+", told):
            return int(told)
        case "$utf16", list():
            return b"".join(unit.to_bytes(2, "little") for unit in told).decode("utf-16-le", "surrogatepass")
        case "$function", True:
            return lambda *given: UNDEFINED
        case "$object", dict():
            return {name: meant(item) for name, item in told.items()}
    raise ValueError(f"{word} of {told!r} means nothing")


def _named(number: float) -> str:
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def _is_text(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= one <= "\udfff" for one in text)


def _units(text: str) -> list[int]:
    units = text.encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2)]
