"""Forty stories of what can go wrong between the harness, an adapter and the machine, each by its seed.

`python -m tests.chaos --seed N` repeats one and tells what it does. All that is waited for may take as much longer as
an undisturbed run waits for the processor. Where somebody was late all the same, the story is told once more with
eight times as long; what is wrong in any other way is a fault at once.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.chaos.performing import OUR_PATHS, REPOSITORY

AT_A_TIME = 10
"""Seeds of one test: its process makes ready once, and forks a harness for each."""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who is left")
@pytest.mark.parametrize("first", range(0, 40, AT_A_TIME))
def test_whatever_happens_every_scenario_has_its_verdict_and_nobody_is_left(first: int) -> None:
    told = told_of(first)
    assert told.returncode == 0, told.stdout + told.stderr
    assert f"{AT_A_TIME} seeds, 0 failed" in told.stdout


def told_of(first: int) -> subprocess.CompletedProcess[str]:
    """What the stories of these seeds say of themselves."""
    return subprocess.run(
        [sys.executable, "-m", "tests.chaos", "--seeds", f"{first}:{first + AT_A_TIME}"],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, OUR_PATHS))},
        capture_output=True,
        text=True,
        check=False,
    )
