"""Dialects that a user brings for a program of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.core.errors import FileError, UsageError
from bindproof.core.paths import templates_root
from bindproof.core.patterns import compile_pattern
from bindproof.core.request import RunRequest
from bindproof.runner.inputs import read_inputs
from bindproof.spec import Spec, load
from bindproof.spec.own_dialects import with_dialects
from bindproof.spec.problem import SpecError

SPEC = load(templates_root() / "function" / "bindproof_tally", "tally")

MINE = """\
name = "mine"
title = "a third language"

[[error]]
kind = "no_number"
pattern = "^Oops"
"""


def given(folder: Path, text: str) -> Spec:
    file = folder / "any.toml"
    file.write_text(text, encoding="utf-8")
    return with_dialects(SPEC, [str(file)])


def test_it_is_one_of_the_suites(tmp_path: Path) -> None:
    found = given(tmp_path, MINE)
    assert list(found.dialects) == [*SPEC.dialects, "mine"]
    assert found.dialects["mine"].error[0].pattern == "^Oops"
    assert "mine" not in SPEC.dialects
    assert with_dialects(SPEC, []) is SPEC


def test_its_patterns_allow_for_the_layers_that_a_message_has_passed(tmp_path: Path) -> None:
    layered = given(tmp_path, MINE.replace("\n[[error]]", 'layer = "E\\\\d: "\n[[error]]', 1))

    found = compile_pattern(layered.dialects["mine"].error[0].pattern)

    assert all(map(found.search, ("Oops", "E1: Oops", "E1: E2: Oops")))
    assert not any(map(found.search, ("E: Oops", "E1: no Oops")))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MINE.replace("no_number", "syntax"), r"any\.toml:5: 'syntax' is no error kind"),
        (MINE.replace("\n[[error]]", 'layer = "("\n[[error]]', 1), r"any\.toml:3: "),
        (MINE.replace("^Oops", "Oops"), r"any\.toml:6: .* is not anchored"),
        ("title = 1", r"any\.toml:1: "),
        (MINE.replace('"mine"', '"node"'), r"any\.toml: there is a dialect 'node' already"),
    ],
)
def test_one_that_does_not_fit_is_told_with_its_file(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises((SpecError, FileError), match=said):
        given(tmp_path, text)


def test_it_is_of_one_suite() -> None:
    with pytest.raises(UsageError, match="say which by --suite"):
        read_inputs(RunRequest(dialects=("any.toml",)))
