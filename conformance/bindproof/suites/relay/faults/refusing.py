"""Planted faults of calls that fail though nothing refuses them (LIF-030, AUT-012, AUT-023)."""

from __future__ import annotations

from typing import Final

from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.observation.calls import LlmCall
from bindproof.suites.relay.observation.spans import families

FAULTS: dict[str, Fault] = {}

FAMILIES: Final = {"subscriber", "llm.request"}
"""What may be registered beside a call of which nothing else is told."""

STANDING: Final = ("wait", "resume")
"""What is recorded of a callback between its entry and its end."""


@plant(FAULTS, "refuse_lawful", "a lawful call fails at once, and nobody was asked", "LIF-030", also=("REF-000",))
def refuse_lawful(spoiled: Spoiled) -> bool:
    """Let every call fail that nothing is beside, with no record of its callbacks and no event."""
    return _fail_at_once(spoiled, spoiled.alone(), "planted: refused")


@plant(FAULTS, "leave_unread", "a built-in codec fails at a content that it can read", "AUT-012", "AUT-023")
def leave_unread(spoiled: Spoiled) -> bool:
    """Let every such call fail, as one does whose content cannot be read."""
    return _fail_at_once(
        spoiled, [call for call in spoiled.alone() if call in spoiled.reading.builtin], spoiled.message("codec_failed")
    )


def _fail_at_once(spoiled: Spoiled, calls: list[LlmCall], message: str) -> bool:
    """Let those of the calls that succeed fail, with no record of their callbacks and no event."""
    if not families(spoiled.transcript) <= FAMILIES or any(record["fact"] in STANDING for record in spoiled.log):
        return False
    found = [call for call in calls if call.error is None and not _has_steps(call)]
    gone = {at for call in found for at in _records(call)}
    for call in found:
        error = {"type": "Error", "message": message, "code": None, "same_as": None}
        spoiled.fail(call.act, error)
    spoiled.log[:] = [record for at, record in enumerate(spoiled.log) if at not in gone]
    return bool(found)


def _has_steps(call: LlmCall) -> bool:
    return any(act.within in call.act.everything for act in call.transcript.acts)


def _records(call: LlmCall) -> set[int]:
    runs = {at for run in call.act.everything for at in (run.entered, run.left) if at is not None}
    return runs | {at for life in call.lives.values() for at, _ in life.events()}
