"""The table of all scenarios of a page: what each came to on each adapter.

Enters: the verdicts of a log, in order. Leaves: a table that is small as JSON. Must not know what a scenario is about.
"""

from __future__ import annotations

from typing import Any

from bindproof.core.origins import Generated
from bindproof.core.visible import visible
from bindproof.results import VerdictLine

MOST = 20_000
"""Scenarios that are listed; others are counted, and the log has them."""

LONGEST = 300
"""Characters of a name, and of a title."""

SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""A sign for each kind of outcome; there are fewer kinds, as each outcome may be known or not."""


class Scenarios:
    """Takes verdicts one by one. A generated scenario that conforms is counted alone."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        self._adapters: dict[str, int] = {}
        self._rows: dict[str, list[Any]] = {}
        self._unlisted = 0

    def add(self, line: VerdictLine) -> None:
        """Take the next verdict."""
        listed = line.plan in self._rows
        conforms_as_generated = line.outcome == "conforms" and isinstance(line.origin, Generated)
        if not listed and (conforms_as_generated or len(self._rows) >= MOST):
            self._unlisted += 1
            return
        row = self._rows.setdefault(line.plan, ["", "", {}])
        row[0] = row[0] or line.title[:LONGEST]
        broken = " ".join(one.requirement for one in line.broken)
        row[1] = f"{row[1]} {broken}".strip()[:LONGEST] if broken else row[1]
        row[2][self._adapters.setdefault(line.adapter, len(self._adapters))] = self._sign(line)

    def table(self) -> dict[str, Any]:
        """Return the table: adapters, kinds of outcome in the order of their signs, rows, how many are not listed.

        A row is a scenario's name, its title, the requirements that it shows broken, and a sign for each adapter.
        """
        rows = [
            [
                visible(plan[:LONGEST]),
                visible(title),
                visible(broken),
                "".join(signs.get(at, ".") for at in range(len(self._adapters))),
            ]
            for plan, (title, broken, signs) in self._rows.items()
        ]
        return {
            "adapters": [*map(visible, self._adapters)],
            "kinds": [*self._kinds],
            "rows": rows,
            "unlisted": self._unlisted,
        }

    def _sign(self, line: VerdictLine) -> str:
        outcome = line.outcome.replace("_", " ")
        known = not line.unexpected if line.outcome == "diverges" else line.expected_by is not None
        kind = f"known: {outcome}" if known and line.outcome != "conforms" else outcome
        return self._kinds.setdefault(kind, SIGNS[len(self._kinds) % len(SIGNS)])
