"""Which files a folder has, and what messages call them.

Enters: folders. Leaves: paths and names, and a Problem for what cannot be listed: a folder that is passed over in
silence would make a run of fewer scenarios. Must not know what is in the files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from bindproof.spec.problem import Problem

_ENDINGS: Final = (".json", ".md", ".toml")
"""Of the files that are read; a folder with such a name stands where a file should."""


def relative(root: Path, path: Path) -> str:
    """Return the path from the data root, with slashes: how every Problem and Vector names its file."""
    return path.relative_to(root).as_posix()


def files_in(root: Path, folder: Path, pattern: str, problems: list[Problem], *, deep: bool = False) -> list[Path]:
    """Return the files of a folder whose names match a pattern, sorted; none where there is no such folder.

    deep: those of the folders in it too; of one that is linked into itself but once. What cannot be listed is among the
    problems.
    """
    found = paths_in(root, folder, problems, deep=deep)
    return sorted(Path(path) for path in found if fnmatchcase(path.rpartition("/")[2], pattern))


def paths_in(root: Path, folder: Path, problems: list[Problem], *, deep: bool = False) -> list[str]:
    """Return every file of a folder as `files_in`, as text: a suite has hundreds, looked at in every start."""
    found = _paths(os.fspath(folder), deep, root, problems, ())
    return sorted(path for path in found if path.isascii() or _has_a_name(path, root, problems))


def _paths(
    folder: str, deep: bool, root: Path, problems: list[Problem], outer: tuple[tuple[int, int], ...]
) -> Iterator[str]:
    try:
        status = os.stat(folder)  # noqa: PTH116 - quicker by much, and there are many
        own = status.st_dev, status.st_ino
        if own in outer:
            return
        with os.scandir(folder) as entries:
            there = list(entries)
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        problems.append(Problem(_shown(Path(folder), root), 1, f"this folder cannot be read: {reason}"))
        return
    for entry in there:
        if not entry.is_dir():
            yield entry.path
        elif entry.name.endswith(_ENDINGS):
            problems.append(Problem(_shown(Path(entry.path), root), 1, "this is a folder, and its name is a file's"))
        elif deep:
            yield from _paths(entry.path, deep, root, problems, (*outer, own))


def _has_a_name(path: str, root: Path, problems: list[Problem]) -> bool:
    """Tell whether a file's name can be written down; ids are made of it."""
    try:
        path.encode()
    except UnicodeEncodeError:
        problems.append(Problem(_shown(Path(path), root), 1, "this file's name is no UTF-8; rename it"))
        return False
    return True


def _shown(path: Path, root: Path) -> str:
    return relative(root, path).encode("utf-8", "backslashreplace").decode()
