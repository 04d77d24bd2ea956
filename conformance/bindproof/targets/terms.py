"""On what terms a target is got: what the user allows meanwhile, and who is told how far it is.

Enters: the command line's choices. Leaves: a value that every way to get a target is given. Must not know any.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

Progress = Callable[[str], None]
"""Is told in plain words what is done."""


class Terms(Struct, frozen=True):
    """What holds while one target is got."""

    tell: Progress
    """Is told in plain words what is done."""
    sources: bool = False
    """A package that comes as sources alone may be built, which runs programs of that package's."""
    anew: bool = False
    """Files are hashed again, whatever is remembered of them."""
