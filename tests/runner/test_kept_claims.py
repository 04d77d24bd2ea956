"""A second check of a spec tries only vectors that it has not found right, where all that decides is as it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.memory import Place, keep_in
from bindproof.runner import claims
from bindproof.runner.claims import Claims
from bindproof.runner.plans import plans_of
from bindproof.spec import Vector, load
from bindproof.suites import load as load_suite
from tests.runner.test_claims import NEGATIVE, with_defect

Json = Any

FALSE = with_defect(kind="panicked")


class Checks:
    """Checks of one copy of a suite, one after the other, on one cache."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = root / "spec" / "interceptors"
        self._root = root
        self._tried: list[str] = []

        def counted(suite: Any, vector: Vector) -> Any:
            self._tried.append(vector.id.rpartition("/")[2])
            return plans_of(suite, vector)

        monkeypatch.setattr("bindproof.runner.claims.plans_of", counted)

    def write(self, **vectors: Json) -> None:
        for name, vector in vectors.items():
            (self.folder / "vectors" / f"{name}.json").write_text(json.dumps(vector), encoding="utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        file = self.folder / name
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")

    def check(self, *, everywhere: bool = True) -> tuple[list[str], list[str]]:
        """Return the vectors that were tried, and those that something is wrong with."""
        self._tried.clear()
        spec = load(self._root, "interceptors")
        found = Claims(spec, load_suite(spec), everywhere=everywhere).problems()
        return self._tried, [Path(one.file).stem for one in found]


@pytest.fixture
def checks(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Checks]:
    spec = tmp_path / "spec" / "interceptors"
    shutil.copytree(repository / "spec" / "interceptors", spec, ignore=shutil.ignore_patterns("vectors"))
    (spec / "vectors").mkdir()
    found = Checks(tmp_path, monkeypatch)
    found.write(one=NEGATIVE, other=NEGATIVE)
    stored: dict[str, bytes] = {}
    before = keep_in(Place(stored.get, stored.__setitem__))
    yield found
    keep_in(before)


def test_what_was_right_is_not_tried_again(checks: Checks) -> None:
    assert checks.check() == (["one", "other"], [])
    assert checks.check() == ([], [])


def test_a_vector_that_is_new_or_another_is_tried(checks: Checks) -> None:
    checks.check()
    checks.write(other=FALSE, third=NEGATIVE)
    assert checks.check() == (["other", "third"], ["other"])


def test_what_was_wrong_is_tried_and_told_each_time(checks: Checks) -> None:
    checks.write(other=FALSE)
    assert checks.check() == (["one", "other"], ["other"])
    assert checks.check() == (["other"], ["other"])

    checks.write(other=NEGATIVE)
    assert checks.check() == (["other"], [])
    checks.write(other=FALSE)
    assert checks.check() == (["other"], ["other"])


def test_the_words_of_a_rule_do_not_decide(checks: Checks) -> None:
    checks.check()
    checks.edit("02-retry.md", "## RTY-012 No attempt at all is refused", "## RTY-012 It is refused to try never")
    checks.edit("scenarios.md", "# ", "# All about ")
    assert checks.check() == ([], [])


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("02-retry.md", 'dialects all · source crate "Retry::max_attempts"', 'dialects wire · source crate "X"'),
        ("suite.toml", '"panicked", ', '"panicked", "another", '),
        ("dialects/wire.toml", "title = ", "# What it is called.\ntitle = "),
    ],
)
def test_what_decides_has_all_tried_again(checks: Checks, file: str, old: str, new: str) -> None:
    checks.check()
    checks.edit(file, old, new)
    assert checks.check()[0] == ["one", "other"]


def test_each_manner_of_trying_is_known_apart(checks: Checks, monkeypatch: pytest.MonkeyPatch) -> None:
    checks.check()
    assert checks.check(everywhere=False) == ([], [])  # each of so few is tried everywhere

    monkeypatch.setattr(claims, "ALL_BELOW", 0)
    assert checks.check(everywhere=False) == (["one", "other"], [])


def test_without_a_place_all_is_tried_each_time(checks: Checks) -> None:
    keep_in(None)
    for _ in range(2):
        assert checks.check() == (["one", "other"], [])
