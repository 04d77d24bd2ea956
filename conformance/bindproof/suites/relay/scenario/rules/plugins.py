"""What a scenario has to keep that installs a plugin, so that what may be seen of it is known.

The runtime gives what a plugin registers a name of its own making, in which the plugin's stands. So whatever goes by
such names is open: who comes first of equal priority, how a conditional's guardrail is called.

Enters: the steps of a complete scenario, and what is in them. Leaves: the rules that they break, in words. Must not
know spelling.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import inner_steps, ops_of_entry
from bindproof.suites.relay.scenario.families import CONDITIONALS

SHOWN = frozenset(("mark.sanitize", "start.sanitize", "end.sanitize", "event.metadata"))
"""Families whose callbacks are given events, and so the names of guardrails."""


def plugin_misfits(steps: list[Json], said: frozenset[str]) -> Iterator[str]:
    """Say in words which rules the steps break, those inside callbacks too. said: see `misfits.words`."""
    installs = [step for step in steps if step["step"] == "install"]
    inside = [inner for step in installs for inner in inner_steps(step)]
    for step in inside:
        yield from _misfit_inside(step, said)
    for step in installs:
        yield from _misfit_each(step)
    inside = [step for step in inside if step["step"] == "register"]
    yield from _misfit_ties(steps, inside)
    yield from _misfit_order(steps)
    names = {step["as"] for step in inside}
    for step in steps:
        if step["step"] == "deregister" and step["of"] in names:
            yield f"step {step['as']!r}: what a plugin has registered goes with the plugin: `uninstall` that"


def raises(install: Json) -> bool:
    """Tell whether the callback of a plugin raises, so that none is installed of those that are installed together."""
    return raising_entry(install) is not None


def raising_entry(install: Json) -> int | None:
    """Return which entry of the callback raises, the first one, or None."""
    entries = range(len(install["plugins"]))
    return next((k for k in entries if any(op["op"] == "raise" for op in ops_of_entry(install["do"], k))), None)


def _misfit_inside(step: Json, said: frozenset[str]) -> Iterator[str]:
    if step["step"] != "register":
        yield f"step {step['as']!r}: a plugin registers, and does no other step"
    elif step["scope"] != "global" or step["odd"]:
        yield f"step {step['as']!r}: what a plugin registers is global, and can be called"
    elif step["family"] in CONDITIONALS and said & SHOWN:
        yield f"step {step['as']!r}: beside a plugin's conditional nothing is given events, and so its guardrail's name"


def _misfit_each(install: Json) -> Iterator[str]:
    """Each plugin has registrations of its own, and which plugin an entry is of is known."""
    count = len(install["plugins"])
    lists = [len(op["ops"]) for op in install["do"] if op["op"] == "each"]
    if any(length != count for length in lists):
        yield f"step {install['as']!r}: `each` has a list for each plugin, so {count}"
    elif count > 1 and not lists and any(op["op"] == "step" for op in install["do"]):
        yield f"step {install['as']!r}: what several plugins register stands in an `each`, with a list for each plugin"
    elif count > 1 and any(op["op"] == "step" for op in install["do"]):
        yield f"step {install['as']!r}: each plugin has registrations of its own, which stand in its list of `each`"


def _misfit_ties(steps: list[Json], inside: list[Json]) -> Iterator[str]:
    own = {step["as"] for step in inside}
    others = {
        (step["family"], step["priority"])
        for step in steps
        if step["step"] == "register" and step["as"] not in own
        if step["scope"] == "global" or step["family"] == "event.metadata"
    }
    for step in inside:
        if step["family"] != "subscriber" and (step["family"], step["priority"]) in others:
            yield f"step {step['as']!r}: another {step['family']} has this priority, so which comes first is left open"


def _misfit_order(steps: list[Json]) -> Iterator[str]:
    """Plugins that are installed one by one are so one at a time: the last have gone when others come."""
    active: Json = None
    for step in steps:
        if step["step"] == "install":
            if active is not None:
                yield f"step {step['as']!r}: one `install` at a time, so first `uninstall` {active!r}"
            active = None if raises(step) else step["as"]
        elif step["step"] == "uninstall":
            if step["of"] != active:
                yield f"step {step['as']!r}: {step['of']!r} is not installed at that moment"
            active = None
