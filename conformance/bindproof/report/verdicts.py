"""The report on verdicts: no table, but all that is known of each.

Enters: a digest that kept its verdicts. Leaves: text on a stream. Must not know how a verdict was reached.
"""

from __future__ import annotations

from typing import IO, TextIO

from bindproof.report import Report
from bindproof.report.digest import Digest
from bindproof.report.frame import print_closing, print_stale, print_unready
from bindproof.report.printed import Printed
from bindproof.report.printing import NO_SUITES, Suites, console_on
from bindproof.report.verdict import print_verdict


def report(stream: TextIO) -> Report:
    """Return the report (see `bindproof.report.REPORTS`)."""
    return Printed(Digest(keeps_verdicts=True), show, stream)


def show(digest: Digest, stream: IO[str], *, suites: Suites = NO_SUITES) -> None:
    """Prints all that is known of each verdict, in the order of the adapters.

    Args:
        digest: a log that was taken to its end, by a digest that keeps verdicts.
        stream: where to print.
        suites: the suites whose scenarios may have to be shown.
    """
    console = console_on(stream)
    print_unready(console, digest)
    order = list(digest.adapters)
    for verdict in sorted(digest.verdicts, key=lambda v: order.index(v.adapter) if v.adapter in order else len(order)):
        print_verdict(console, digest, verdict, suites)
    print_stale(console, digest)
    print_closing(console, digest)
