"""Fixtures that tests of more than one module share."""

from __future__ import annotations

import gc
import signal
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import settings

from bindproof.core import memory
from bindproof.core.memory import Place, keep_in
from bindproof.core.model import Evidence
from bindproof.results import (
    FORMAT,
    AdapterLine,
    Broken,
    Fold,
    Line,
    RequirementFacts,
    RunLine,
    Speaks,
    StaleLine,
    SuiteFacts,
    VerdictLine,
)

pytest_plugins = ["pytester"]

settings.register_profile("untimed", deadline=None, print_blob=True)
settings.load_profile("untimed")  # how long an example takes says nothing on a machine that others use too

KEPT = 16
"""So many suites, and folders of adapters, are held as they were read: more than we have."""

REPOSITORY = Path(__file__).resolve().parents[1]


def pytest_sessionstart() -> None:
    """Hear the signals that background jobs ignore: programs that tests start inherit what is ignored."""
    for number, usual in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGHUP, signal.SIG_DFL),
        (signal.SIGQUIT, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)
    _keep_what_is_read()


def _keep_what_is_read() -> None:
    """Read files of the spec and manifests once for each content of theirs, as the command does between its starts.

    What a test writes elsewhere takes no other's place for long, so few such values are held.
    """
    stored: dict[str, bytes] = {}

    def remember(name: str, data: bytes) -> None:
        stored[name] = data
        while len(stored) > KEPT:
            del stored[next(iter(stored))]

    keep_in(Place(stored.get, remember))
    memory._opened = lru_cache(KEPT)(memory._opened)  # type: ignore[assignment]  # a tenth of many a command's time


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests marked `long`, unless the user's `-m` speaks of them: all others are done within a minute.

    What takes longest begins first, so that no worker is left alone with it in the end: what builds, then what is long.
    """
    items.sort(key=lambda item: not item.get_closest_marker("binding") and 2 - bool(item.get_closest_marker("long")))
    if "long" in config.option.markexpr:
        return
    long = [item for item in items if item.get_closest_marker("long")]
    items[:] = [item for item in items if not item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=long)


def pytest_collection() -> None:
    """Search for no garbage while tests are collected: nearly all that is made then stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Take the collected tests out of every later search for garbage: some 9,000 items, and all modules, stay.

    What a test makes goes with it, mostly without a search, so there is one after more objects than usual.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture
def run_line() -> RunLine:
    """A run over four requirements in three chapters, one of them for one dialect, one for one edition."""
    both = ("0.9", "0.10")
    requirements = (
        RequirementFacts("OUT-001", "MUST", "An outcome is used", "The call goes on with it.", "Outcomes", both),
        RequirementFacts("MRK-001", "MUST", "Marks keep their order", "First in, first out.", "Pending marks", both),
        RequirementFacts("MRK-002", "SHOULD", "Marks follow the start", "At 1000 ns.", "Pending marks", ("0.10",)),
        RequirementFacts("DLC-001", "MUST", "Names are camelCase", "On the way in.", "Dialects", both, ("node",)),
    )
    return RunLine(
        format=FORMAT,
        bindproof="0.1.0",
        python="3.11.7",
        platform="linux",
        spec="ab" * 32,
        started="2026-01-02T03:04:05+00:00",
        suites=(SuiteFacts("relay", requirements),),
        adapters=("node", "reference", "python"),
        expectations={"shipped#1": "the package spells it so", "shipped#2": "it aborts"},
    )


@pytest.fixture
def mixed_log(run_line: RunLine) -> list[Line]:
    """A whole log in which everything that a report shows occurs once."""
    swapped = Evidence("s", "the marks come in another order", 3, ["m1", "m2"], ["m2", "m1"])
    misspelt = Evidence("program", "the key is spelt otherwise", 1, {"a": 1}, {"b": 1})
    lines: list[Line] = [
        run_line,
        AdapterLine(
            "reference",
            "ready",
            target="bindproof_reference",
            version="0.1.0",
            suites=(Speaks("relay", "0.10", "wire", 2),),
        ),
        AdapterLine(
            "node",
            "ready",
            target="nemo-relay-node",
            version="0.9.2",
            suites=(Speaks("relay", "0.9", "node", 6),),
            notes=("runs on a node 24 that was fetched",),
        ),
        AdapterLine(
            "python", "unavailable", reason="it could not be fetched", remedy="bindproof adapters build python"
        ),
        VerdictLine("relay/marks/two", "relay", "reference", "conforms", held=("OUT-001", "MRK-001", "MRK-002")),
        VerdictLine("relay/outcomes/one", "relay", "reference", "conforms", held=("OUT-001",)),
        VerdictLine(
            "relay/dialects/one",
            "relay",
            "node",
            "diverges",
            held=("OUT-001",),
            broken=(Broken("DLC-001", (misspelt,), "shipped#1"),),
            scenario={"steps": []},
        ),
        VerdictLine(
            "relay/marks/two",
            "relay",
            "node",
            "diverges",
            title="two marks in order",
            held=("OUT-001",),
            broken=(Broken("MRK-001", (swapped,)),),
            scenario={"steps": [1]},
            reproduced="always",
        ),
        VerdictLine(
            "relay/outcomes/one",
            "relay",
            "node",
            "crash",
            reason="the process ended with signal 11 while this scenario was alone in flight",
            evidence='{"id":',
            stderr="oh\nno\n",
        ),
        VerdictLine("relay/outcomes/two", "relay", "node", "not_run", reason="the restarts are used up"),
        VerdictLine("relay/codec/one", "relay", "node", "crash", reason="6", expected_by="shipped#2", stderr="stack"),
        VerdictLine("relay/codec/two", "relay", "node", "crash", reason="6", expected_by="shipped#2", stderr="stack"),
        StaleLine(
            "shipped#7", "node", "OUT-001", ("relay/outcomes/seven",), source="spec/relay/expectations/node.toml:12"
        ),
    ]
    return [*lines, Fold.over(lines).summary()]
