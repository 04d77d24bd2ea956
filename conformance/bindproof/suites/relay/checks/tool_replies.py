"""Which replies of a tool's callbacks have a key too many, or a mark that is none, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence
from bindproof.suites.relay.checks.common import EVERY_LANE, Found, judged, part
from bindproof.suites.relay.checks.malformed import fault_of_marks, holds_undefined
from bindproof.suites.relay.observation.in_flight import cancellings
from bindproof.suites.relay.observation.reading import Reading, marks_of
from bindproof.suites.relay.observation.transcript import Act, Entry
from bindproof.suites.relay.scenario.no_json import lacks_json

RESULT = {"result", "annotation"}
OUTCOME = RESULT | {"pending_marks"}
KEYS = {"provider": RESULT, "tool.execution": OUTCOME}
"""Part → the keys of what it answers with."""


def refusals_of_replies(reading: Reading, requirement: str, why: str) -> Found:
    """Judge every reply of a tool's callbacks that this requirement says must be refused; None when there is none.

    why: what is wrong where one is taken.
    """
    gone = cancellings(reading.transcript)
    found = [
        (act, run)
        for act in reading.transcript.calls("tool")
        for run in act.everything
        if run.part in KEYS and run.replied and _fault_of(reading, run) == requirement
    ]
    return judged([one for act, run in found for one in _taken(act, run, why, cancelled=act in gone)], found)


def _fault_of(reading: Reading, run: Entry) -> str | None:
    """Return the requirement by which a reply that states a result has to be refused: its own keys come first."""
    if not isinstance(run.reply, dict) or "result" not in run.reply:
        return None
    if holds_undefined(run.reply) or lacks_json(run.reply):
        return None
    if not set(run.reply) <= KEYS[run.part]:
        return "TOL-018"
    return fault_of_marks(marks_of(run.reply), reading.forms["pending-mark"].keys)


def _taken(act: Act, run: Entry, why: str, *, cancelled: bool) -> Iterator[Evidence]:
    """Yield evidence where a reply is taken; where the `next` around it failed, what became of that is open.

    cancelled: what becomes of the call says nothing, as it is cancelled.
    """
    around = next((asked for one in act.everything for asked in one.asked if run in asked.inside), None)
    at, value = (act.done, act.error or act.value) if around is None else (around.answered, around.value)
    if around is None and (cancelled or part(act.error, "kind") == "outcome_malformed"):
        return
    if around is None or (around.answered is not None and around.error is None):
        name = act.step["as"]
        taken = (f"{name}/{run.callback}",)
        yield Evidence(EVERY_LANE, why, at, "outcome_malformed", value, about=(name,), accepted=taken)
