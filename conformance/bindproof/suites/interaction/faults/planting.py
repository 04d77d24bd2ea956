"""How faults are planted in the scenarios of one form, by what their logs are read as.

Enters: a form, its reader, spoilers. Leaves: faults in a table. Must not know the forms, nor the checks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from bindproof.suite_api import Fault, Json, copied


class Read(Protocol):
    """A log that was read, which a spoiler edits in place."""

    @property
    def log(self) -> list[Json]:
        """Its records."""
        ...


Found = TypeVar("Found", bound=Read)
Seen = TypeVar("Seen", bound=Read, covariant=True)


class Plant(Protocol[Seen]):
    """Plants the faults of a chapter."""

    def __call__(
        self, name: str, title: str, *breaks: str, also: tuple[str, ...] = ()
    ) -> Callable[[Callable[[Seen], bool]], None]:
        """Return a decorator that puts a fault into the table; the function says whether it spoiled anything."""
        ...


def planting(
    table: dict[str, Fault],
    form: str,
    read: Callable[[Json, list[Json]], Found],
    due: Callable[[Found], bool] = lambda found: True,
) -> Plant[Found]:
    """Return what plants faults in the scenarios that are `of` a form, where the log that was read is as it is due."""

    def plant(
        name: str, title: str, *breaks: str, also: tuple[str, ...] = ()
    ) -> Callable[[Callable[[Found], bool]], None]:
        def put(spoil: Callable[[Found], bool]) -> None:
            def planted(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
                if full["of"] != form:
                    return None
                found = read(full, copied(log))
                return found.log if due(found) and spoil(found) else None

            table[name] = Fault(name, title, breaks, planted, also)

        return put

    return plant
