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
from bindproof.targets.manifest import Manifest

NODE_MODULES = "node_modules"
"""Where packages of Node are installed."""


class PackageCopy:
    """A copy of a package. original: its folder. copied: where the copy is to be. command: starts the adapter with it.

    Whoever makes it removes the folder of the copy.
    """

    def __init__(self, original: Path, copied: Path, command: AdapterCommand) -> None:
        self._source, self._copy, self._command = original, copied, command
        self._changed: set[str] = set()
        shutil.copytree(original, copied, copy_function=_put, ignore=shutil.ignore_patterns("__pycache__"))

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


def copy_of(command: AdapterCommand, manifest: Manifest, folder: Path) -> PackageCopy:
    """Copy the package that an adapter drives into an empty folder.

    Raises UsageError where the adapter's command does not say where the package is.
    """
    package = manifest.get.module or manifest.target
    original = imported_from(command, package)
    if original is not None:
        path = os.pathsep.join([str(folder), command.env[PYTHON_PATH]])
        return PackageCopy(original, folder / package, replace(command, env={**command.env, PYTHON_PATH: path}))
    installed = Path(command.cwd) / NODE_MODULES
    if manifest.get.module is None and (installed / package).is_dir():
        return _of_node(command, installed, package, folder)
    raise UsageError(f"{command.name} has no copy of {package} of its own; name a release, or a package of your own")


def _of_node(command: AdapterCommand, installed: Path, package: str, folder: Path) -> PackageCopy:
    """Copy a package of Node; what is installed beside it, its native library among it, is the same."""
    beside = folder / NODE_MODULES
    beside.mkdir()
    for other in installed.iterdir():
        if other.name != package:
            (beside / other.name).symlink_to(other)
    argv = tuple(str(folder) if word == command.cwd else word for word in command.argv)
    return PackageCopy(installed / package, beside / package, replace(command, argv=argv, cwd=str(folder)))


def _put(source: str, target: str) -> str:
    """Copy a text; what is compiled is large and never changed, so it is linked."""
    if source.endswith((".so", ".pyd", ".dylib", ".node")):
        Path(target).symlink_to(source)
    else:
        shutil.copyfile(source, target)
    return target
