"""A badge is drawn by the library with which shields.io draws it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bindproof.results import Line
from tests.report.formats import made
from tests.report.hostile import hostile_log

LIBRARY = "badge-maker@6.0.0"

DRAW = """
import { readFileSync } from 'node:fs'
import { makeBadge } from 'badge-maker'
const { label, message, color } = JSON.parse(readFileSync(0, 'utf8'))
console.log(makeBadge({ label, message, color }))
"""
"""Draws what an endpoint gave, as far as the library is about that: how long it is kept is the server's."""

pytestmark = [
    pytest.mark.binding,
    pytest.mark.skipif(shutil.which("npm") is None, reason="unavailable: no npm; to have it: install Node.js"),
]


@pytest.fixture(scope="module")
def draw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that draws the badge that it is given."""
    folder = tmp_path_factory.mktemp("npm")
    words = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--silent", LIBRARY]
    subprocess.run(words, check=True)
    (folder / "draw.mjs").write_text(DRAW, encoding="utf-8")
    return folder / "draw.mjs"


@pytest.mark.parametrize("log", ["mixed", "hostile"])
def test_it_shows_what_the_badge_says(log: str, draw: Path, mixed_log: list[Line]) -> None:
    badge = made("badge", mixed_log if log == "mixed" else hostile_log())
    drawn = subprocess.run(["node", draw], input=badge, capture_output=True, text=True, check=True).stdout
    title = ElementTree.fromstring(drawn).find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text == f"bindproof: {json.loads(badge)['message']}"
