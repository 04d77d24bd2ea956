"""What the reports for people have in common: a digest is made of the log as it comes, and printed when it is whole.

Enters: the lines of a log, in order. Leaves: calls of what prints. Must not know what is printed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import IO, TYPE_CHECKING, Protocol, TextIO

from bindproof.core.errors import UsageError
from bindproof.report.digest import Digest
from bindproof.results.fold import EXIT_USAGE

if TYPE_CHECKING:
    from bindproof.report.printing import Suites
    from bindproof.suites import Suite


class Show(Protocol):
    """Prints a digest that is whole. suites: those whose scenarios may have to be shown."""

    def __call__(self, digest: Digest, stream: IO[str], *, suites: Suites) -> None:
        """See above."""


class Printed:
    """See `bindproof.report.Report`. digest: an empty one, which keeps what `show` needs."""

    for_programs = False

    def __init__(self, digest: Digest, show: Show, stream: TextIO) -> None:
        self._digest, self._show, self._stream = digest, show, stream
        self.add = digest.add

    def end(self) -> None:
        """Print the digest; of a run that ended before anything happened there is nothing to tell."""
        summary = self._digest.summary
        if summary is not None and summary.exit == EXIT_USAGE and not self._digest.adapters:
            return
        self._show(self._digest, self._stream, suites=_suites_of(self._digest))
        self._stream.flush()


def _suites_of(digest: Digest) -> dict[str, Suite]:
    """The suites whose scenarios are shown; a log may speak of one that is not installed here."""
    from bindproof import spec, suites

    shown = [divergence.verdict for divergence in digest.divergences if divergence.expected_by is None]
    found = {}
    for name in dict.fromkeys(verdict.suite for verdict in (*digest.verdicts, *shown)):
        with suppress(UsageError):
            found[name] = suites.load(spec.installed(name))
    return found
