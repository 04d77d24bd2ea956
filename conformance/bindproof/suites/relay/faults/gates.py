"""Planted faults of the chapter *Gates* (GAT)."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.middleware import forget, later_work, let_run
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.observation.gates import gates, is_shut
from bindproof.suites.relay.observation.transcript import Act

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "ignore_gate", "what a gate gives a reason against runs all the same", "GAT-001")
def ignore_gate(spoiled: Spoiled) -> bool:
    """Let an intercept of tools that a gate keeps out run in the last call or helper, where it runs alone."""
    calls = later_work(spoiled)[-1:]
    steps = [act.step for act in spoiled.transcript.of_kind("register") if act.error is None]
    shut = [
        step
        for step in steps
        for call in calls
        if step["family"] == "tool.request" and not step["break_chain"] and not step["odd"]
        if is_shut(spoiled.transcript, step, call.began)
    ]
    return bool(shut) and let_run(spoiled, shut[0]["as"], calls[0])


@plant(FAULTS, "shut_always", "a gate that has no reason keeps out what it is about", "GAT-002", "MID-025")
def shut_always(spoiled: Spoiled) -> bool:
    """Take out the program's intercept that a gate has no reason against, and that changed nothing and ran alone."""
    let_in = [gate for gate in gates(spoiled.transcript) if not gate.rejects and gate.act.step["plugin"] is None]
    names = {
        act.step["as"]
        for act in spoiled.transcript.of_kind("register")
        for gate in let_in
        if not act.step["async"] and gate.is_about(act.step, gate.until)
    }
    return forget(spoiled, names)


def _taken_back(spoiled: Spoiled) -> list[Json]:
    """Return what taking gates back answered, which is the copy's own."""
    acts = [act for act in spoiled.transcript.of_kind("ungate") if act.error is None]
    return [spoiled.log[act.done or 0]["value"] for act in acts]


@plant(FAULTS, "rename_given", "a gate is given another name", "GAT-003")
def rename_given(spoiled: Spoiled) -> bool:
    """Rename what every gate was given."""
    found = [given for answer in _taken_back(spoiled) for given in answer["given"]]
    for given in found:
        given["name"] = "planted"
    return bool(found)


@plant(FAULTS, "forget_families", "a gate is not given its families", "GAT-003")
def forget_families(spoiled: Spoiled) -> bool:
    """Empty the families that every gate was given."""
    found = [given for answer in _taken_back(spoiled) for given in answer["given"]]
    for given in found:
        given["families"] = []
    return bool(found)


@plant(FAULTS, "gate_always_there", "taking a gate back says that it was there when it was not", "GAT-004")
def gate_always_there(spoiled: Spoiled) -> bool:
    """Turn every answer that no gate was there."""
    found = [answer for answer in _taken_back(spoiled) if answer["was"] is False]
    for answer in found:
        answer["was"] = True
    return bool(found)


@plant(FAULTS, "take_gate_twice", "the name of a gate that is there is taken again", "GAT-005")
def take_gate_twice(spoiled: Spoiled) -> bool:
    """Let every gate be registered that was refused, where none is taken back and the one that is there decides."""
    acts: list[Act] = spoiled.transcript.of_kind("gate")
    if spoiled.transcript.of_kind("ungate") or spoiled.transcript.of_kind("register"):
        return False
    found = [act for act in acts if act.error is not None]
    for act in found:
        spoiled.succeed(act, None)
    return bool(found)
