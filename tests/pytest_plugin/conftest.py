"""A pytest of its own for each test, with the plugin: also where bindproof was installed before it had one."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points

import pytest

PLUGIN = "bindproof.pytest_plugin"

RunPytest = Callable[..., pytest.RunResult]


@pytest.fixture
def plugin() -> tuple[str, ...]:
    """What makes pytest load the plugin, where it does not do so by itself."""
    installed = any(entry.value == PLUGIN for entry in entry_points(group="pytest11"))
    return () if installed else ("-p", PLUGIN)


@pytest.fixture
def run(pytester: pytest.Pytester, plugin: tuple[str, ...]) -> RunPytest:
    """Runs pytest with these words."""
    return lambda *words: pytester.runpytest(*plugin, "-p", "no:cacheprovider", *words)
