"""A known divergence says where it was seen: at both ends of its range, by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packaging.version import Version

from bindproof.spec import load
from bindproof.spec.editions import is_about
from bindproof.spec.expectations import load_expectations, shipped_expectations
from bindproof.spec.models import Divergence

PYTHON = """0.3.0 0.4.0 0.5.0 0.6.0 0.7.0 0.7.1 0.7.2 0.7.3 0.8.0 0.8.1 0.8.2 0.8.3 0.8.4 0.9.0 0.9.1 0.9.2 0.9.3 0.9.4
0.10.0 0.10.1 0.10.2 0.10.3 0.10.4 0.11.0rc1 0.11.0rc2 0.11.0rc3"""
LIBRARY = "0.8.4 0.9.4 0.10.4 0.11.0"
TRIED = {
    "nemo-relay": PYTHON.split(),
    "nemo-relay-node": ["0.9.2"],
    "nemo-relay-wasm": ["0.4.0"],
    "nemo-relay-ffi": LIBRARY.split(),
    "nemo-relay-ffi/go": LIBRARY.split(),
    "nemo-relay-ffi/go-upstream": ["0.8.4"],
    "nemo-relay (crate)": ["0.9.4", "0.10.4", "0.11.0"],
    "nemo-relay/native": ["0.8.4", "0.9.4", "0.10.4"],
    "nemo-relay-plugin": ["0.5.0", "0.6.0", "0.10.4"],
    "llm-stack": ["0.7.0"],
    "afk": ["0.1.0"],
}
"""The releases of each target that this suite was ever run on, oldest first."""
RELEASE = r"\d+\.\d+\.\d+(?:rc\d+)?"


def lacking(one: Divergence) -> str | None:
    """What a divergence's source does not say of its range."""
    inside = [release for release in TRIED[one.target] if is_about(one, one.target, release)]
    if not inside:
        return "no release that was ever tried is in the range"
    seen = sorted({*re.findall(rf"(?<![\w.]){RELEASE}\b", one.source)} & {*inside}, key=Version)
    if seen[:1] != inside[:1]:
        return f"{inside[0]}, where the range begins, is not named"
    if seen[-1] != inside[-1]:
        return f"{inside[-1]}, where the range ends, is not named"
    return None


@pytest.mark.long
@pytest.mark.parametrize("suite", ["relay", "interceptors", "interaction"])
def test_each_source_names_the_releases_at_both_ends_of_its_range(repository: Path, suite: str) -> None:
    spec = load(repository, suite)
    known = load_expectations(spec, shipped_expectations(spec))
    assert known
    assert {one.place: lacks for one in known if (lacks := lacking(one))} == {}


@pytest.mark.parametrize(
    ("versions", "source", "lacks"),
    [
        (">=0.8.4,<0.12", "observed by this suite, nemo-relay-ffi 0.8.4, 0.9.4, 0.10.4 and 0.11.0", None),
        (">=0.8.4,<0.12", "observed by this suite", "0.8.4, where the range begins, is not named"),
        (">=0.8,<0.12", "observed by this suite, nemo-relay-ffi 0.9.4", "0.8.4, where the range begins, is not named"),
        (">=0.8.4,<0.12", "nemo-relay-ffi 0.8.4, 0.9.4 and 0.10.4", "0.11.0, where the range ends, is not named"),
        (">=0.8.4,<0.11", "nemo-relay-ffi 0.8.4, 0.9.4 and 0.10.4", None),
        (">=0.7,<0.8", "nemo-relay-ffi 0.7.0", "no release that was ever tried is in the range"),
    ],
)
def test_what_a_source_does_not_say_is_told(versions: str, source: str, lacks: str | None) -> None:
    one = Divergence(target="nemo-relay-ffi", vectors=(), reason="", source=source, versions=(versions,))
    assert lacking(one) == lacks
