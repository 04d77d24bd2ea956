"""What a program puts out, as far as the program alone says.

Enters: a program. Leaves: an item for each statement that puts one out, with its statement. Must not know logs.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bindproof.suite_api import Json

DETAILS = ("auto", "low", "high", "original")


class Item(Struct, frozen=True):
    """An item that a program puts out. statement: its index in the program."""

    statement: int
    do: Json

    def is_of(self, item: Json) -> bool:
        """Tell whether what was told may be this item; what a call or a load gives is looked at elsewhere."""
        if not isinstance(item, dict):
            return False
        if self.do["do"] != "image":
            text = item.get("text")
            return item.get("type") == "input_text" and (self.do["do"] != "text" or text == self.do["text"])
        return item.get("type") == "input_image" and item.get("image_url") == self.do["url"] and self._detailed(item)

    def _detailed(self, item: Json) -> bool:
        return self.do["detail"] is None or item.get("detail") == self.do["detail"]


def ends_at(program: Sequence[Json]) -> int:
    """Return the index of the statement behind which nothing is run, or how many there are."""
    ends = (n for n, one in enumerate(program) if one["do"] in ("throw", "busy") or one.get("fails"))
    return next(ends, len(program))


def printed(program: Sequence[Json], until: int | None = None) -> list[Item]:
    """Return what a program puts out before it comes to a statement, or in all."""
    end = ends_at(program) if until is None else until
    return [Item(n, one) for n, one in enumerate(program[:end]) if one["do"] in ("text", "image", "call", "load")]


def written(program: Sequence[Json]) -> dict[str, str]:
    """Return what a program stores when it runs to its end."""
    return {one["key"]: one["value"] for one in program[: ends_at(program)] if one["do"] == "store"}
