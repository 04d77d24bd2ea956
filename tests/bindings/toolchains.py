"""What has to be on this machine for an adapter to be tried: where it is not, its tests are skipped and say why.

Enters: the name of an adapter. Leaves: a mark, or a parameter with one. A toolchain that is broken fails the tests.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

NEEDED = {"c": ("cargo",), "go": ("cargo", "go"), "llm-stack": ("cargo",), "rust": ("cargo",)}
"""The programs without which an adapter is unavailable."""

NATIVE = ("c", "go", "rust")
OLDER = ("c@0.9.4", "go@0.9.4", "rust@0.9.4")
"""Releases of an older edition, each built on first use."""

BINDINGS = ("python", "node", *NATIVE)
ALL = ("reference", *BINDINGS)


def toolchain(adapter: str) -> pytest.MarkDecorator:
    """Skips where a program that the adapter is built with is not on PATH."""
    absent = [name for name in NEEDED.get(adapter.partition("@")[0], ()) if shutil.which(name) is None]
    return pytest.mark.skipif(bool(absent), reason=f"{adapter} is not tried: there is no {' and no '.join(absent)}")


def each(*adapters: str) -> list[ParameterSet]:
    """Parameters, each of which is skipped where its adapter cannot be built."""
    return [pytest.param(name, marks=toolchain(name)) for name in adapters]
