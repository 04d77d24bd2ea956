"""What is driven: which release of a package an imported module belongs to, and how an adapter says so.

Enters: a module and its distribution's name. Leaves: the version in the metadata beside that very module.
"""

from __future__ import annotations

import platform
import re
from pathlib import Path
from types import ModuleType
from typing import Any

from bindproof_adapter.signals import AdapterFault


def described(
    suite: str, target: str, version: str, language: str, *capabilities: str, dialect: str = "", through: str = ""
) -> Any:
    """Return what an adapter of one suite says of what it drives.

    language: of the target's callers. dialect: how the adapter spells, as the language is called where none is named.
    capabilities: what the suite has words for. through: what the target is driven with, such as `cffi in `.
    """
    runtime = f"{through}{platform.python_implementation()} {platform.python_version()}"
    said = {"name": target, "version": version, "language": language, "runtime": runtime}
    return {"target": said, "suites": {suite: {"dialect": dialect or language, "capabilities": list(capabilities)}}}


def version_of(module: ModuleType, distribution: str) -> str:
    """Return the version of `distribution` that `module` was imported from.

    The metadata beside the module wins; an editable install has none there, and is asked for by name. Raises
    AdapterFault where neither exists.
    """
    stem = distribution.replace("-", "_")
    folder = Path(module.__file__ or "").parent.parent
    for metadata in folder.glob(f"{stem}-*.dist-info/METADATA"):
        found = re.search(r"^Version: *(\S+)", metadata.read_text("utf-8"), re.MULTILINE)
        if found:
            return found[1]
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and seldom needed

    try:
        return version(distribution)
    except PackageNotFoundError:
        raise AdapterFault(f"{module.__name__} at {folder} has no metadata of {distribution}") from None
