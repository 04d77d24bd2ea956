"""The pages for authors of suites keep their word: every command is run, in order, and ends as it says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.repo.guides import acted_out, blocks, codes_that_are_told
from tests.repo.installing import environment_beside, wheel_of
from tests.repo.sources import ROOT
from tests.warm import Warm

PAGES = (Path("docs/suite-guide.md"), Path("docs/suite-authors.md"))
"""The second is run where the first left off: an environment of their own costs more than both."""


def test_every_command_ends_with_a_known_code() -> None:
    assert sum(len(list(blocks(page))) for page in PAGES) > 5
    assert sum(codes_that_are_told(page) for page in PAGES) > 3


@pytest.mark.binding
def test_every_command_of_the_guide_is_run(tmp_path: Path) -> None:
    python = environment_beside(tmp_path, wheel_of(ROOT, tmp_path))
    (site,) = python.parent.parent.glob("lib/python*/site-packages")
    folder = tmp_path / "empty"
    folder.mkdir()
    warm = Warm(python)

    def act(words: list[str]) -> tuple[int, str]:
        ran = warm.run(*words[1:], folder=folder, sites=[site])
        return ran.code, ran.out + ran.err

    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    environment |= {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}  # 0 means none, as pip reads it
    code, said = acted_out(PAGES, folder, tmp_path, act, environment, "bindproof")
    assert code == 0, said[-4000:]
    assert "each of the 3 faults breaks what it names and nothing else" in said
