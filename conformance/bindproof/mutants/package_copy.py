"""A copy of an installed package, in which files can be other ones; the adapter is driven against it.

Enters: how an adapter starts, the name of the package that it imports. Leaves: a folder with a copy, and how to start
the adapter with that. Must not know what the files say.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand
from bindproof.runner.adapter_commands import PYTHON_PATH, imported_from


class PackageCopy:
    """A copy of a package. folder: an empty one for it, which the caller removes.

    Raises UsageError where the adapter's command does not say where the package is.
    """

    def __init__(self, command: AdapterCommand, package: str, folder: Path) -> None:
        original = imported_from(command, package)
        if original is None:
            raise UsageError(f"{command.name} has no copy of {package} of its own; name a release or a wheel")
        self._source, self._copy = original, folder / package
        self._changed: set[str] = set()
        self._command = replace(
            command, env={**command.env, PYTHON_PATH: os.pathsep.join([str(folder), command.env[PYTHON_PATH]])}
        )
        shutil.copytree(original, self._copy, copy_function=_put, ignore=shutil.ignore_patterns("__pycache__"))

    def read(self, file: str) -> str:
        """Return the text of a file as it is in the package; raises UsageError where there is none."""
        try:
            return (self._source / file).read_text("utf-8")
        except FileNotFoundError:
            raise UsageError(f"{self._source} has no file {file}; mend [layer] in the adapter's manifest") from None

    def has(self, file: str) -> bool:
        """Tell whether the package has a file; older releases may lack one."""
        return (self._source / file).is_file()

    def with_files(self, texts: Mapping[str, str]) -> AdapterCommand:
        """Make these files other ones and all else as it is in the package; return how to start the adapter so."""
        for file in self._changed - texts.keys():
            self._write(file, self.read(file))
        for file, text in texts.items():
            self._write(file, text)
        self._changed = set(texts)
        return self._command

    def _write(self, file: str, text: str) -> None:
        path = self._copy / file
        path.write_text(text, "utf-8")
        # what was compiled of a text of the same length, in the same second, would be taken for this one's
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()


def _put(source: str, target: str) -> str:
    """Copy a text; what is compiled is large and never changed, so it is linked."""
    if source.endswith((".so", ".pyd", ".dylib")):
        Path(target).symlink_to(source)
    else:
        shutil.copyfile(source, target)
    return target
