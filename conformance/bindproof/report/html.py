"""The report as a page: a matrix of requirements and targets, each divergence with its picture, all scenarios.

Enters: the lines of a log, in order. Leaves: one file of HTML. Must not know how a verdict was reached.

Templates are Jinja's, with autoescape: every text, ours too, is text, and what cannot be seen is spelled out first. The
page's own policy lets no script and no style run but the two whose digests it names, and nothing be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TextIO

from bindproof.core.counting import plural
from bindproof.core.model import Json
from bindproof.core.visible import visible
from bindproof.report import Report
from bindproof.report.digest import STATUSES, Digest
from bindproof.report.page.beside import beside
from bindproof.report.page.moments import moments
from bindproof.report.page.picture import Picture, picture
from bindproof.report.page.scenarios import Scenarios
from bindproof.report.printing import MOST_FAILURES, Suites, one_line, reader_of
from bindproof.report.told import Row, suites_of, told, with_verdicts
from bindproof.report.whole import in_utf8
from bindproof.results import Line, VerdictLine
from bindproof.suite_api import Pictured

if TYPE_CHECKING:
    from jinja2 import Environment

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
        script, style = _part("page.js"), _part("page.css")
        chapters: dict[str, list[Row]] = {}
        for row in account.requirements:
            chapters.setdefault(row.chapter, []).append(row)
        pieces = (
            _environment()
            .get_template("page.html")
            .generate(
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
                policy=_policy(script, style),
                scenarios=self._scenarios.table(),
            )
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


def _environment() -> Environment:
    """Return where templates come from; what they show is made visible and escaped, whatever it is."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def seen(value: Any) -> Any:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=PackageLoader("bindproof.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=seen,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "anchor": anchor,
        "beside": beside,
        "one_line": one_line,
        "slug": lambda text: text.replace(" ", "-"),
    }
    environment.globals |= {"plural": plural, "most_failures": MOST_FAILURES, "most_steps": MOST_STEPS}
    return environment


def _part(name: str) -> str:
    return files("bindproof.report").joinpath("page", name).read_text(encoding="utf-8")


def _policy(script: str, style: str) -> str:
    """Return the page's content security policy."""
    return (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
