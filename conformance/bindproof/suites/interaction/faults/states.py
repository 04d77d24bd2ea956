"""Faults of the chapter *Runs* in changes of state that are asked for (RUN)."""

from __future__ import annotations

from bindproof.suite_api import Fault, Json, copied
from bindproof.suites.interaction.states import moved

FAULTS: dict[str, Fault] = {}


def _plant(name: str, title: str, breaks: str, *, may: bool) -> None:
    """Put a fault into the table, by which the first change of a kind comes out otherwise."""

    def planted(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
        if full["of"] != "states":
            return None
        copy: list[Json] = copied(log)
        for at, record in moved(full, copy).taken(may=may)[:1]:
            copy[at] = {**record, "allowed": not may}
            return copy
        return None

    FAULTS[name] = Fault(name, title, (breaks,), planted)


_plant("stays_what_it_is", "a state does not become one that may follow it", "RUN-013", may=True)
_plant("becomes_anything", "a state becomes one that may not follow it", "RUN-014", may=False)
