"""The page of what hosts say of native plugins that they refuse is made of what was kept, and nothing was taken."""

from __future__ import annotations

import json
from itertools import product
from types import ModuleType
from typing import Any

import pytest

from tests.repo.test_site import module_of_the_site

Json = Any


@pytest.fixture(scope="module")
def made() -> ModuleType:
    return module_of_the_site("native_refusals")


@pytest.fixture(scope="module")
def kept(made: ModuleType) -> list[Json]:
    found: list[Json] = json.loads(made.KEPT.read_text(encoding="utf-8"))["refusals"]
    return found


def test_the_page_is_what_is_written_of_what_was_kept(made: ModuleType, kept: list[Json]) -> None:
    assert made.PAGE.read_text(encoding="utf-8") == made.page(kept), "run docs/site/native_refusals.py --page"
    assert json.loads(made.written(kept))["refusals"] == kept


def test_every_host_refuses_every_plugin(made: ModuleType, kept: list[Json]) -> None:
    assert [(one["host"], one["vector"]) for one in kept] == [*product(made.HOSTS, made.negatives())]
    assert [one for one in kept if not one["said"]] == []


def test_a_plugin_that_was_taken_is_told_as_such(made: ModuleType, kept: list[Json]) -> None:
    taken = [{**kept[0], "said": None}, *kept[1:]]
    assert "| taken | refused: " in made.page(taken)


def test_an_error_says_nothing_of_the_run(made: ModuleType) -> None:
    assert (
        made.plain(f"no /tmp/a/wab12_xyz/plugin.so:\n got sha256:{'0a' * 32} ")
        == "no FOLDER/plugin.so: got sha256:DIGEST"
    )
