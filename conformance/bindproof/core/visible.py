"""Text of strangers as a terminal may be given it: what it would obey, reverse or hide is spelled out.

Enters: any text. Leaves: one of which every character is seen, newlines and tabs apart. Must not know who prints it.
Adapters, files and words of a command line may hold escape sequences, which move the cursor or set a clipboard, and
characters that turn the order of words around or have no width, so that two texts look like one.
"""

from __future__ import annotations

import re

_CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
_FORMATS = (
    r"\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e0fff"
)
_WITHOUT_WIDTH = r"\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0"
_SURROGATES = r"\ud800-\udfff"

_UNSEEN = re.compile(f"[{_CONTROLS}{_FORMATS}{_WITHOUT_WIDTH}{_SURROGATES}]")
"""What is no newline, no tab, and not seen as itself; Unicode calls it a control, a format, a separator of lines, or
ignorable."""


def visible(text: str) -> str:
    """Return a text with what cannot be seen as escapes, such as `\\x1b` and `\\u202e`."""
    return text if text.isprintable() and text.isascii() else _UNSEEN.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
