"""Planted faults of what callbacks are given: their members (MID), an event's fields, a payload (EVT), an original."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.null_answers import is_of_a_stand_in
from bindproof.suites.relay.observation.published import MEMBER, Payload, payloads, publications
from bindproof.suites.relay.observation.transcript import Entry
from bindproof.suites.relay.scenario.spelling import SANITIZERS

FAULTS: dict[str, Fault] = {}

NAMED = ("llm.execution", "tool.execution", "tool.sanitize_request", "tool.sanitize_response")
"""Families whose callbacks are given a name, about which no other rule is."""


def _runs(spoiled: Spoiled) -> Iterator[Entry]:
    for act in spoiled.transcript.acts:
        yield from act.everything
    for one in payloads(spoiled.transcript):
        yield from one.runs


def _given(spoiled: Spoiled, run: Entry) -> Json:
    return spoiled.log[run.entered]["given"]


@plant(FAULTS, "misname_call", "callbacks are given another name than their call's", "MID-027", also=("MID-012",))
def misname_call(spoiled: Spoiled) -> bool:
    """Give every callback of these families another name."""
    found = [_given(spoiled, run) for run in _runs(spoiled) if run.part in NAMED]
    found = [given for given in found if "name" in given]
    for given in found:
        given["name"] = "planted"
    return bool(found)


@plant(FAULTS, "surplus_member", "a provider is given more than is its", "MID-027")
def surplus_member(spoiled: Spoiled) -> bool:
    """Give every provider another argument."""
    found = [_given(spoiled, run) for run in _runs(spoiled) if run.part == "provider"]
    for given in found:
        given["planted"] = True
    return bool(found)


@plant(FAULTS, "another_original", "a codec encodes into another request than the intercepts left", "AUT-020")
def another_original(spoiled: Spoiled) -> bool:
    """Give every encode another content, where the request is known."""
    found = [run for call in spoiled.reading.scripted if call.requested is not None for run in call.encodes]
    for run in found:
        _given(spoiled, run)["original"]["content"] = PLANTED
    return bool(found)


def _another_event(family: str) -> Callable[[Spoiled], bool]:
    def spoil(spoiled: Spoiled) -> bool:
        firsts = [one.runs()[0] for one in publications(spoiled.transcript) if one.runs()]
        found = [_given(spoiled, run) for run in firsts if run.part == family]
        found = [given for given in found if given["event"].get("metadata") is None and given["event"]["data"] is None]
        for given in found:
            for fields in (given["event"], given.get("fields", {})):
                fields["data"] = PLANTED
        return bool(found)

    return spoil


def _is_judged(spoiled: Spoiled, one: Payload) -> bool:
    """Tell whether it is a managed call's, and no data stand in for its answer."""
    return one.act.step["step"] == "call" and not is_of_a_stand_in(spoiled.transcript, one)


def _another_payload(family: str) -> Callable[[Spoiled], bool]:
    def spoil(spoiled: Spoiled) -> bool:
        chains = payloads(spoiled.transcript)
        found = [one.runs[0] for one in chains if one.runs[0].part == family and _is_judged(spoiled, one)]
        for run in found:
            given, member = _given(spoiled, run), MEMBER[family]
            given[member] = {"headers": {}, "content": PLANTED} if member == "request" else PLANTED
        return bool(found)

    return spoil


for _family in (*SANITIZERS, "event.metadata"):
    _name = _family.replace(".", "_")
    plant(FAULTS, f"another_event_{_name}", f"`{_family}` is given other data than would be told", "EVT-049")(
        _another_event(_family)
    )

for _family in MEMBER:
    _name = _family.replace(".", "_")
    plant(
        FAULTS,
        f"another_payload_{_name}",
        f"the first `{_family}` is given another payload than would be told",
        "EVT-050",
        also=("AUT-022", "EVT-024", "EVT-027", "EVT-029", "EVT-045", "FLT-008"),
    )(_another_payload(_family))
