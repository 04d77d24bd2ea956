"""What a value has in it that JSON cannot say.

Enters: any value. Leaves: words for the first such thing, or nothing. Must not know where it is from.
"""

from __future__ import annotations

from math import isfinite


def lacking(value: object) -> str | None:
    """Say what JSON lacks of a value, with the spelling that stands for it where there is one; None: it lacks nothing.

    A value that holds itself is deeper than Python goes: RecursionError.
    """
    if value is None or isinstance(value, bool | int):
        return None
    if isinstance(value, str):
        return (
            None if value.isascii() or _is_text(value) else f'a lone surrogate in {value!r:.60}, as {{"$utf16": […]}}'
        )
    if isinstance(value, float):
        return None if isfinite(value) else f'{value}, as {{"$float": …}}'
    if isinstance(value, list | tuple):
        return next((found for one in value if (found := lacking(one)) is not None), None)
    if not isinstance(value, dict):
        return f"a {type(value).__name__}: {value!r:.60}"
    wrong = next((key for key in value if not isinstance(key, str)), None)
    return lacking(list(value.values())) if wrong is None else f"the key {wrong!r:.60}, which is no text"


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
