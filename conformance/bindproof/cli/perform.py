"""Performs a run from the command line: its log, then the report, then the exit code.

Enters: an engine, which gives lines. Leaves: a result log, a report, an exit code. Must not know how the engine works.
Whatever ends the engine, what it has emitted is on disk and in the report.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.blame import BUG_TEXT
from bindproof.cli.recorder import Engine, Recorder
from bindproof.cli.streams import say
from bindproof.core.errors import UsageError
from bindproof.report.digest import Digest
from bindproof.results import Line, LogFile, SummaryLine, Writer
from bindproof.results.fold import EXIT_OK, EXIT_USAGE

if TYPE_CHECKING:
    from bindproof.suites import Suite


def perform(
    engine: Engine, *, results: Path | LogFile | None, json: bool, replay: bool = False, first: Sequence[Line] = ()
) -> int:
    """Runs the engine and reports.

    Args:
        engine: gives the log's lines.
        results: a file for the log; one that is open already is closed in the end.
        json: print the log on stdout instead of a report.
        first: lines that the log begins with, of a run that was cut short and goes on.
        replay: report everything of each verdict instead of a table and what is wrong.

    Returns:
        The exit code.

    Raises:
        Exception: what ended the engine, when it had emitted nothing yet.
    """
    with Writer(results, sys.stdout.buffer if json else None, first) as writer:
        recorder = Recorder(writer, first, keeps_verdicts=replay)
        ended = recorder.record(engine)
        if ended is not None and (recorder.digest.run is None or isinstance(ended, BrokenPipeError)):
            raise ended
        summary = recorder.close(ended)
    _report(summary, recorder.digest, json=json, replay=replay)
    return summary.exit


def _report(summary: SummaryLine, digest: Digest, *, json: bool, replay: bool) -> None:
    if summary.exit == EXIT_USAGE:
        say(f"bindproof: {summary.why}")
        if not digest.adapters:  # nothing has happened that a report could tell of
            return
    if not json:
        from bindproof.report import terminal

        show = terminal.show_replay if replay else terminal.show
        show(digest, sys.stdout, suites=_suites_to_show(digest, all_of_them=replay))
        sys.stdout.flush()
    if summary.bug is not None:
        say(summary.bug + BUG_TEXT.rstrip())
    elif json and summary.exit not in {EXIT_OK, EXIT_USAGE}:
        say(f"bindproof: {summary.why}")


def _suites_to_show(digest: Digest, *, all_of_them: bool) -> dict[str, Suite]:
    """The suites whose scenarios the report shows; a log may speak of one that is not installed here."""
    from bindproof import spec, suites

    shown = [divergence.verdict for divergence in digest.divergences if divergence.expected_by is None]
    names = dict.fromkeys(verdict.suite for verdict in (digest.verdicts if all_of_them else shown))
    found = {}
    for name in names:
        with suppress(UsageError):
            found[name] = suites.load(spec.installed(name))
    return found
