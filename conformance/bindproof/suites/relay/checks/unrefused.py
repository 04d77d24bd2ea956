"""The check of what nothing refuses: a lawful step does not fail (LIF-030)."""

from __future__ import annotations

from typing import Final

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, register
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act

CHECKS: dict[str, Check] = {}

STEPS: Final = ("call", "helper", "start", "end", "mark")
"""The kinds of the steps that the requirement is about."""

UNLISTED: Final = "unknown"
"""The kind of an error that no pattern of the dialect knows."""


@register(CHECKS, "LIF-030")
def what_nothing_refuses_does_not_fail(reading: Reading) -> Found:
    """No step fails before a callback of it is called, but for a reason that has a kind.

    One that is about a step which failed, or below one, has nothing to go by. A callback that is none is called in
    vain, and nobody records that: beside such a one a step may fail.
    """
    if "odd" in reading.words:
        return None
    done = [act for act in reading.transcript.acts if act.done is not None]
    failed = {act.step["as"] for act in done if act.error is not None}
    found = [act for act in done if act.step["step"] in STEPS and failed.isdisjoint(_named(act))]
    return judged([_refused(act, done) for act in found if _fails_unasked(act)], found)


def _named(act: Act) -> set[Json]:
    return {act.step.get("of"), act.step.get("parent")}


def _fails_unasked(act: Act) -> bool:
    return act.error is not None and act.error.get("kind") == UNLISTED and not act.everything


def _refused(act: Act, done: list[Act]) -> Evidence:
    name = act.step["as"]
    behind = [other for other in done if name in _named(other)]
    text = "it fails, and nothing was asked that could refuse it"
    names = (name, *(other.step["as"] for other in behind))
    return Evidence(EVERY_LANE, text, act.done, None, act.error, about=names)
