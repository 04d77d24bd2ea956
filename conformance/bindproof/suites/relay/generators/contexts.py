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

CAPTURED_PERCENT = 40
"""Of a hundred contexts so many are made of where the program stood before."""

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
        captured = _captured(choices, f"K{number}", found[:at])
        begun = {"step": "context", "as": name} | ({"from": f"K{number}"} if captured else {})
        found[at:at] = [*captured, begun, ASKS, *inside, back, ASKS]
    return where_legal(found, steps)


def _captured(choices: Choices, name: str, before: list[Json]) -> list[Json]:
    """Return the step that captures where the program stands; now and then none. before: what is done before it."""
    if not choices.chance(CAPTURED_PERCENT):
        return []
    scopes = [step["as"] for step in before if step["step"] == "start" and step.get("kind", "scope") == "scope"]
    if scopes and choices.chance(30):
        return [{"step": "capture", "as": name, "what": "rooted", "root": choices.pick(scopes)}]
    return [{"step": "capture", "as": name}]


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
