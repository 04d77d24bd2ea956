"""`bindproof compare`: what changed between two judgements, of two logs or of two adapters that are judged now.

Enters: its arguments. Leaves: text or JSON, an exit code. Must not know how anything is judged.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.options import add_expectations, add_jobs, command, seconds
from bindproof.cli.recorder import Recorder
from bindproof.cli.streams import say, tell
from bindproof.core.errors import LogError, UsageError
from bindproof.core.origins import FromVector, name_of, named_by
from bindproof.core.request import RunRequest
from bindproof.report.comparison import Comparison, Side, compare
from bindproof.results import FindingLine, Line, Log, SummaryLine, VerdictLine, Writer, read
from bindproof.results.fold import EXIT_DIVERGENCE, EXIT_OK, first_of

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

EXAMPLES = """\
  bindproof compare before.jsonl after.jsonl                       two logs of `bindproof run --results`
  bindproof compare --adapter python@0.9.4 --adapter python@0.10.4 two releases, judged now, each under its edition
  bindproof compare run.jsonl --adapter python --adapter node      two adapters of one log
  bindproof compare before.jsonl after.jsonl --adapter python      one adapter, where the logs have several
  bindproof compare before.jsonl after.jsonl --vector 'relay/marks/*'  these scenarios alone

exit codes: 0 nothing broke · 1 a requirement broke, known or not, or a scenario is not judged any more · those of
`bindproof run`, but for its 1, of two adapters that are judged now
"""


class Both:
    """Gives two sides the lines of one run (see `bindproof.report.Report`)."""

    for_programs = True

    def __init__(self, sides: Iterable[Side]) -> None:
        self._sides = tuple(sides)

    def add(self, line: Line) -> None:
        """Take the next line."""
        for side in self._sides:
            side.add(line)

    def end(self) -> None:
        """Print nothing."""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "compare", "what broke, was mended or changed between two judgements", EXAMPLES, act=act)
    parser.add_argument("logs", nargs="*", type=Path, metavar="LOG", help="the earlier log, and the later one")
    parser.add_argument(
        "--adapter",
        action="append",
        default=[],
        metavar="NAME[@VERSION]",
        help="without a log: judge these two now; with one: its two adapters; with two: the adapter in both",
    )
    parser.add_argument(
        "--vector",
        action="append",
        default=[],
        metavar="GLOB",
        help="only scenarios that are called so, each with its positive twin; may be given again",
    )
    parser.add_argument("--suite", help="judge by this suite alone")
    parser.add_argument("--timeout", type=seconds, metavar="S", help="seconds that one scenario may take (default 10)")
    add_expectations(parser)
    add_jobs(parser)
    parser.add_argument("--results", type=Path, metavar="FILE", help="write the log of what is judged now there")
    parser.add_argument("--json", action="store_true", help="print JSON")


def act(args: argparse.Namespace) -> int:
    """Compares, prints, gives the exit code."""
    _hold_asked(args)
    logs = [whole(path) for path in args.logs]
    code = EXIT_OK
    match len(logs):
        case 0:
            sides = Side(args.adapter[0]), Side(args.adapter[1])
            code = judged(_request(args), args.results, sides)
        case 1:
            sides = _of_logs([*logs, *logs], args.adapter, args.vector)
        case _:
            sides = _of_logs(logs, args.adapter or _alike(logs), args.vector)
    comparison = compare(*sides)
    _print(comparison, as_json=args.json)
    return first_of([code, EXIT_DIVERGENCE if comparison.is_worse else EXIT_OK])


def _hold_asked(args: argparse.Namespace) -> None:
    if len(args.logs) > 2:
        raise UsageError("two logs are compared, the earlier one and the later one")
    if len(args.logs) < 2 and len(args.adapter) != 2:
        raise UsageError("name two logs, or two adapters: --adapter python@0.9.4 --adapter python@0.10.4")
    if len(args.logs) == 2 and len(args.adapter) > 2:
        raise UsageError("name the adapter in both logs once, or as it is called in each")
    judging = [name for name in ("suite", "timeout", "expectations", "results") if getattr(args, name) is not None]
    if args.logs and judging:
        raise UsageError(f"logs are compared as they were judged; leave out --{judging[0]}")


def whole(path: Path) -> Log:
    """Return a log that has an end: of one that was cut short nobody knows what it would have shown."""
    log = read(path, cut_short=True)
    end = None
    for line in log:
        end = line
    if not isinstance(end, SummaryLine) or end.interrupted:
        raise LogError(path, None, f"this run was cut short; finish it first: bindproof run --continue {path}")
    return log


def _of_logs(logs: Sequence[Log], adapters: Sequence[str], vectors: Sequence[str]) -> tuple[Side, Side]:
    _hold_asked_alike(*logs)
    old, new = Side(adapters[0]), Side(adapters[-1])
    left = set(vectors)
    for side, log in zip((old, new), logs, strict=True):
        for line in log:
            if vectors and isinstance(line, VerdictLine | FindingLine):
                named = _naming(line, vectors)
                if not named or line.adapter != side.adapter:
                    continue
                left -= named
            side.add(line)
    if left:
        names = " or ".join(dict.fromkeys(adapters))
        what = f"no scenario of {names} in these logs is called {' or '.join(sorted(left))}"
        raise UsageError(f"{what}; `bindproof spec list --vectors` shows the vectors")
    return old, new


def _naming(line: VerdictLine | FindingLine, vectors: Sequence[str]) -> set[str]:
    """Return which of some globs name the scenario of a line, or the negative that it is the twin of."""
    name = name_of(named_by(line.origin or FromVector(line.plan)))
    return {glob for glob in vectors if fnmatchcase(name, glob)}


def _hold_asked_alike(old: Log, new: Log) -> None:
    """Logs of other scenarios show other things, and nothing of it is a change."""
    for name in ("suite", "requirements", "vectors", "files", "campaign", "shard", "fault"):
        one, other = (getattr(log.run.request, name) for log in (old, new))
        if one != other:
            raise LogError(new.path, 1, f"it was run with another choice of {name} than {old.path}: run both alike")


def _alike(logs: Sequence[Log]) -> list[str]:
    """Return the one adapter of each log that is meant: the only one, or the one that both have."""
    names = [log.run.adapters for log in logs]
    if all(len(one) == 1 for one in names):
        return [one[0] for one in names]
    pairs = [(one, other) for one in names[0] for other in names[1] if _base(one) == _base(other)]
    if len(pairs) == 1:
        return [*pairs[0]]
    shown = " · ".join(f"{log.path}: {', '.join(one)}" for log, one in zip(logs, names, strict=True))
    raise UsageError(f"which adapter? Name it with --adapter ({shown})")


def _base(name: str) -> str:
    return name.partition("@")[0]


def _request(args: argparse.Namespace) -> RunRequest:
    return RunRequest(
        suite=args.suite,
        adapters=tuple(args.adapter),
        vectors=tuple(args.vector),
        timeout=args.timeout,
        expectations=args.expectations,
        processes=args.jobs,
    )


def judged(request: RunRequest, results: Path | None, sides: Sequence[Side]) -> int:
    """Judge now, for these sides; return the exit code of that, but for divergences."""
    from bindproof.runner import execute

    with Writer(results) as writer:
        recorder = Recorder(writer, Both(sides), ())
        ended = recorder.record(lambda emit, progress: execute(request, emit, progress))
        summary = recorder.close(ended)
    if ended is not None:
        raise ended
    if summary.exit not in (EXIT_OK, EXIT_DIVERGENCE):
        say(f"bindproof: {summary.why}")
        return summary.exit
    return EXIT_OK


def _print(comparison: Comparison, *, as_json: bool) -> None:
    from bindproof.report.compared import show
    from bindproof.report.whole import as_json as text_of

    if as_json:
        tell(text_of(comparison).rstrip("\n"))
    else:
        show(comparison, sys.stdout)
