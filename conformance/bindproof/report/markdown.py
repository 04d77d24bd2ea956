"""The report as Markdown, for the page of a CI job, or to be pasted into an issue.

Enters: what is told of a log. Leaves: Markdown as GitHub and GitLab take it. Must not know where it is shown. Text of
strangers is shown as text: no character of it is markup, and none of it names a user.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TextIO

from bindproof.core.counting import plural
from bindproof.report import Report
from bindproof.report.contrast import contrast
from bindproof.report.digest import STATUSES
from bindproof.report.printing import MOST_FAILURES
from bindproof.report.told import Fault, Shown, Target, Told
from bindproof.report.whole import Whole

MOST_IN_FULL = 25
"""Divergences that are shown in full; a job's page takes a megabyte."""

MOST_STEPS = 40
MOST_STDERR = 20

_PUNCTUATION = re.compile(r"""([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~])""")
_TICKS = re.compile("`+")


def report(stream: TextIO) -> Report:
    """Return the report (see `bindproof.report.REPORTS`)."""
    return Whole(lambda told: "\n".join(_markdown(told)) + "\n", stream)


def plain(text: str) -> str:
    """Return Markdown that shows a text on one line, as it is."""
    shown = _PUNCTUATION.sub(r"\\\1", " ".join(text.split()))
    return shown.replace("\\@", "\\@<!-- -->")


def code(text: str) -> str:
    """Return a span of code that shows a text on one line, also in the cell of a table."""
    line = " ".join(text.split())
    ticks = "`" * (max((len(run) for run in _TICKS.findall(line)), default=0) + 1)
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{space}{line}{space}{ticks}" if line else ""


def block(lines: Iterable[str], language: str = "") -> list[str]:
    """Return a block of code, whose fence is longer than any that is in it."""
    inner = [part for line in lines for part in line.split("\n")]
    ticks = "`" * max(3, *(len(run) + 1 for line in inner for run in _TICKS.findall(line)), 3)
    return [f"{ticks}{language}", *inner, ticks]


def _markdown(told: Told) -> Iterator[str]:
    yield f"## bindproof: {plain(told.why)}"
    yield ""
    yield plain(told.closing)
    yield ""
    yield from _table(told)
    yield from _classes(told)
    for target in told.targets:
        if target.state != "ready":
            yield from ("", f"**{plain(target.name)} {target.state}**: {plain(target.reason)} {code(target.remedy)}")
    broken = [one for one in told.divergences if not one.known]
    for one in broken[:MOST_IN_FULL]:
        yield from _divergence(one)
    if len(broken) > MOST_IN_FULL:
        yield from ("", f"and {len(broken) - MOST_IN_FULL} more divergences, all in the log")
    for fault in told.faults[:MOST_IN_FULL]:
        yield from _fault(fault)
    for stale in told.stale:
        yield from (
            "",
            f"**stale expectation** {plain(f'{stale.requirement} on {stale.adapter}')} {code(stale.source)}",
        )
    yield from _known(told)


def _table(told: Told) -> Iterator[str]:
    """A row for each adapter: the page of a job is narrow, and there are more chapters than adapters."""
    shown = [status for status in STATUSES if any(target.counts.get(status) for target in told.targets)]
    yield f"| adapter | drives | edition | {' | '.join(shown) or 'state'} |"
    yield f"|-|-|-|{'-:|' * max(1, len(shown))}"
    for target in told.targets:
        yield (
            f"| {' | '.join([plain(target.name), plain(_drives(target)), plain(', '.join(target.editions))])} | "
            + (" | ".join(str(target.counts.get(status, "")) for status in shown) if shown else target.state)
            + " |"
        )


def _classes(told: Told) -> Iterator[str]:
    """A row for each adapter and class that it claims, those that are simply kept in one."""
    if not any(target.classes for target in told.targets):
        return
    yield from ("", "| adapter | claims the classes | which are |", "|-|-|-|")
    for target in told.targets:
        by_words: dict[str, list[str]] = {}
        for one in target.classes:
            by_words.setdefault(one.words, []).append(one.name)
        for words, names in by_words.items():
            yield f"| {plain(target.name)} | {plain(', '.join(names))} | {plain(words)} |"


def _drives(target: Target) -> str:
    return f"{target.target} {target.version}".strip() or target.state


def _divergence(one: Shown) -> Iterator[str]:
    yield from ("", f"### {plain(one.requirement)} {plain(one.title)}", "")
    count = plural(one.scenarios, "scenario")
    yield f"{one.level}, broken on **{plain(one.adapter)}** in {count}. {plain(one.statement)}"
    for failure in one.failures[:MOST_FAILURES]:
        where = f"lane {failure.lane}" + (f", record {failure.record}" if failure.record is not None else "")
        yield from ("", f"{plain(where)}: {plain(failure.text)}", "")
        for at, expected, observed in contrast(failure):
            place = [f"at {at}"] if at else []
            yield from block([*place, *_signed("-", expected), *_signed("+", observed)], "diff")
    yield from ("", f"The smallest scenario, {code(one.vector)}:", "")
    steps = [json.dumps(step, ensure_ascii=False) for step in one.steps]
    yield from block([*steps[:MOST_STEPS], *(["…"] if len(steps) > MOST_STEPS else [])], "json")
    yield from ("", "To see it again (`-` is expected, `+` observed):", "")
    yield from block([*filter(None, [one.replay, one.program, one.explain])], "sh")


def _signed(sign: str, text: str) -> list[str]:
    return [f"{sign} {line}" for line in text.split("\n")]


def _fault(fault: Fault) -> Iterator[str]:
    yield from (
        "",
        f"### {plain(fault.outcome.replace('_', ' '))} of {plain(fault.adapter)} on {code(fault.vector)}",
        "",
    )
    yield plain(fault.reason)
    yield ""
    stderr = fault.stderr.rstrip().splitlines()[-MOST_STDERR:]
    yield from block([*([fault.evidence] if fault.evidence else []), *stderr, f"$ {fault.replay}"])


def _known(told: Told) -> Iterator[str]:
    known = [one for one in told.divergences if one.known]
    if not known and not told.known_faults:
        return
    count = plural(len(known) + len(told.known_faults), "known divergence")
    yield from ("", f"<details><summary>{count}</summary>", "")
    yield from ("| requirement | adapter | because |", "|-|-|-|")
    for one in known:
        yield f"| {plain(one.requirement)} {plain(one.title)} | {plain(one.adapter)} | {plain(one.because)} |"
    for fault in told.known_faults:
        yield f"| {plain(fault.outcome)} | {plain(fault.adapter)} | {plain(fault.because)} |"
    yield from ("", "</details>")
