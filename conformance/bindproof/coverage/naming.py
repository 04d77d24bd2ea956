"""What the readers of packages have in common: how a name is written, and declarations without their comments.

Enters: words, text. Leaves: names, text. Must not know a language but for its comments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def of_parameters(function: str, parameters: Sequence[str]) -> list[str]:
    """Return `function:parameter` for each parameter, and `function()` for what has none."""
    return [f"{function}:{one}" for one in parameters] or [f"{function}()"]


def without_comments(text: str) -> str:
    """Return declarations of C or TypeScript without their comments."""
    return _COMMENTS.sub("", text)
