"""Faults of what holds where nobody sets anything (LIM, REQ)."""

from __future__ import annotations

from bindproof.suite_api import Fault, Json, copied
from bindproof.suites.interaction.defaults import LIMITS, SETTINGS, unset

FAULTS: dict[str, Fault] = {}


def _plant(name: str, title: str, breaks: str, known: Json) -> None:
    """Put a fault into the table, by which the last setting that is among these is another one."""

    def planted(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
        if full["of"] != "defaults":
            return None
        copy: list[Json] = copied(log)
        for at, record in unset(full, copy).among(known)[-1:]:
            copy[at] = {**record, "value": "planted"}
            return copy
        return None

    FAULTS[name] = Fault(name, title, (breaks,), planted)


_plant("another_limit", "a limit that nobody sets is another one", "LIM-013", LIMITS)
_plant("another_setting", "a setting that nobody sets is another one", "REQ-020", SETTINGS)
