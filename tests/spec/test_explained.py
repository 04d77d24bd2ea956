"""Below each statement stands why it is so, or an example."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.spec import load


@pytest.mark.parametrize("suite", ["relay", "interceptors", "cells"])
def test_each_requirement_is_explained(repository: Path, suite: str) -> None:
    bare = [one.id for one in load(repository, suite).requirements.values() if not one.explanation]
    assert bare == [], "say below the statement why it is so, with an example"
