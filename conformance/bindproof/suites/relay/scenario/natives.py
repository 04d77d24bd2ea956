"""Steps `load` and `native`: how a host comes to a native plugin, and calls that the plugin answers.

Enters: such steps, complete. Leaves: which of them make sense, and whether a host takes the plugin. Must not know
checks.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.raw import DEEPEST, MisfitError, depth
from bindproof.suites.relay.scenario.workers import sent

HONEST: Json = {"range": "own", "digest": "own", "enabled": False, "abi": "own", "register": "success"}
"""What is said of a plugin that a host takes, but for what goes by its policy."""

UNSIGNED = ("integrity_only", "signature_if_present")
"""Policies of hosts that take a library without a signature."""

ERRORS = ("error", "panic", "status")
"""Results that have a message."""

TYPED: Json = {"name": "typed", "category": "custom", "category_profile": {"subtype": "t"}, "data": 1}
"""The mark of an outcome of the typed interface."""


def refused_for(step: Json) -> list[str]:
    """Return what a host refuses a plugin for, of the members of a step `load`."""
    found = [name for name, value in HONEST.items() if step[name] != value]
    if step["signature"] == "unstated" and step["policy"] not in UNSIGNED:
        found.append("policy")
    if step["signature"] == "other" and step["policy"] != "integrity_only":
        found.append("signature")
    return found


def check_natives(steps: list[Json]) -> None:
    """Raise MisfitError for such steps among others, a load that comes late, or members that a result does not have."""
    kinds = [step["step"] for step in steps]
    if not {"load", "native"} & set(kinds):
        return
    if not set(kinds) <= {"load", "native"}:
        raise MisfitError("steps of a native plugin and others are in one scenario: its calls are all that there is")
    if "load" in kinds[1:]:
        raise MisfitError("a step `load` is not the first: a plugin is loaded once, before all calls")
    for step in steps:
        if step["step"] == "native":
            _check(step)


def _check(step: Json) -> None:
    name = f"step {step['as']!r}"
    if step["result"] not in ("outcome", "status") and step["outcome"] is not None:
        raise MisfitError(f"{name}: `outcome` is that of the result `outcome`, or beside a `status`")
    if bool(step["message"]) is not (step["result"] in ERRORS):
        raise MisfitError(f"{name}: `message` is that of an error, a panic or a status, which each have one")
    try:
        found = sent(step)
    except ValueError:
        raise MisfitError(f"{name}: `outcome` is neither UTF-8 text nor bytes in hex") from None
    if depth(found) > DEEPEST:
        raise MisfitError(f"{name}: `outcome` is nested deeper than {DEEPEST} lists and objects; make it flatter")
