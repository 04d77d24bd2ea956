"""What a scenario has to keep that has gates, so that it is known who takes part in what.

A gate is about a name of the runtime's own. What a plugin has registered has one that stands in the listing alone, for
as long as the plugin is there.

Enters: the steps of a complete scenario, and what is in them. Leaves: the rules that they break, in words. Must not
know spelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import ops_of_entry
from bindproof.suites.relay.scenario.rules.plugins import raises

PLAIN = re.compile("[A-Za-z0-9]+")
"""A name that every listing tells from the rest of what a runtime makes of it."""


def gate_misfits(steps: list[Json], said: frozenset[str]) -> Iterator[str]:
    """Say in words which rules the steps break. said: see `program.words`."""
    if "background" in said or any(step.get("drain") is False for step in steps):
        yield "beside a gate no call is in the background, and each stream is drained: when it is asked is left open"
    for step in steps:
        if step["step"] != "gate":
            continue
        if step["reason"] is not None and step["raises"] is not None:
            yield f"step {step['as']!r}: a gate gives a reason or raises: leave one of them out"
        if len(set(step["families"])) < len(step["families"]):
            yield f"step {step['as']!r}: a family stands in the list once"
    yield from _misfit_of_plugins(steps)


def _misfit_of_plugins(steps: list[Json]) -> Iterator[str]:
    """A gate about what a plugin has comes while the plugin is there, and goes before it."""
    active: Json = None
    there: set[str] = set()
    names = {step["as"]: step["name"] for step in steps if step["step"] == "gate"}
    for step in steps:
        if step["step"] == "install":
            active = None if raises(step) else step
        elif step["step"] == "uninstall":
            if there:
                yield f"step {step['as']!r}: first `ungate` what is about a plugin's: {', '.join(sorted(there))}"
            active = None
        elif step["step"] == "ungate":
            there.discard(names.get(step["of"], ""))
        elif step["step"] == "gate" and step["plugin"] is not None:
            there.add(step["name"])
            yield from _misfit_of_plugin(step, active)


def _misfit_of_plugin(gate: Json, install: Json) -> Iterator[str]:
    name, plugin, target = gate["as"], gate["plugin"], gate["target"]
    if install is None or install["plugins"].count(plugin) != 1:
        yield f"step {name!r}: the plugin {plugin!r} is not installed at that moment, or is so more than once"
    elif len(gate["families"]) > 1 or not PLAIN.fullmatch(target):
        yield f"step {name!r}: a gate about what a plugin has is about one family, and a name of letters and digits"
    elif (gate["families"][0], target) not in _registered(install, plugin):
        yield f"step {name!r}: the plugin {plugin!r} registers no {gate['families'][0]} as {target!r}"


def _registered(install: Json, plugin: str) -> set[tuple[str, str]]:
    """Return family and name of what a plugin registers that is configured once."""
    ops = ops_of_entry(install["do"], install["plugins"].index(plugin))
    return {(op["step"]["family"], op["step"]["name"]) for op in ops if op["op"] == "step"}
