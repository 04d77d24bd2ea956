"""Plugins of generated programs: what a program registers globally, a plugin registers for it.

Enters: the steps of a program, a source of choices. Leaves: the same steps, some registrations inside an `install`,
which is taken back now and then. As questions are, they are drawn last.
"""

from __future__ import annotations

import json

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.legal import where_legal
from bindproof.suites.relay.scenario.rules.plugins import SHOWN

PLUGIN_PERCENT = 30
"""Of a hundred programs so many install a plugin, where they register something that a plugin can."""

MOST = 3
"""So many registrations of plugins at most, and so many plugins."""

NAMES = ("p", "a", "z")

PRIORITIES = (-5, 5)
"""Priorities that nothing else has: which comes first of equal ones is open between a plugin and the program."""


def with_plugins(choices: Choices, steps: list[Json]) -> list[Json]:
    """Return the steps of a program; now and then a plugin makes some of the registrations."""
    if not choices.chance(PLUGIN_PERCENT):
        return steps
    able = [index for index, step in enumerate(steps) if _is_able(step, steps)]
    if not able:
        return steps
    taken = sorted(able.pop(choices.integer(0, len(able) - 1)) for _ in range(min(len(able), choices.integer(1, MOST))))
    inside = [_inside(choices, steps[index]) for index in taken]
    after = [step for index, step in enumerate(steps[taken[-1] + 1 :], taken[-1] + 1) if index not in taken]
    boom: Json = {"op": "raise", "text": "boom-P!"}
    raises = choices.chance(10)
    install = _several(choices, inside, boom if raises else None) if choices.chance(40) else {"do": inside}
    if raises and "plugins" not in install:
        inside.insert(choices.integer(0, len(taken)), boom)
    elif not raises and choices.chance(60):
        after.insert(choices.integer(0, len(after)), {"step": "uninstall", "as": "Q", "of": "P"})
    install = {"step": "install", "as": "P", **install}
    before = [step for index, step in enumerate(steps[: taken[-1]]) if index not in taken]
    return where_legal([*before, install, *after], steps)


def _several(choices: Choices, inside: list[Json], boom: Json | None) -> Json:
    """Draw several plugins, among which the registrations are divided; some have one name, or one of them raises."""
    plugins = [choices.pick(NAMES) for _ in range(choices.integer(2, MOST))]
    lists: list[list[Json]] = [[] for _ in plugins]
    for op in inside:
        own = choices.pick(lists)
        if choices.chance(30) and not own:
            op["step"]["name"] = "n"
        own.append(op)
    if boom is not None:
        choices.pick(lists).append(boom)
    return {"plugins": plugins, "do": [{"op": "each", "ops": lists}]}


def _is_able(step: Json, steps: list[Json]) -> bool:
    """Tell whether a plugin can register something in its place: nobody deregisters it, and one subscriber stays."""
    if step["step"] != "register" or "scope" in step or "odd" in step or step["as"] == "s":
        return False
    if '"wait"' in json.dumps(step):
        return False
    if step["family"].endswith("conditional") and any(one.get("family") in SHOWN for one in steps):
        return False
    return f'"of": "{step["as"]}"' not in json.dumps(steps)


def _inside(choices: Choices, step: Json) -> Json:
    placed = dict(step) if step["family"] == "subscriber" else step | {"priority": choices.pick(PRIORITIES)}
    return {"op": "step", "step": placed}
