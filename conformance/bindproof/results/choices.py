"""What the generators of several parts of a campaign never chose, taken together.

Enters: what each part says. Leaves: what holds of the whole. A place that a part never reached it says nothing of.
"""

from __future__ import annotations

from collections.abc import Iterable

from bindproof.results.lines import ChoicesLine


def joined_choices(parts: Iterable[ChoicesLine]) -> list[ChoicesLine]:
    """Return one line for each suite: of each place what no part took that reached it."""
    never: dict[str, dict[str, tuple[str, ...]]] = {}
    scenarios: dict[str, int] = {}
    for part in parts:
        scenarios[part.suite] = scenarios.get(part.suite, 0) + part.scenarios
        whole = never.setdefault(part.suite, {})
        for place, options in part.never.items():
            whole[place] = tuple([one for one in whole.get(place, options) if one in options])
    return [ChoicesLine(suite, places, scenarios[suite]) for suite, places in never.items()]
