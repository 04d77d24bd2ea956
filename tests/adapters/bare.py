"""A binding that says nothing of itself and has nothing registered, for toys that are about one thing alone."""

from __future__ import annotations

from typing import Any

Json = Any


class Bare:
    """What the Python SDK asks of every binding."""

    def describe(self) -> Json:
        return {}

    def fresh_scope(self) -> None: ...

    def registered(self) -> list[tuple[str, str]]:
        return []

    async def flush(self) -> None: ...
