"""Which of two scenarios is the smaller: the one measure of that.

Enters: JSON documents. Leaves: their sizes, which compare. Must not know what a document means.
"""

from __future__ import annotations

import msgspec

from bindproof.core.model import Json

_encode = msgspec.json.Encoder(order="deterministic").encode


Size = tuple[int, bytes]
"""A size: how much there is to read, then the text itself."""


def text(document: Json) -> bytes:
    """Return a document's canonical text: equal documents have equal ones."""
    return _encode(document)


def size(document: Json) -> Size:
    """Return what is compared to tell which of two documents is the smaller: a total order.

    Fewer and simpler values come first, then the text itself.
    """
    return cost(document), _encode(document)


def cost(value: Json) -> int:
    """Return how much there is to read in a value."""
    kind = type(value)
    if kind is str:
        return 1 + (len(value) or 2)  # one letter is easier to read than none
    if kind is dict:
        return 2 + sum([1 + (len(key) or 2) + cost(item) for key, item in value.items()])
    if kind is list:
        return 2 + sum([cost(item) for item in value])
    if kind is bool or value is None:
        return 2
    return 1 if value == 0 else 1 + len(repr(value))
