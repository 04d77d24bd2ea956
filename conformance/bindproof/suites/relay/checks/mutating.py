"""Checks about callbacks that change in place what they were given (MID)."""

from __future__ import annotations

import json

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, register
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.scenario.callbacks import scripts
from bindproof.suites.relay.scenario.complete import all_steps

CHECKS: dict[str, Check] = {}


@register(CHECKS, "MID-016")
def a_change_in_place_has_no_effect(reading: Reading) -> Found:
    """The text that a callback put into what it was given stands in no record."""
    entered = {record["callback"] for record in reading.log if record["fact"] == "enter"}
    texts = [text for callback, text in _changes(reading.full) if callback in entered]
    return judged(
        [
            Evidence(EVERY_LANE, "what is changed in place has no effect", index, None, record)
            for text in texts
            for index, record in enumerate(reading.log)
            if json.dumps(text)[1:-1] in json.dumps(record)
        ],
        texts,
    )


def _changes(full: Json) -> list[tuple[str, str]]:
    """Return the texts that callbacks put into what they are given, each with its callback."""
    pairs = [pair for step in all_steps(full) for pair in scripts(step)]
    return [(callback, op["text"]) for callback, ops in pairs for op in ops if op["op"] == "mutate"]
