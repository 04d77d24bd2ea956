"""Performs a run from the command line: its log, then the report, then the exit code.

Enters: an engine, which gives lines. Leaves: a result log, a report, an exit code. Must not know how the engine works.
Whatever ends the engine, what it has emitted is on disk and in the report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bindproof.cli.blame import BUG_TEXT
from bindproof.cli.outputs import Outputs
from bindproof.cli.recorder import Engine, Recorder
from bindproof.cli.streams import say
from bindproof.results import Line, LogFile, Writer
from bindproof.results.fold import EXIT_OK, EXIT_USAGE


def perform(
    engine: Engine,
    *,
    results: Path | LogFile | None,
    report: str,
    files: Mapping[str, Path],
    first: Sequence[Line] = (),
) -> int:
    """Runs the engine and reports.

    Args:
        engine: gives the log's lines.
        results: a file for the log; one that is open already is closed in the end.
        report: the name of what is printed on stdout (see `bindproof.report.REPORTS`).
        files: where other reports go, by their names.
        first: lines that the log begins with, of a run that was cut short and goes on.

    Returns:
        The exit code.

    Raises:
        Exception: what ended the engine, when it had emitted nothing yet.
    """
    with Outputs(report, files) as outputs:
        return _performed(engine, outputs, results, first)


def _performed(engine: Engine, printed: Outputs, results: Path | LogFile | None, first: Sequence[Line]) -> int:
    with Writer(results, first) as writer:
        recorder = Recorder(writer, printed, first)
        ended = recorder.record(engine)
        if ended is not None and (not recorder.begun or isinstance(ended, BrokenPipeError)):
            raise ended
        summary = recorder.close(ended)
    if summary.exit == EXIT_USAGE:
        say(f"bindproof: {summary.why}")
    printed.end()
    if summary.bug is not None:
        say(summary.bug + BUG_TEXT.rstrip())
    elif printed.for_programs and summary.exit not in {EXIT_OK, EXIT_USAGE}:
        say(f"bindproof: {summary.why}")
    return summary.exit
