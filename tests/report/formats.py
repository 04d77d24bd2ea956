"""How tests have a report made of lines."""

from __future__ import annotations

import io
from collections.abc import Iterable

from bindproof.report import report_of
from bindproof.results import Line


def made(name: str, lines: Iterable[Line]) -> str:
    """Return what a report prints of some lines."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    report = report_of(name, stream)
    for line in lines:
        report.add(line)
    report.end()
    stream.flush()
    stream.seek(0)
    return stream.read()
