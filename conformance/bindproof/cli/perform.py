"""Performs a run: lines go to the log, the fold and the digest as they come; then the report; then the exit code.

Enters: an engine, which is given `emit` and `progress`. Leaves: a result log, a report, an exit code. Must not know how
the engine works. Whatever ends the engine, what it has emitted is on disk and in the report.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bindproof.cli.blame import BUG_TEXT, is_the_users
from bindproof.cli.interrupts import Interrupts
from bindproof.cli.progress import Progress
from bindproof.core.errors import UsageError
from bindproof.report.digest import Digest
from bindproof.results import Fold, Line, Writer
from bindproof.results.fold import EXIT_USAGE

if TYPE_CHECKING:
    from bindproof.suites import Suite

Engine = Callable[[Callable[[Line], None], Callable[[str], None]], None]


def perform(
    engine: Engine, *, results: Path | None, json: bool, replay: bool = False, first: Sequence[Line] = ()
) -> int:
    """Runs the engine and reports.

    Args:
        engine: called once with `emit`, which takes the log's lines in order, and `progress`, which takes words.
        results: a file for the log.
        json: print the log on stdout instead of a report.
        first: lines that the log begins with, of a run that was cut short and goes on.
        replay: report everything of each verdict instead of a table and what is wrong.

    Returns:
        The exit code.

    Raises:
        Exception: what ended the engine, when it had emitted nothing yet.
    """
    fold, digest = Fold.over(first), Digest.over(first, keeps_verdicts=replay)
    progress = Progress(sys.stderr)
    for line in first:
        progress.see(line)
    with Writer(results, sys.stdout.buffer if json else None, first) as writer:
        interrupts = Interrupts()

        def emit(line: Line) -> None:
            interrupts.hold()
            writer.write(line)
            fold.add(line)
            digest.add(line)
            progress.see(line)
            interrupts.release()

        ended: BaseException | None = None
        try:
            with interrupts:
                engine(emit, progress.say)
        except (Exception, KeyboardInterrupt) as error:
            ended = error
        progress.end()
        if ended is not None and digest.run is None:
            raise ended
        summary = fold.summary(**_how_it_ended(ended))
        emit(summary)
    if summary.exit == EXIT_USAGE and not digest.adapters:  # nothing has happened that a report could tell of
        sys.stderr.write(f"bindproof: {summary.why}\n")
        return summary.exit
    if not json:
        from bindproof.report import terminal

        show = terminal.show_replay if replay else terminal.show
        show(digest, sys.stdout, suites=_suites_to_show(digest, all_of_them=replay))
    if summary.bug is not None:
        sys.stderr.write(summary.bug + BUG_TEXT)
    elif json and summary.exit:
        sys.stderr.write(f"bindproof: {summary.why}\n")
    return summary.exit


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


def _how_it_ended(error: BaseException | None) -> dict[str, Any]:
    if error is None:
        return {}
    if isinstance(error, KeyboardInterrupt):
        return {"interrupted": True}
    if is_the_users(error):
        return {"usage": str(error)}
    return {"bug": "".join(traceback.format_exception(error))}
