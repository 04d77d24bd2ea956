"""Gates of generated programs: what is registered globally is kept out for a while, or let in.

Enters: the steps of a program, a source of choices, a dialect. Leaves: the same steps, and gates between them. They are
drawn last, so that a program without them is the one that it was before there were any.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.legal import where_legal
from bindproof.suites.relay.scenario.callbacks import ops_of_entry

GATE_PERCENT = {"python": 12, "node": 12, "c": 12, "go": 12, "rust": 12, None: 12}
"""Dialect → how many of a hundred programs may have gates; where it is not named, none: its adapter has no gates."""

MOST = 3
"""So many gates at most."""

VERDICTS: tuple[Json, ...] = ({"reason": "shut"}, {"reason": "shut"}, {}, {"raises": "boom-G!"})


def with_gates(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program, now and then with gates about what it registers."""
    if not choices.chance(GATE_PERCENT.get(dialect, 0)):
        return steps
    named = [step for step in steps if step["step"] == "register" and step["as"] != "s"]
    theirs = _of_plugins(steps)
    if any(step.get("background") for step in steps) or not (named or theirs):
        return steps
    found = list(steps)
    for number in range(choices.integer(1, MOST)):
        if theirs and (not named or choices.chance(60)):
            plugin, about = choices.pick(theirs)
            _put_of_plugin(choices, plugin, about, number, found)
        else:
            _put(choices, choices.pick(named), number, found)
    return where_legal(found, steps)


def _of_plugins(steps: list[Json]) -> list[tuple[str, Json]]:
    """Return what plugins register of which there is one by its name, each with its plugin's name."""
    found: list[tuple[str, Json]] = []
    for install in [step for step in steps if step["step"] == "install"]:
        plugins = install.get("plugins", ["p"])
        for at, plugin in enumerate(plugins):
            ops = ops_of_entry(install["do"], at) if plugins.count(plugin) == 1 else []
            found += [(plugin, op["step"]) for op in ops if op["op"] == "step"]
    return found


def _put_of_plugin(choices: Choices, plugin: str, about: Json, number: int, steps: list[Json]) -> None:
    """Put a gate about what a plugin has somewhere while it is there, and take it back before the plugin goes.

    Its name is its own: one that was refused cannot be taken back.
    """
    kinds = [step["step"] for step in steps]
    first = kinds.index("install") + 1
    last = kinds.index("uninstall") if "uninstall" in kinds else len(steps)
    name = f"g{number}"
    gate = {"step": "gate", "as": name, "name": name, "families": [about["family"]], "target": about["name"]}
    at = choices.integer(first, last)
    steps.insert(at, {**gate, "plugin": plugin, **choices.pick(VERDICTS)})
    if "uninstall" in kinds or choices.chance(60):
        back = {"step": "ungate", "as": f"u{number}", "of": gate["as"]}
        steps.insert(choices.integer(at + 1, last + 1), back)


def _put(choices: Choices, about: Json, number: int, steps: list[Json]) -> None:
    """Put a gate about a registration somewhere, and where it is taken back again behind it."""
    families = {about["family"], choices.pick(("subscriber", "tool.request", "llm.execution"))}
    gate = {"step": "gate", "as": f"g{number}", "name": choices.pick(("g", f"g{number}")), "target": about["name"]}
    at = choices.integer(1, len(steps))
    steps.insert(at, {**gate, "families": sorted(families), **choices.pick(VERDICTS)})
    if choices.chance(60) and gate["name"] != "g":
        steps.insert(choices.integer(at + 1, len(steps)), {"step": "ungate", "as": f"u{number}", "of": gate["as"]})
