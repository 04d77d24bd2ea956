"""The console on which reports and bars are printed: no text of a stranger reaches the terminal as it came.

Enters: a stream, and texts. Leaves: what rich makes of them. Must not know what they say. It is slow to import.
"""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from bindproof.core.visible import visible


class VisibleConsole(Console):
    """A console that spells out what a terminal would obey, reverse or hide; its own colours are no such text."""

    def render_str(self, text: str, **how: Any) -> Text:
        """Return a text as it is printed and measured."""
        return super().render_str(visible(text), **how)

    def on_broken_pipe(self) -> None:
        """Leave it to the caller that nobody reads any more: rich would end the program, with the exit code 1."""
        raise
