"""The shape of an observation: its result with every id by its number, in order of appearance.

Enters: the result of a reply, and the scenario's parameters. Leaves: a key. A binding makes the ids of runs and threads
anew each time. In an observation that conforms nothing is said of one but where it comes again, so that two of one key
are judged alike. An id that the scenario itself states stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from typing import Final

_ID: Final = re.compile(
    rb"(?<![0-9A-Za-z])([0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9A-Za-z])"
)
"""What is random of an id: a uuid, with or without its dashes."""


def shapes(params: bytes) -> Callable[[bytes], Hashable]:
    """Return what makes the results of one scenario into keys; params: the scenario as it was sent."""
    own = frozenset(_ID.findall(params))

    def shape(result: bytes) -> Hashable:
        rest = _ID.split(result)
        ids = rest[1::2]
        del rest[1::2]
        first: dict[bytes, int] = {}
        numbers = [one if one in own else first.setdefault(one, at) for at, one in enumerate(ids)]
        return tuple(rest), tuple(numbers)

    return shape
