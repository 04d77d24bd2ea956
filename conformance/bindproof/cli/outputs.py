"""What is made of the lines of a run besides its log: one report on stdout, and others in files.

Enters: arguments, lines. Leaves: text on stdout, and files that are whole or not there. Must not know what a report
says.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from bindproof.core.errors import FileError, UsageError
from bindproof.core.paths import resolved
from bindproof.report import REPORTS, Report, report_of
from bindproof.results import Line


def add_files(parser: argparse.ArgumentParser) -> None:
    """An option for each report that makes a file."""
    group = parser.add_argument_group("reports in files, beside the one on stdout")
    for entry in REPORTS.values():
        if entry.option is not None:
            group.add_argument(f"--{entry.option}", type=Path, metavar="FILE", help=entry.shows)


def files_of(args: argparse.Namespace) -> dict[str, Path]:
    """Return the files that were asked for, by report. Raises UsageError for one that is asked for twice."""
    asked = {name: getattr(args, entry.option) for name, entry in REPORTS.items() if entry.option is not None}
    files = {name: path for name, path in asked.items() if path is not None}
    others = [path for name in ("results", "log_file") if (path := getattr(args, name, None)) is not None]
    asked_for = [*files.values(), *others]
    places = [resolved(path) for path in asked_for if path.is_file() or not path.exists()]
    if len(set(places)) < len(places):
        raise UsageError("two reports, or a report and a log, are asked for in one file; name another")
    return files


class Outputs:
    """All reports of a run, as one (see `bindproof.report.Report`).

    report: the name of the one that is printed on stdout. files: the places of others, by name; raises FileError for
    one that cannot be written there, before anything is judged.
    """

    def __init__(self, report: str, files: Mapping[str, Path]) -> None:
        self._printed = report_of(report, sys.stdout)
        self._files = [_InFile(name, path) for name, path in files.items()]
        self.for_programs = self._printed.for_programs

    def add(self, line: Line) -> None:
        """Give each the next line."""
        for file in self._files:
            file.add(line)
        self._printed.add(line)

    def end(self) -> None:
        """Write the files, then print. A file that could not be written is told of when the rest is done."""
        lost: FileError | None = None
        for file in self._files:
            try:
                file.end()
            except FileError as error:
                lost = lost or error
        self._printed.end()
        if lost is not None:
            raise lost

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for file in self._files:
            file.close()


class _InFile:
    """A report that is there as a whole, under its name, once the run is over."""

    def __init__(self, name: str, path: Path) -> None:
        _hold_writable(path)
        self._path = path
        self._text: TextIO = tempfile.TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115
        self._report: Report = report_of(name, self._text)
        self.add = self._report.add

    def end(self) -> None:
        """Raises FileError."""
        try:
            self._report.end()
            self._text.seek(0)
            if self._path.exists() and not self._path.is_file():  # a device, or a pipe
                with self._path.open("w", encoding="utf-8", newline="") as file:
                    shutil.copyfileobj(self._text, file)
            else:
                self._replace()
        except OSError as error:
            raise FileError(self._path, None, f"the report cannot be written there: {error.strerror}") from error

    def close(self) -> None:
        """Forget what was not written."""
        self._text.close()

    def _replace(self) -> None:
        place = resolved(self._path)
        part = place.with_name(f"{place.name}.part")
        try:
            with part.open("w", encoding="utf-8", newline="") as file:
                shutil.copyfileobj(self._text, file)
            part.replace(place)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def _hold_writable(path: Path) -> None:
    folder = resolved(path).parent
    if path.is_dir():
        raise FileError(path, None, "the report cannot be written there: it is a folder; name a file")
    if not folder.is_dir():
        raise FileError(path, None, f"the report cannot be written there: there is no folder {folder}; make it")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise FileError(path, None, "the report cannot be written there: Permission denied")
