"""The check of what a program hands over and JSON lacks (DLC-012)."""

from __future__ import annotations

from typing import Final

from bindproof.core.model import Evidence
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register
from bindproof.suites.relay.observation.reading import Reading, is_taken
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.no_json import hands_over_no_json

CHECKS: dict[str, Check] = {}

REFUSED: Final = "invalid_argument"
"""The kind of the error."""


@register(CHECKS, "DLC-012")
def what_json_lacks_is_refused(reading: Reading) -> Found:
    """The step fails, and says that the arguments are at fault; no callback of it is called."""
    acts = [act for act in reading.transcript.acts if act.done is not None and hands_over_no_json(act.step)]
    return judged([_unrefused(act) for act in acts if is_taken(act) or part(act.error, "kind") != REFUSED], acts)


def _unrefused(act: Act) -> Evidence:
    """Return evidence about a step that is not refused so. Where it is taken, the rest is judged as if it was null."""
    text, name = "what JSON lacks is refused", act.step["as"]
    if is_taken(act):
        return Evidence(EVERY_LANE, text, act.done, REFUSED, "taken", accepted=(f"{name}/no_json",))
    return Evidence(EVERY_LANE, text, act.done, REFUSED, act.error)
