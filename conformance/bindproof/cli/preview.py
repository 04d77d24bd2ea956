"""`bindproof preview`: which verdicts change before somebody moves to another release, of a target or of bindproof.

Enters: its arguments. Leaves: text or JSON, an exit code. Must not know how anything is judged or explained.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bindproof.cli.compare import judged, whole
from bindproof.cli.options import add_expectations, add_jobs, command
from bindproof.cli.streams import tell
from bindproof.cli.trust import hold_trusted
from bindproof.core.command_line import command as typed
from bindproof.core.errors import UsageError
from bindproof.core.request import RunRequest
from bindproof.results import Log
from bindproof.results.fold import EXIT_DIVERGENCE, EXIT_OK, first_of

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.report.preview import Preview, Verdicts

EXAMPLES = """\
  bindproof preview python@0.9.4 python@0.10.4     a newer release of the target: both are judged now
  bindproof preview run.jsonl                      a newer bindproof: what the log's adapter is judged like by this one
  bindproof preview run.jsonl python@0.10.4        the log of the release of today, and a newer one
  bindproof preview old.jsonl new.jsonl            two logs, as they were judged

Two releases are judged under the edition of the newer one, so that what changes for a program is seen: what the older
one does otherwise diverges there. --edition chooses another. A log is taken as it was judged; what it names is used
where you name it too, or say --trust-log.

exit codes: 0 nothing gets worse · 1 a verdict is broken that was not · 2 usage, or a log that cannot be used · those of
`bindproof run`, but for its 1, of what is judged now
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "preview", "which verdicts change with another release, and why", EXAMPLES, act=act)
    parser.add_argument("old", metavar="OLD", help="a release, such as python@0.9.4, or a result log")
    parser.add_argument(
        "new", nargs="?", metavar="NEW", help="the same; without it: what OLD's log asked for, judged by this bindproof"
    )
    parser.add_argument("--adapter", metavar="NAME", help="which adapter, where a log has several")
    parser.add_argument("--suite", help="judge by this suite alone")
    parser.add_argument("--edition", help="judge both releases under it, instead of the edition of the newer one")
    add_expectations(parser)
    parser.add_argument(
        "--trust-log", action="store_true", help="start the programs that a log names, use its packages and paths"
    )
    add_jobs(parser)
    parser.add_argument("--results", type=Path, metavar="FILE", help="write the log of what is judged now there")
    parser.add_argument("--json", action="store_true", help="print JSON")


def act(args: argparse.Namespace) -> int:
    """Previews, prints, gives the exit code."""
    from bindproof.report.preview import Verdicts, own_editions, preview

    old = whole(Path(args.old)) if _is_log(args.old) else None
    new = whole(Path(args.new)) if args.new is not None and _is_log(args.new) else None
    _hold_asked(args, old, new)
    sides = Verdicts(_name(args, old, args.old)), Verdicts(_name(args, new or old, args.new))
    if old is not None:
        _read(old, sides[0])
    if new is not None:
        _read(new, sides[1])
    code = EXIT_OK
    if new is None:
        code = judged(_request(args, old), args.results, sides if old is None else sides[1:])
    first, last = (own_editions(side) for side in sides)
    own = {suite: (edition, last[suite]) for suite, edition in first.items() if suite in last}
    found = preview(*sides, own)
    _print(found, as_json=args.json)
    return first_of([code, EXIT_DIVERGENCE if found.is_worse else EXIT_OK])


def _is_log(word: str) -> bool:
    return word.endswith(".jsonl") or Path(word).is_file()


def _hold_asked(args: argparse.Namespace, old: Log | None, new: Log | None) -> None:
    if old is None and args.new is None:
        raise UsageError(f"name what {args.old} is held against: bindproof preview {args.old} NAME@RELEASE")
    if old is None and new is not None:
        raise UsageError(f"the earlier one is a log too, or both are judged now: bindproof preview LOG {args.new}")
    judging = [name for name in ("suite", "edition", "expectations", "results") if getattr(args, name) is not None]
    if new is not None and judging:
        raise UsageError(f"two logs are taken as they were judged; leave out --{judging[0]}")
    if old is not None and (args.suite or args.edition):
        raise UsageError("a log is taken as it was judged; leave out --suite and --edition")


def _name(args: argparse.Namespace, log: Log | None, word: str | None) -> str:
    """Return the adapter that is meant: the word itself, or of a log the only one, or the one that is chosen."""
    if log is None or (word is not None and not _is_log(word)):
        return str(word)
    names = log.run.adapters
    if args.adapter is not None:
        if args.adapter not in names:
            other = typed(["preview", str(log.path), args.adapter])
            raise UsageError(
                f"{args.adapter} is no adapter of {log.path} ({', '.join(names)}); to hold it against the log: {other}"
            )
        return str(args.adapter)
    if len(names) != 1:
        raise UsageError(f"which adapter of {log.path}? Name it with --adapter ({', '.join(names)})")
    return names[0]


def _read(log: Log, side: Verdicts) -> None:
    for line in log:
        side.add(line)


def _request(args: argparse.Namespace, old: Log | None) -> RunRequest:
    """Return what is judged now: both releases, or what a log asked for."""
    if old is None:
        return RunRequest(
            suite=args.suite,
            adapters=(args.old, args.new),
            edition=args.edition or _edition_of(args.new, args.suite),
            expectations=args.expectations,
            processes=args.jobs,
        )
    request = replace(old.run.request, processes=args.jobs)
    if request.campaign is not None:
        raise UsageError(f"{old.path} is of generated scenarios, which differ from release to release: preview a run")
    if args.new is not None:
        request = replace(request, adapters=(args.new,), adapter_commands=())
    if args.expectations is not None:
        request = replace(request, expectations=args.expectations)
    given = RunRequest(adapters=(args.new,) if args.new else (), expectations=args.expectations)
    confirm = typed(["preview", *filter(None, [args.old, args.new]), "--trust-log"])
    hold_trusted(old.path, given, request, confirm, trusted=args.trust_log)
    return request


def _edition_of(name: str, suite: str | None) -> str | None:
    """Return the edition of a release that is named, where it can be told before the release is there."""
    from bindproof import spec
    from bindproof.targets import manifest_of
    from bindproof.targets.names import split, wanted
    from bindproof.targets.unmet import Unmet

    adapter, rest = split(name)
    manifest = manifest_of(adapter)
    try:
        choice = wanted(rest, adapter)
    except Unmet:
        return None
    if choice.kind not in ("default", "release"):
        return None
    version = choice.text or str(manifest.get.release or "")
    suites = [suite] if suite is not None else list(manifest.suites)
    return spec.edition_of(spec.installed(suites[0]), manifest.target, version)[0] if len(suites) == 1 else None


def _print(found: Preview, *, as_json: bool) -> None:
    from bindproof.report.previewed import show
    from bindproof.report.whole import as_json as text_of

    if as_json:
        tell(text_of(found).rstrip("\n"))
    else:
        show(found, sys.stdout)
