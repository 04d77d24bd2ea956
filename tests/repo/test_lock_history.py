"""What a locked edition once said stays, in this repository's history too: what has left its lock has an erratum."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.relay import SPEC
from tests.repo.sources import ROOT

LOCK = "spec/relay/editions.lock"
LINE = re.compile(r"([\w.]+) ([\w.-]+) ([0-9a-f]{12})")

Locked = dict[tuple[str, str], str]


def git(*arguments: str) -> str:
    """What git says; without a whole history of this repository the test is skipped."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"git tells no history here: {error}")
    return done.stdout


def changes(before: Locked, after: Locked) -> Iterator[tuple[str, str]]:
    """Yield edition and subject of what may not change between two states of a lock without an erratum."""
    chapters = {(edition, what.partition("-")[0]) for edition, what in before if not what.endswith(".json")}
    for edition, what in sorted(before.keys() | after.keys()):
        is_old = (edition, what) in before
        joins = not what.endswith(".json") and (edition, what.partition("-")[0]) in chapters
        if (is_old or joins) and before.get((edition, what)) != after.get((edition, what)):
            yield edition, what


def read(text: str) -> Locked:
    """The lines of a lock."""
    found = [LINE.fullmatch(line) for line in text.splitlines()]
    return {(match[1], match[2]): match[3] for match in found if match}


@pytest.mark.long
def test_what_has_left_the_lock_of_an_edition_has_an_erratum() -> None:
    if git("rev-parse", "--is-shallow-repository").strip() == "true":
        pytest.skip("the history of this checkout is cut off: git fetch --unshallow")
    commits = git("log", "--reverse", "--format=%H", "--", LOCK).split()
    states = [read(git("show", f"{commit}:{LOCK}")) for commit in commits]
    states.append(read((ROOT / LOCK).read_text(encoding="utf-8")))
    told = {(edition, erratum.touches) for erratum in SPEC.errata for edition in erratum.editions}
    untold = {one for before, after in pairwise(states) for one in changes(before, after)} - told

    assert untold == set(), f"{LOCK} was written over: add an [[erratum]] for each, or bring its line back"


def test_a_line_that_changed_and_one_that_joins_its_chapter_are_changes_and_a_new_chapter_is_none() -> None:
    before = {("1", "ABC-001"): "a", ("1", "x.json"): "b"}
    after = {("1", "ABC-001"): "c", ("1", "ABC-002"): "d", ("1", "NEW-001"): "e", ("1", "y.json"): "f"}

    assert list(changes(before, after)) == [("1", "ABC-001"), ("1", "ABC-002"), ("1", "x.json")]
    assert list(changes({}, after)) == []
