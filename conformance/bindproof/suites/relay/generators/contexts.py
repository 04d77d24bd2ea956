"""Contexts of generated programs: now and then one goes on for a while with a scope stack of its own.

Enters: the steps of a program, a source of choices. Leaves: the same steps, with contexts between them. As questions
are, they are drawn last.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.legal import where_legal

CONTEXT_PERCENT = 10
"""Of a hundred programs so many have contexts, where they may."""

MOST = 2
"""So many contexts at most."""

KINDS = ("call", "tool", "mark", "scope", "manual")
ASKS: Json = {"step": "current"}
"""What a context, and what is around it, begins with: before 0.6 no call of the Python package looks for its context,
and questions do. What a call does that comes first vectors say."""


def with_contexts(choices: Choices, steps: list[Json]) -> list[Json]:
    """Return the steps of a program; now and then with contexts, in which a few more are done."""
    if not choices.chance(CONTEXT_PERCENT):
        return steps
    found = list(steps)
    for number in range(choices.integer(1, MOST)):
        at = choices.integer(0, len(found))
        name = f"X{number}"
        inside = [one for k in range(choices.integer(1, 3)) for one in _inside(choices, f"{name}{k}")]
        back = {"step": "back", "of": name}
        found[at:at] = [{"step": "context", "as": name}, ASKS, *inside, back, ASKS]
    return where_legal(found, steps)


def _inside(choices: Choices, name: str) -> list[Json]:
    match choices.pick(KINDS):
        case "call":
            return [{"step": "call", "name": name}]
        case "tool":
            return [{"step": "call", "kind": "tool", "name": name}]
        case "mark":
            return [{"step": "mark", "name": name}]
        case kind:
            begun = "scope" if kind == "scope" else choices.pick(("llm", "tool"))
            start = {"step": "start", "as": name, "name": name, "kind": begun}
            return [start, {"step": "mark", "name": f"{name}m"}, {"step": "end", "of": name}]
