"""What the SDKs have for every suite names none: what the adapters of one suite alone share is in a room of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.repo.sources import HARNESS, ROOT

SDKS = {
    "python": "python/bindproof_adapter",
    "c": "c",
    "node": "node",
    "go": "go",
    "rust": "rust/src",
}
"""Where the sources of each SDK are."""
SOURCES = {".py", ".mjs", ".go", ".rs"}
SUITES = sorted(path.parent.name for path in HARNESS.glob("suites/*/__init__.py"))
SAID = re.compile(r"relay|\bllm|codec|subscriber|latch|" + "|".join(rf"\b{suite}\b" for suite in SUITES), re.IGNORECASE)
"""Names of suites, and words that are in the scenarios of relay alone."""
ENTRANCE = "pub mod relay;"
"""A crate says in its root which modules it has: the one line that may name a room."""


def shared(sdk: Path) -> list[Path]:
    """The sources of an SDK that lie in no room."""
    found = [path for path in sorted(sdk.rglob("*")) if path.suffix in SOURCES]
    return [path for path in found if not {"relay", "relay.rs"} & {*path.relative_to(sdk).parts}]


@pytest.mark.parametrize("sdk", SDKS.values(), ids=SDKS)
def test_what_is_for_every_suite_names_none(sdk: str) -> None:
    folder = ROOT / "adapters" / "sdk" / sdk
    wrong = [
        f"{path.relative_to(ROOT)}:{number} {line.strip()}"
        for path in shared(folder)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if SAID.search(line) and line != ENTRANCE
    ]
    assert shared(folder)
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
@pytest.mark.parametrize("sdk", SDKS.values(), ids=SDKS)
def test_the_room_is_where_it_has_to_be(sdk: str) -> None:
    """Else the test above would look at nothing: what acts the steps of relay out is in the room, and nowhere else."""
    folder = ROOT / "adapters" / "sdk" / sdk
    room = [path for path in folder.rglob("*") if path.suffix in SOURCES and path not in shared(folder)]
    assert any("relay" in path.read_text("utf-8") for path in room)
    assert len(room) > 2
