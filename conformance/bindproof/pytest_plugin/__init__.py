"""The pytest plugin: vectors as test items, and a fixture for scenarios of one's own.

Enters: pytest's options and hooks. Leaves: items. Must not know how a scenario is judged. pytest imports this module in
every run of everybody who has bindproof installed, so it imports nothing else until it is asked for something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from bindproof.pytest_plugin.cases import Case

ADAPTER = "--bindproof-adapter"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("bindproof", "conformance of language bindings")
    group.addoption(
        ADAPTER,
        action="append",
        default=[],
        metavar="CMD",
        help="judge this adapter, each vector as a test: a command such as 'python my_adapter.py', NAME=CMD, or an "
        "adapter of bindproof such as node or python@0.9.4; may be given again",
    )
    group.addoption(
        "--bindproof-vector",
        action="append",
        default=[],
        metavar="GLOB",
        help="only vectors whose id matches, such as 'relay/marks/*'; may be given again",
    )
    group.addoption(
        "--bindproof-expectations",
        metavar="FILE|none",
        help="known divergences to add to the shipped ones: each is an xfail with its reason, and has to occur; "
        "none: expect nothing",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Makes the markers known."""
    config.addinivalue_line("markers", "bindproof_vector: set on every vector that --bindproof-adapter judges")
    config.addinivalue_line(
        "markers", "bindproof(adapter): the adapter that the fixture `bindproof` uses, instead of --bindproof-adapter's"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Adds the vectors, before anything is selected or deselected."""
    if config.getoption(ADAPTER):
        from bindproof.pytest_plugin.items import vectors

        items.extend(session.genitems(vectors(session, config)))


@pytest.fixture(name="bindproof")
def _bindproof(request: pytest.FixtureRequest) -> Case:
    """Act a scenario of your own out and fail unless it conforms: `bindproof({"steps": […]})`."""
    from bindproof.pytest_plugin.cases import Case

    return Case(request)
