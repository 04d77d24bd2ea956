"""Whether a TOML text has a key of more parts than may be nested: each part is a table in the one before.

Enters: a text, which may be no TOML. Leaves: a line. Must not know what keys mean.
"""

from __future__ import annotations

import re
from typing import Final

_BARE: Final = r"[A-Za-z0-9_-]++"
_QUOTED: Final = r'"(?:[^"\\\n]|\\.)*+"|\'[^\'\n]*+\''
_PART: Final = f"(?:{_BARE}|{_QUOTED})"
_TOKEN: Final = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*+(?:"{3,5}+|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}+|\Z)"
    r"|#[^\n]*+"
    rf"|(?P<key>{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)"
    r"|(?s:.)"
)
"""A text or comment, a key (or what looks like one: a number, a word), or one character more. What is not closed goes
to the end, and nothing is read twice."""


def long_key(text: str, most: int) -> int | None:
    """Return the line of the first key of more than so many parts; None where there is none."""
    for found in _TOKEN.finditer(text):
        key = found["key"]
        if key is not None and key.count(".") >= most and len(re.findall(_PART, key)) > most:
            return text.count("\n", 0, found.start()) + 1
    return None
