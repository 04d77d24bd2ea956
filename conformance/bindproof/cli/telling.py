"""How much is told while something is done, and where it is noted besides.

Enters: options, words. Leaves: lines in a file. Must not know what is being done.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from bindproof.core.errors import FileError
from bindproof.core.visible import visible

PROGRESS = ("auto", "plain", "none")
"""How progress is told: bars on a terminal and lines elsewhere, lines everywhere, or not at all."""


class Telling:
    """quiet: nothing is told but errors. verbose: each verdict is, too. progress: one of PROGRESS. file: where what is
    told is noted.
    """

    def __init__(
        self, *, quiet: bool = False, verbose: bool = False, progress: str = "auto", file: IO[str] | None = None
    ) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self.draws = progress == "auto" and not quiet and not verbose
        """Bars are drawn, where there is a terminal."""
        self.tells = progress != "none" and not quiet
        """It is told what is done meanwhile."""
        self._file = file

    def note(self, text: str) -> None:
        """Write words into the file, if there is one; where it takes no more they are lost, and nothing else."""
        if self._file is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        with suppress(OSError, ValueError):
            self._file.writelines(f"{now} {visible(line)}\n" for line in text.splitlines())
            self._file.flush()


_telling = [Telling()]
"""The last one counts: it is of the command that runs."""


def current() -> Telling:
    """Return how much the command that runs tells."""
    return _telling[-1]


@contextmanager
def telling(args: argparse.Namespace) -> Iterator[None]:
    """Have a command tell as its arguments say. Raises FileError for a file that cannot be written."""
    path: Path | None = getattr(args, "log_file", None)
    file = _opened(path) if path is not None else None
    asked = {name: getattr(args, name) for name in ("quiet", "verbose", "progress") if hasattr(args, name)}
    _telling.append(Telling(**asked, file=file))
    try:
        yield
    finally:
        _telling.pop()
        if file is not None:
            file.close()


def add_telling(parser: argparse.ArgumentParser) -> None:
    """`--quiet`, `--verbose`, `--progress` and `--log-file`."""
    group = parser.add_argument_group("what is told meanwhile, on stderr")
    chosen = group.add_mutually_exclusive_group()
    chosen.add_argument("--quiet", action="store_true", help="tell nothing but errors")
    chosen.add_argument("--verbose", action="store_true", help="tell each verdict as it comes, and draw no bars")
    group.add_argument(
        "--progress",
        choices=PROGRESS,
        default="auto",
        metavar="HOW",
        help="auto: bars on a terminal, lines elsewhere (as without it); plain: lines; none: nothing of it",
    )
    group.add_argument("--log-file", type=Path, metavar="FILE", help="note there what is told, with times, at its end")


def _opened(path: Path) -> IO[str]:
    try:
        return path.open("a", encoding="utf-8")
    except OSError as error:
        raise FileError(
            path, None, f"what is told cannot be noted there: {error.strerror}; name another file"
        ) from error
