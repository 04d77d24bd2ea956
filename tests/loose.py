"""Modules that are no part of a package: programs of adapters, of the site, and small suites."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType


def module_at(file: Path) -> ModuleType:
    """Return the module in a file, run anew."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
