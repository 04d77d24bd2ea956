"""A new edition begins as the last one, is read at once, and leaves nothing where it cannot be."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bindproof.core.errors import UsageError
from bindproof.spec import Problem, SpecError, load
from bindproof.spec.change_check import change_problems
from bindproof.spec.new_edition import LaidOut, lay_out
from tests.conftest import REPOSITORY


def laid_out(small: Path, name: str = "11", after: str = "10") -> LaidOut:
    return lay_out(load(small.parents[1], "small"), name, after)


def test_it_begins_as_the_last_one(small: Path) -> None:
    found = laid_out(small)
    spec = load(small.parents[1], "small")
    assert spec.edition_names == ("9", "10", "11")
    assert spec.edition("11").state == "preview"
    assert change_problems(spec) == []
    old, new = (json.loads((small / f"schemas/{name}/thing.json").read_text("utf-8")) for name in ("10", "11"))
    assert new == {**old, "$id": "https://bindproof.example/small/11/thing.json"}
    assert found.files[0] == "spec/small/suite.toml"
    assert any("releases of thing" in step for step in found.next)
    assert any(step.startswith("lock 10 as soon as") for step in found.next)


def test_all_else_of_the_file_stays_as_it_was(small: Path) -> None:
    path = small / "suite.toml"
    before = path.read_text(encoding="utf-8")
    laid_out(small)
    after = path.read_text(encoding="utf-8")
    start, end = after.index("# A preview until"), after.index("\n[[object]]")
    assert after[:start] + after[end + 1 :] == before


@pytest.mark.parametrize(
    ("name", "after", "said"),
    [
        ("10", "9", "has the edition 10 already"),
        ("11", "9", "the last one of small, which is 10, and not '9'"),
        ("../x", "10", "is no name of an edition"),
    ],
)
def test_what_cannot_be_is_refused(small: Path, name: str, after: str, said: str) -> None:
    before = (small / "suite.toml").read_bytes()
    with pytest.raises(UsageError, match=said):
        laid_out(small, name, after)
    assert (small / "suite.toml").read_bytes() == before


def test_where_it_cannot_be_read_nothing_is_left(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {path: path.read_bytes() for path in small.rglob("*") if path.is_file()}

    def refuse(*_: object) -> None:
        raise SpecError([Problem("suite.toml", 1, "no")])

    monkeypatch.setattr("bindproof.spec.new_edition.load", refuse)
    with pytest.raises(SpecError):
        laid_out(small)
    assert {path: path.read_bytes() for path in small.rglob("*") if path.is_file()} == before


@pytest.mark.long
def test_relay_gets_its_releases_and_is_told_what_ends(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "spec", tmp_path / "spec")
    spec = load(tmp_path, "relay")
    last = spec.edition_names[-1]
    assert last == "0.11"
    found = lay_out(spec, "0.12", last)
    new = load(tmp_path, "relay").edition("0.12")
    assert new.releases["nemo-relay (crate)"] == (">=0.12,<0.13",)
    assert new.releases.keys() == spec.edition(last).releases.keys()
    assert new.capabilities == spec.edition(last).capabilities
    assert found.next[0].startswith("let the reference bindproof_reference.relay know the edition 0.12")
