"""`bindproof verify LOG`: runs again what a log claims, and says whether it holds.

Enters: a log, and what of it is trusted. Leaves: text or JSON, an exit code. Must not know how anything is judged.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bindproof.cli.options import add_adapters, add_expectations, add_jobs, command, whole
from bindproof.cli.progress import Progress
from bindproof.cli.streams import tell
from bindproof.cli.trust import hold_trusted
from bindproof.core.command_line import command as typed
from bindproof.core.command_line import option
from bindproof.core.counting import plural
from bindproof.core.request import RunRequest
from bindproof.results import read
from bindproof.results.fold import EXIT_DIVERGENCE, EXIT_NOTHING_JUDGED, EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.runner.verifying import Verification

EXAMPLES = """\
  bindproof verify run.jsonl                       every verdict is to be seen again
  bindproof verify run.jsonl --sample 50           fifty of them, chosen anew each time
  bindproof verify run.jsonl --adapter python@0.9.4  the log names this release, and you do too
  bindproof verify theirs.jsonl --trust-log        start the programs and get the packages that it names
  bindproof verify run.jsonl --json                what came of it, for programs

A log tells the digests of the spec, of each adapter's own code and of each package. What it names is data: a program, a
release or a path is used where you name it too, or trust the log.

exit codes: 0 it holds · 1 it does not: a verdict is not seen again, or its lines contradict each other · 2 it cannot be
read, was cut short, or names what is not trusted · 3 nobody can tell: the spec, an adapter or a package is another one
than the log's, or cannot be had · 70 a bug in bindproof · 130 interrupted
"""

MOST_SHOWN = 20
"""Doubts that are shown; the others are counted."""

NEXT = {
    "log": "it was edited, or damaged: ask who wrote it, or run it again",
    "verdict": "it was edited, or what it tells of does not come out alike each time: {again}",
    "spec": "judge anew what it judged: {again}; or verify it with the bindproof that wrote it",
    "adapter": "judge anew what it judged: {again}; or verify it with the bindproof that wrote it",
    "package": "`bindproof adapters list` shows what can be had here; judge that: {again}",
}


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "verify", "run again what a log claims, and say whether it holds", EXAMPLES, act=act)
    parser.add_argument("log", type=Path, metavar="LOG", help="a result log (--results of run, matrix, merge, fuzz)")
    parser.add_argument(
        "--sample",
        type=whole,
        metavar="N",
        help="run so many of its verdicts again, any of them (default: all)",
    )
    add_adapters(parser)
    add_expectations(parser)
    parser.add_argument(
        "--trust-log", action="store_true", help="start the programs that the log names, use its packages and paths"
    )
    add_jobs(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def act(args: argparse.Namespace) -> int:
    """Verifies, tells, gives the exit code."""
    from bindproof.runner.log_claims import claims_of
    from bindproof.runner.verifying import verify

    log = read(args.log, cut_short=True)
    request = replace(log.run.request, processes=args.jobs)
    if request.campaign is not None:
        request = replace(request, campaign=replace(request.campaign, save=None))
    hold_trusted(args.log, _given(args), request, _confirming(args), trusted=args.trust_log)
    with claims_of(log, args.sample) as claims, Progress(sys.stderr) as progress:
        found = verify(claims, request, progress.say)
    if args.json:
        from bindproof.report.whole import as_json

        tell(as_json(found).rstrip("\n"))
    else:
        _print(found, typed(_again(request)))
    if found.refuted:
        return EXIT_DIVERGENCE
    return EXIT_NOTHING_JUDGED if found.doubts else EXIT_OK


def _given(args: argparse.Namespace) -> RunRequest:
    return RunRequest(
        adapters=tuple(args.adapter),
        adapter_commands=tuple(args.adapter_command),
        dialects=tuple(args.dialect),
        expectations=args.expectations,
    )


def _confirming(args: argparse.Namespace) -> str:
    sample = [] if args.sample is None else option("--sample", args.sample)
    return typed(["verify", str(args.log), *sample, "--trust-log"])


def _again(request: RunRequest) -> list[str]:
    """Return the words that judge the same adapters anew."""
    adapters = [word for name in request.adapters for word in option("--adapter", name)]
    own = [word for name, line in request.adapter_commands for word in option("--adapter-command", f"{name}={line}")]
    suite = option("--suite", request.suite) if request.suite else []
    return [request.command, *suite, *adapters, *own]


def _print(found: Verification, again: str) -> None:
    for doubt in found.doubts[:MOST_SHOWN]:
        tell(f"{doubt.name or found.log}: {doubt.text}")
    if left := len(found.doubts[MOST_SHOWN:]) + found.more:
        tell(f"and {left} more (--json has {'some of them' if found.more else 'them'})")
    for name in found.unsteady[:MOST_SHOWN]:
        tell(f"{name}: it does not come out alike each time; as the log says in some of several tries")
    for about in dict.fromkeys(doubt.about for doubt in found.doubts):
        tell(f"next, about the {about}: {NEXT[about].format(again=again)}")
    tell(_closing(found))


def _closing(found: Verification) -> str:
    counted = f"{found.seen} of {plural(found.again, 'verdict')} seen again"
    counted += f", of {found.verdicts} in the log" if found.again < found.verdicts else ""
    if found.refuted:
        return f"{found.log} does not hold: {counted}"
    if found.doubts:
        return f"nobody can tell whether {found.log} holds: {counted}"
    return f"{found.log} holds: {counted}"
