"""The check of what a program hands over and JSON lacks (DLC-012)."""

from __future__ import annotations

from typing import Final

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.no_json import hands_over_no_json

CHECKS: dict[str, Check] = {}

REFUSED: Final = "invalid_argument"
"""The kind of the error."""


@register(CHECKS, "DLC-012")
def what_json_lacks_is_refused(reading: Reading) -> Found:
    """The step fails, and says that the arguments are at fault; no callback of it is called."""
    acts = _handing_over(reading)
    return judged([_taken(act, reading) for act in acts if _is_taken(act)], acts)


def is_taken(reading: Reading) -> bool:
    """Tell whether a binding takes what JSON lacks: what it makes of that nobody has stated."""
    return any(map(_is_taken, _handing_over(reading)))


def _handing_over(reading: Reading) -> list[Act]:
    return [act for act in reading.transcript.acts if act.done is not None and hands_over_no_json(act.step)]


def _is_taken(act: Act) -> bool:
    return part(act.error, "kind") != REFUSED or bool(act.everything)


def _taken(act: Act, reading: Reading) -> Evidence:
    """Return evidence that speaks of all that comes from there on: what is made of it nobody has stated."""
    found: Json = act.error or {"value": act.value}
    also = tuple(range(act.began, len(reading.log)))
    return Evidence(EVERY_LANE, "what JSON lacks is refused", act.done, REFUSED, found, also=also)
