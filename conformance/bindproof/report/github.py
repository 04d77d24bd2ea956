"""The report as annotations of GitHub Actions: lines that a job prints.

Enters: what is told of a log. Leaves: workflow commands, one a line. Must not know what GitHub does with them.
Source: GitHub Docs, workflow commands for GitHub Actions. Of a step it shows the first ten of each kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from bindproof.report import Report
from bindproof.report.told import Told
from bindproof.report.whole import Whole


def report(stream: TextIO) -> Report:
    """Return the report (see `bindproof.report.REPORTS`)."""
    return Whole(lambda told: "".join(f"{line}\n" for line in _annotations(told)), stream)


def _annotations(told: Told) -> Iterator[str]:
    for target in told.targets:
        if target.state != "ready":
            kind = "error" if target.required or target.state == "failed" else "warning"
            yield _annotation(kind, f"adapter {target.name} {target.state}", f"{target.reason}\n{target.remedy}")
    for fault in told.faults:
        title = f"{fault.outcome.replace('_', ' ')} of {fault.adapter}"
        yield _annotation("error", title, f"{fault.vector}: {fault.reason}\n{fault.replay}")
    for one in told.divergences:
        words = [one.statement, *(f"{failure.lane}: {failure.text}" for failure in one.failures[:3])]
        title = f"{one.requirement} on {one.adapter}: {one.title}"
        if one.known:
            yield _annotation("notice", f"known: {title}", "\n".join([one.because, one.replay]))
        else:
            yield _annotation("error", title, "\n".join([*words, one.replay]))
    for stale in told.stale:
        text = f"{stale.source} expects it, and it did not occur: remove it"
        yield _annotation("error", f"stale: {stale.requirement} on {stale.adapter}", text)
    if told.exit:
        yield _annotation("error", f"bindproof ends with {told.exit}", told.why)


def _annotation(kind: str, title: str, message: str) -> str:
    """Return a command; what would end the title or the line is written as GitHub reads it back."""
    name = _escaped(title).replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={name}::{_escaped(message.strip())}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
