"""What the reports in files have in common: a digest is made of the log as it comes, and the text when it is whole.

Enters: the lines of a log, in order. Leaves: text on a stream, in which whatever cannot be seen is spelled out: it may
come from anybody, and be shown by anything. Must not know what the text is.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TextIO

import msgspec

from bindproof.core.visible import visible
from bindproof.report.digest import Digest
from bindproof.report.told import Told, told


class Whole:
    """See `bindproof.report.Report`. make: the text of what is told."""

    for_programs = True

    def __init__(self, make: Callable[[Told], str], stream: TextIO) -> None:
        self._make, self._stream, self._digest = make, in_utf8(stream), Digest()
        self.add = self._digest.add

    def end(self) -> None:
        """Print the text."""
        self._stream.write(visible(self._make(told(self._digest))))
        self._stream.flush()


def in_utf8(stream: TextIO) -> TextIO:
    """Return a stream that takes any text, whatever the user's locale is: what is written says that it is UTF-8."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8")
    return stream


def as_json(value: object) -> str:
    """Return JSON in lines, of ASCII characters alone, so that nothing in it is unseen."""
    import json

    return json.dumps(msgspec.to_builtins(value), indent=1).replace("\x7f", "\\u007f") + "\n"
