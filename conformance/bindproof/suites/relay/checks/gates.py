"""Checks of the chapter *Gates* (GAT)."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, PROGRAM, Check, Found, judged, part, register
from bindproof.suites.relay.checks.due import missing
from bindproof.suites.relay.checks.registrations import late
from bindproof.suites.relay.observation.deliveries import lives
from bindproof.suites.relay.observation.gates import Shut, gates
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act, Transcript

CHECKS: dict[str, Check] = {}


@register(CHECKS, "GAT-001")
def what_a_gate_rejects_takes_no_part(reading: Reading) -> Found:
    """What a gate gives a reason against runs in no call, helper and event that begins while the gate is there."""
    found = [(gate, act) for gate, act in _about(reading.transcript) if gate.rejects]
    return judged([evidence for gate, act in found for evidence in _taking_part(reading, gate, act.step)], found)


def _about(transcript: Transcript) -> list[tuple[Shut, Act]]:
    """Return each gate with what it is asked of while it is there."""
    own = [act for act in transcript.of_kind("register") if act.error is None]
    return [(gate, act) for gate in gates(transcript) for act in own if gate.is_about(act.step, gate.until)]


def _taking_part(reading: Reading, gate: Shut, step: Json) -> Iterator[Evidence]:
    name, why = step["as"], f"the gate {gate.act.step['as']} gives a reason against it"
    for act in reading.transcript.acts:
        if not gate.since < act.began < gate.until or act.step["step"] not in ("call", "helper", "start", "mark"):
            continue
        for run in act.all():
            if run.step.get("as") == name:
                yield Evidence(EVERY_LANE, why, run.entered, None, run.callback)
        for at, _ in lives(reading.transcript, act)[name].starts if name in lives(reading.transcript, act) else ():
            yield Evidence(EVERY_LANE, why, at, None, name)
    for at, callback in late(reading, {name: gate.since}):
        if at < gate.until:
            yield Evidence(EVERY_LANE, why, at, None, callback)


@register(CHECKS, "GAT-002")
def what_no_gate_rejects_takes_part(reading: Reading) -> Found:
    """What a gate has no reason against runs where it is due, also where that gate raises."""
    found = [(gate, act) for gate, act in _about(reading.transcript) if not gate.rejects]
    return judged(
        [
            Evidence(EVERY_LANE, f"the gate {gate.act.step['as']} has no reason against it", act.done, one.step["as"])
            for act, one in ((*missing(reading, "global"), *missing(reading, "plugin")) if found else ())
            for gate, other in found
            if other is one and gate.is_about(one.step, act.began)
        ],
        found,
    )


def _taken_back(reading: Reading) -> list[tuple[Act, Json]]:
    """Return the steps that take a gate back, each with the step that registered it."""
    steps = reading.transcript.by_id
    found = reading.transcript.of_kind("ungate")
    return [(act, steps[act.step["of"]].step) for act in found if act.step["of"] in steps]


@register(CHECKS, "GAT-003")
def a_gate_is_given_what_it_is_about(reading: Reading) -> Found:
    """A gate is given its own families, and the name that it is about."""
    found = [
        (act, {"families": sorted(gate["families"]), "name": gate["target"], **_whose(gate)}, part(act.value, "given"))
        for act, gate in _taken_back(reading)
    ]
    return judged(
        [
            Evidence(PROGRAM, "its families, and the name that it is about", act.done, expected, given)
            for act, expected, seen in found
            for given in (seen if isinstance(seen, list) else [seen])
            if not same(expected, given)
        ],
        found,
    )


def _whose(gate: Json) -> Json:
    return {} if gate["plugin"] is None else {"plugin": gate["plugin"]}


@register(CHECKS, "GAT-004")
def taking_a_gate_back_says_whether_it_was_there(reading: Reading) -> Found:
    """Taking a gate back answers whether one of its name was registered."""
    found = [(act, act.step["as"] in _there(reading.transcript)) for act, _ in _taken_back(reading)]
    return judged(
        [
            Evidence(PROGRAM, "whether the gate was there", act.done, was, act.error or part(act.value, "was"))
            for act, was in found
            if act.error is not None or part(act.value, "was") is not was
        ],
        found,
    )


@register(CHECKS, "GAT-005")
def the_name_of_a_gate_is_taken_once(reading: Reading) -> Found:
    """Registering a gate fails where there is one of its name, and never else."""
    found = [(act, act.step["as"] in _there(reading.transcript)) for act in reading.transcript.of_kind("gate")]
    return judged(
        [
            Evidence(EVERY_LANE, "a gate's name is taken once", act.done, "an error" if taken else None, act.error)
            for act, taken in found
            if taken is (act.error is None)
        ],
        found,
    )


def _there(transcript: Transcript) -> set[str]:
    """Return the steps that registered a gate, or took one back, when there was one of its name."""
    found: set[str] = set()
    names: set[str] = set()
    for act in transcript.acts:
        if act.step["step"] not in ("gate", "ungate"):
            continue
        step = act.step if act.step["step"] == "gate" else transcript.by_id[act.step["of"]].step
        if step["name"] in names:
            found.add(act.step["as"])
        if act.error is None:
            (names.add if act.step["step"] == "gate" else names.discard)(step["name"])
    return found
