"""The errors that are the user's to mend, as against ours.

Enters: nothing. Leaves: exception types that the command line turns into exit code 2. Must not know who raises them.
Any other exception that reaches the command line is a bug in bindproof.
"""

from __future__ import annotations

from pathlib import Path


class UsageError(Exception):
    """What was asked for cannot be done as asked; the message says what to type or mend instead."""


class FileError(UsageError):
    """A file that bindproof was given cannot be used.

    path: the file. line: counted from 1, None when the whole file is meant. what: what is wrong, and what would be
    right.
    """

    def __init__(self, path: Path | str, line: int | None, what: str) -> None:
        self.path = Path(path)
        self.line = line
        self.what = what
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {what}")


class SuiteError(UsageError):
    """The code of a suite that another package provides has a mistake, which is its author's to mend.

    package: the package. path, line: where it was raised, None where no line of the package did. what: the exception.
    """

    def __init__(self, package: str, path: Path | None, line: int | None, what: str) -> None:
        self.package, self.path, self.line, self.what = package, path, line, what
        place = f"{path}:{line}: " if path is not None else ""
        super().__init__(f"{place}a mistake in the suite of the package {package}: {what}")


class SpecError(FileError):
    """The spec, a vector or an expectations file does not follow its format (spec/README.md)."""


class LogError(FileError):
    """A result log cannot be read."""
