"""What a scenario has to keep that goes on in contexts of its own: one is left once, the innermost first.

What belongs to one context is not used in another: what a binding makes of a scope that is on another stack than the
current one is left open.

Enters: the steps of a complete scenario, those of the program first, and what is in them. Leaves: the rules that they
break, in words. Must not know spelling.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import inner_steps

ALONE = {
    "background": "no call is in the background",
    "install": "no plugin is installed",
    "storm": "there is no storm",
}
"""What does not stand beside a context, in words."""


def context_misfits(steps: list[Json], said: frozenset[str]) -> Iterator[str]:
    """Say in words which rules the steps break, those inside callbacks too. said: see `program.words`."""
    inside = {inner["as"] for step in steps for inner in inner_steps(step)}
    program = [step for step in steps if step["as"] not in inside]
    yield from (f"where a program has several contexts {words}" for word, words in ALONE.items() if word in said)
    yield from _misfit_nesting(program)
    homes = _homes(program)
    by_id = {step["as"]: step for step in steps}
    for step in steps:
        for name in _used(step, by_id):
            if homes.get(name) != homes.get(step["as"]):
                yield f"step {step['as']!r}: {name!r} was started in another context, or in a callback"


def _misfit_nesting(program: list[Json]) -> Iterator[str]:
    begun: list[str] = []
    for step in program:
        if step["step"] == "context":
            begun.append(step["as"])
        elif step["step"] == "back":
            if begun[-1:] != [step["of"]]:
                yield f"step {step['as']!r}: a context is left once, when all that began in it were left"
            else:
                begun.pop()
    for name in begun:
        yield f"step {name!r}: a context is left before the program ends"


def _homes(program: list[Json]) -> dict[str, str]:
    """Return the steps by where they are done: in which context, or in which step's callbacks."""
    found: dict[str, str] = {}
    contexts = [""]
    for step in program:
        if step["step"] == "context":
            contexts.append(step["as"])
        elif step["step"] == "back":
            contexts = contexts[:-1] or [""]
        found[step["as"]] = contexts[-1]
        inner = inner_steps(step)
        for one in inner:  # grows while it is read
            found[one["as"]] = f"{step['as']}/"
            inner += inner_steps(one)
    return found


def _used(step: Json, by_id: dict[str, Json]) -> Iterator[str]:
    """Yield what was started that a step goes by, but for what it only asks a handle."""
    owner = by_id.get(step.get("of", ""), {}).get("scope", "global") if step["step"] == "deregister" else "global"
    used = (step.get("parent"), step.get("scope"), owner, step["of"] if step["step"] == "end" else None)
    yield from (name for name in used if name not in (None, "global"))
