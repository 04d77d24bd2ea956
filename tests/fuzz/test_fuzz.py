"""A part of what `python -m tests.fuzz` tries, with one seed: changed input ends as it may."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz.subjects import SUBJECTS

pytestmark = pytest.mark.long

TIMES = {"logs": 5, "suites": 60, "commands": 1}
"""Inputs of the subjects of which one takes long; of the others there are USUAL."""

USUAL = 200


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_part_of_each_subject(subject: str, tmp_path: Path) -> None:
    attempt = SUBJECTS[subject](random.Random(f"7 {subject}"), tmp_path)
    for _ in range(TIMES.get(subject, USUAL)):
        attempt()
