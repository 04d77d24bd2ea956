"""A text of a language that nobody told us, in pieces: words, numbers, spaces and other characters.

Enters: a text. Leaves: its pieces, which joined are the text.
"""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(r"[^\W\d]\w*|\d+|\s+|\W")


def tokens(text: str) -> list[str]:
    """Return a text's words, numbers, spaces and other characters, one by one."""
    return _TOKEN.findall(text)
