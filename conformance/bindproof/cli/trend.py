"""`bindproof trend FOLDER`: how adapters stood from log to log.

Enters: folders and logs. Leaves: a table, or JSON. Must not know how a verdict was reached.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.options import command
from bindproof.cli.streams import say, tell
from bindproof.core.errors import LogError, UsageError
from bindproof.results import Log, read
from bindproof.results.fold import EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.report.trend import Point

EXAMPLES = """\
  bindproof trend nightly/                              all logs of a folder (*.jsonl), by the time when they began
  bindproof trend monday.jsonl tuesday.jsonl            these
  bindproof trend nightly/ --adapter python             of one adapter, whatever its release
  bindproof trend nightly/ --json                       for a program that draws it

What broke or was mended is told since the point before of the same adapter. A log that was cut short is shown as far
as it goes; a file of a folder that is no log of this format is named, and left out.

exit codes: 0 once all is shown, whatever the logs say · 2 usage, or there is no log
"""

MOST_NAMED = 5
"""Requirements that are named of a point; others are counted."""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "trend", "show how adapters stood from log to log", EXAMPLES, act=act)
    parser.add_argument("places", nargs="+", type=Path, metavar="FOLDER|LOG", help="result logs, or folders of them")
    parser.add_argument("--adapter", metavar="NAME", help="only this one, such as python, or python@0.9.4")
    parser.add_argument("--json", action="store_true", help="print JSON")


def act(args: argparse.Namespace) -> int:
    """Reads the logs, shows the points."""
    from bindproof.report.trend import points
    from bindproof.report.whole import as_json

    found = [one for one in points(list(_logs(args.places))) if args.adapter in (None, one.adapter, one.series)]
    if not found:
        named = f" of {args.adapter}" if args.adapter else ""
        raise UsageError(
            f"there is no log{named} here; `bindproof run --results {args.places[0]}/NAME.jsonl` writes one"
        )
    if args.json:
        tell(as_json(found).rstrip("\n"))
    else:
        _print(found)
    return EXIT_OK


def _logs(places: Sequence[Path]) -> Iterator[Log]:
    """Yield the logs. Raises LogError for one that was named and is none."""
    for place in places:
        if not place.is_dir():
            yield read(place, cut_short=True)
            continue
        for path in sorted(place.glob("*.jsonl")):
            try:
                log = read(path, cut_short=True)
                for _ in log:  # whether all of it can be read
                    pass
            except LogError as error:
                say(f"bindproof: left out: {error}")
            else:
                yield log


def _print(found: Sequence[Point]) -> None:
    from bindproof.report.printing import console_on, plain_table

    console = console_on(sys.stdout)
    table = plain_table()
    for head in ("began", "adapter", "target", "edition", "held", "known", "broken", "other", "exit", "since before"):
        table.add_column(head, overflow="fold")
    for one in found:
        counts = dict(one.counts)
        three = [str(counts.pop(status, 0)) for status in ("held", "known", "broken")]
        table.add_row(
            one.started[:16],
            one.adapter,
            f"{one.target} {one.version}".strip(),
            ", ".join(one.editions),
            *three,
            str(sum(counts.values())),
            str(one.exit),
            _since(one),
        )
    console.print(table)


def _since(one: Point) -> str:
    parts = [
        f"{word} {', '.join(rules[:MOST_NAMED])}"
        + (f" and {len(rules) - MOST_NAMED} more" if rules[MOST_NAMED:] else "")
        for word, rules in (("broke", one.broke), ("mended", one.mended))
        if rules
    ]
    return one.why or "; ".join(parts)
