"""What is seen of a harness is of the harness, and not of who watches it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.performing import OUR_PATHS, REPOSITORY

pytestmark = pytest.mark.long

READER = """
import os, sys, time
from pathlib import Path
from tests.chaos import harness
from tests.chaos.descendants import take_orphans

def slow_reader(size):
    here, there = os.pipe()
    reader = os.fork()
    if reader == 0:
        os.close(there)
        while os.read(here, 99):
            pass
        time.sleep(3600)
    return reader, there

take_orphans()
harness._reader_of = slow_reader
run = harness.Harness(["--version"], Path(sys.argv[1]), harness.Surroundings(reader_leaves_after=1)).ended()
print(run.code, run.left)
os.killpg(0, 9)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who is left")
def test_who_reads_what_it_prints_is_left_by_nobody(tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-u", "-c", READER, str(tmp_path)],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, OUR_PATHS))},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert told.stdout == "0 []\n"
