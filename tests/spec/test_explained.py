"""How many requirements stand there without a word on why: a number that may only fall."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.spec import load


@pytest.mark.parametrize(("suite", "most"), [("relay", 96), ("interceptors", 48)])
def test_no_requirement_joins_those_without_an_explanation(repository: Path, suite: str, most: int) -> None:
    spec = load(repository, suite)
    bare = [one.id for one in spec.requirements.values() if not one.explanation]
    assert len(bare) <= most, f"say below its statement why a new one is so, with an example; without: {bare}"
