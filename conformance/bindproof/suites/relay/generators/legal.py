"""What is added to a generated program after it was drawn: it stays where the language allows it.

Enters: the steps of a program before and after an addition. Leaves: those after it, or those before where the addition
would break a rule of the language. Each rule is stated once, in `scenario.rules`: generators repeat none.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.complete import all_steps
from bindproof.suites.relay.scenario.defaults import fill
from bindproof.suites.relay.scenario.rules.program import misfit


def where_legal(added: list[Json], before: list[Json]) -> list[Json]:
    """Return the steps with an addition, or the steps before it where no program may have it there."""
    return before if misfit(all_steps(fill({"steps": added}))) else added
