"""Whether an exception is a mistake in the code of a suite that another package provides: its author's, and not ours.

Enters: an exception. Leaves: a SuiteError with the package, the file and the line, or None. Must not know who met it.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bindproof.core.errors import SuiteError, UsageError
from bindproof.core.paths import OWN, home_of, providers

Place = tuple[Path | None, int | None]
"""File and line, where there are any."""


class UnfitError(TypeError):
    """What a suite's code gave is of no use. given_by: the code that gave it."""

    def __init__(self, what: str, given_by: object) -> None:
        self.given_by = given_by
        super().__init__(what)


def mistake_in(error: BaseException) -> SuiteError | None:
    """Return what an exception says of a suite's code: it came out of the deepest line of a suite's package.

    None for one that no such package raised, and for what a user can mend elsewhere.
    """
    if isinstance(error, UsageError | MemoryError) or not isinstance(error, Exception):
        return error if isinstance(error, SuiteError) else None
    homes = _homes()
    if isinstance(error, UnfitError):
        found = ((package, *place_of(error.given_by, package)) for package in homes)
        return next((SuiteError(*place, str(error)) for place in found if place[1] is not None), None)
    for path, line in _places(error):
        for package, home in homes.items():
            if path.is_relative_to(home):
                return SuiteError(package, path, line, f"{type(error).__name__}: {_words(error)}")
    return None


def with_place(error: Exception) -> str:
    """Return the words of an exception that may be about what was asked, with the line of a suite that raised it."""
    mistake = mistake_in(error)
    return f"{error}" if mistake is None or mistake.path is None else f"{error} ({mistake.path}:{mistake.line})"


@contextmanager
def telling_mistakes(*but: type[Exception]) -> Iterator[None]:
    """Raise a SuiteError in the place of what a mistake in a suite's code raised; all else goes on as it is.

    but: what the code may raise without being mistaken.
    """
    try:
        yield
    except but:
        raise
    except Exception as error:
        if (mistake := mistake_in(error)) is not None:
            raise mistake from error
        raise


def unloadable(package: str, entry: str, error: Exception) -> SuiteError:
    """Return what is said of a suite whose code cannot be loaded. entry: as its entry point names it."""
    found = mistake_in(error)
    if found is not None:
        return found
    return SuiteError(package, None, None, f"{entry} cannot be loaded: {type(error).__name__}: {_words(error)}")


def _words(error: Exception) -> str:
    return error.msg if isinstance(error, SyntaxError) else str(error)


def _places(error: Exception) -> Iterator[tuple[Path, int]]:
    """Yield the places that an exception went through, the deepest first."""
    if isinstance(error, SyntaxError) and error.filename:
        yield Path(error.filename), error.lineno or 1
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        yield Path(frame.filename), frame.lineno or 1


def _homes() -> dict[str, Path]:
    """Return the folder of each package but ours that provides a suite."""
    return {package: home_of(package) for package in set(providers().values()) - {OWN}}


def place_of(thing: object, package: str) -> Place:
    """Return file and line of a function or a class of a package; nothing where it is not the package's."""
    import inspect

    try:
        found: Any = inspect.unwrap(thing) if callable(thing) else thing
        found = getattr(found, "func", found)  # what functools made of it
        path = Path(inspect.getsourcefile(found) or "")
        line = inspect.getsourcelines(found)[1]
    except (TypeError, OSError, ValueError):
        return None, None
    return (path, max(line, 1)) if path.is_relative_to(home_of(package)) else (None, None)
