"""What has to be on this machine for an adapter to be tried: where it is not, its tests are skipped and say why.

Enters: the name of an adapter. Leaves: a mark, or a parameter with one. A toolchain that cannot run is as good as none;
one that runs and builds nothing fails the tests.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from bindproof.suites.relay.targets import go_target
from bindproof.targets import cargo
from bindproof.targets.unmet import Unmet

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

ASKED = {"cargo": cargo.toolchain, "go": go_target.toolchain}
NEEDED = {"c": ("cargo",), "go": ("cargo", "go"), "llm-stack": ("cargo",), "rust": ("cargo",)}
"""The toolchains without which an adapter is unavailable."""

NATIVE = ("c", "go", "rust")
OLDER = ("c@0.9.4", "go@0.9.4", "rust@0.9.4")
"""Releases of an older edition, each built on first use."""

BINDINGS = ("python", "node", *NATIVE)
ALL = ("reference", *BINDINGS)


def toolchain(adapter: str) -> pytest.MarkDecorator:
    """Skips where a toolchain that the adapter is built with cannot be had."""
    reasons = [reason for name in NEEDED.get(adapter.partition("@")[0], ()) if (reason := lacking(name))]
    return pytest.mark.skipif(bool(reasons), reason=f"{adapter} is not tried: {'; '.join(reasons)}")


@cache
def lacking(name: str) -> str:
    """Why a toolchain cannot be had; empty where it can."""
    try:
        ASKED[name]()
    except Unmet as unmet:
        return unmet.reason
    return ""


def each(*adapters: str) -> list[ParameterSet]:
    """Parameters, each of which is skipped where its adapter cannot be built."""
    return [pytest.param(name, marks=toolchain(name)) for name in adapters]
