"""The report as a page: a matrix of requirements and targets, each divergence with its picture, all scenarios.

Enters: the lines of a log, in order. Leaves: one file of HTML. Must not know how a verdict was reached.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TextIO

from bindproof.core.model import Json
from bindproof.report import Report
from bindproof.report.digest import STATUSES, Digest
from bindproof.report.page.beside import beside
from bindproof.report.page.document import environment, part, policy
from bindproof.report.page.moments import moments
from bindproof.report.page.picture import Picture, picture
from bindproof.report.page.scenarios import Scenarios
from bindproof.report.printing import MOST_FAILURES, Suites, one_line, reader_of
from bindproof.report.told import Row, suites_of, told, with_verdicts
from bindproof.report.whole import in_utf8
from bindproof.results import Line, VerdictLine
from bindproof.suite_api import Pictured

MOST_STEPS = 60
"""Steps of a scenario that are shown."""

_UNSAFE = re.compile(r"[^A-Za-z0-9.-]")


class Page:
    """See `bindproof.report.Report`."""

    for_programs = True

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._digest, self._scenarios = in_utf8(stream), Digest(), Scenarios()

    def add(self, line: Line) -> None:
        """Take the next line."""
        self._digest.add(line)
        if isinstance(line, VerdictLine):
            self._scenarios.add(line)

    def end(self) -> None:
        """Write the page, piece by piece."""
        account, suites = told(self._digest), suites_of(self._digest)
        pairs = list(with_verdicts(self._digest))
        script, style = part("page.js"), part("page.css")
        chapters: dict[str, list[Row]] = {}
        for row in account.requirements:
            chapters.setdefault(row.chapter, []).append(row)
        made = environment()
        made.filters |= {"anchor": anchor, "beside": beside, "one_line": one_line}
        made.globals |= {"most_failures": MOST_FAILURES, "most_steps": MOST_STEPS}
        pieces = made.get_template("page.html").generate(
            told=account,
            chapters=chapters,
            statuses=STATUSES,
            levels=tuple(dict.fromkeys(row.level for row in account.requirements)),
            broken=[pair for pair in pairs if not pair[0].known],
            known=[pair for pair in pairs if pair[0].known],
            links={(one.requirement, one.adapter): anchor(one.id) for one, _ in pairs},
            picture_of=partial(_picture, suites=suites),
            script=script,
            style=style,
            policy=policy(style, script),
            scenarios=self._scenarios.table(),
        )
        for piece in pieces:
            self._stream.write(piece)
        self._stream.flush()


def report(stream: TextIO) -> Report:
    """Return the report (see `bindproof.report.REPORTS`)."""
    return Page(stream)


def anchor(name: str) -> str:
    """Return what a part of the page is called in a link to it: of letters, digits, `-`, `.` and `_` alone."""
    return "d-" + _UNSAFE.sub(lambda found: "-" if found[0] == " " else f"_{ord(found[0]):x}_", name)


def _picture(verdict: VerdictLine, suites: Suites) -> Picture | None:
    """Return the picture of what a verdict saw; None where nothing was recorded."""
    if not verdict.observation:
        return None
    suite = reader_of(verdict, suites)
    try:
        lane_of: Callable[[Json], str] = suite.lanes(verdict.scenario) if suite is not None else lambda _: "log"
        drawn = suite.drawn if isinstance(suite, Pictured) else partial(_drawn, lane_of)
        return picture(moments(verdict, lane_of, drawn))
    except Exception:  # records of another version, or none at all: they are shown as they are
        return picture(moments(verdict, lambda _: "log", partial(_drawn, lambda _: "log")))


def _drawn(lane_of: Callable[[Json], str], record: Json) -> tuple[str, str]:
    """Draw a record of which nothing is known: its short members, in its lane."""
    short = (
        [str(value) for value in record.values() if isinstance(value, str | int)] if isinstance(record, dict) else []
    )
    return lane_of(record), " ".join(short) or one_line(record)
