"""The report as a badge: what an endpoint gives to shields.io.

Enters: what is told of a log. Leaves: JSON. Must not know what is broken.
Source: shields.io, endpoint badge (https://shields.io/badges/endpoint-badge).
"""

from __future__ import annotations

from typing import TextIO

from bindproof.report import Report
from bindproof.report.told import Told
from bindproof.report.whole import Whole, as_json
from bindproof.results.fold import EXIT_ADAPTER_FAULT, EXIT_DIVERGENCE, EXIT_INTERRUPTED, EXIT_NOTHING_JUDGED

GREEN, YELLOW, RED, GREY = "brightgreen", "yellow", "red", "lightgrey"


def report(stream: TextIO) -> Report:
    """Return the report (see `bindproof.report.REPORTS`)."""
    return Whole(_badge, stream)


def _badge(told: Told) -> str:
    message, color = _said(told)
    badge = {"schemaVersion": 1, "label": "bindproof", "message": message, "color": color}
    return as_json(badge | ({"isError": True} if color == RED else {}))


def _said(told: Told) -> tuple[str, str]:
    """Green and yellow are for an exit code of 0 alone."""
    broken = sum(not one.known for one in told.divergences)
    known = sum(one.known for one in told.divergences) + len(told.known_faults)
    held = sum(target.counts.get("held", 0) for target in told.targets)
    if told.exit == EXIT_NOTHING_JUDGED:
        return "nothing judged", GREY
    if told.exit:
        if broken and told.exit in (EXIT_DIVERGENCE, EXIT_ADAPTER_FAULT):
            return f"{broken} broken", RED
        return "cut short" if told.exit == EXIT_INTERRUPTED else "failed", RED
    return (f"{held} held, {known} known", YELLOW) if known else (f"{held} held", GREEN)
