"""The page of hosts and native plugins is made of kept pairs, none of which does otherwise than its documents say."""

from __future__ import annotations

import json
from itertools import product
from types import ModuleType
from typing import Any

import pytest

from tests.repo.test_site import module_of_the_site

Json = Any

SEEN: Json = {"load": None, "call": None, "marks": ["m"]}


@pytest.fixture(scope="module")
def made() -> ModuleType:
    return module_of_the_site("native_pairs")


@pytest.fixture(scope="module")
def kept(made: ModuleType) -> list[Json]:
    found: list[Json] = json.loads(made.KEPT.read_text(encoding="utf-8"))["pairs"]
    return found


def pair(host: str, plugin: str, range_: str = "host", **seen: Json) -> Json:
    return {"host": host, "plugin": plugin, "range": range_, **SEEN, **seen}


def test_the_page_is_what_is_written_of_the_kept_pairs(made: ModuleType, kept: list[Json]) -> None:
    assert made.PAGE.read_text(encoding="utf-8") == made.page(kept), "run docs/site/native_pairs.py --page"
    assert json.loads(made.written(kept))["pairs"] == kept


def test_every_pair_is_kept_and_does_as_documented(made: ModuleType, kept: list[Json]) -> None:
    tried = [(one["range"], one["host"], one["plugin"]) for one in kept]
    assert tried == [*product(made.RANGES, made.HOSTS, made.CRATES)]
    assert [one for one in kept if not made.as_documented(one)] == []


def test_what_is_refused_is_refused_at_load_and_has_no_part_in_calls(kept: list[Json]) -> None:
    assert {one["call"] for one in kept} == {None}
    assert [one for one in kept if (one["load"] is None) == (one["marks"] == [])] == []


@pytest.mark.parametrize(
    ("found", "is_so"),
    [
        (pair("0.10.4", "0.10.4"), True),
        (pair("0.10.4", "0.10.4", load="no"), False),
        (pair("0.10.4", "0.10.4", call="no", marks=[]), False),
        (pair("0.10.4", "0.10.4", marks=[]), False),
        (pair("0.10.4", "0.9.4", load="no", marks=[]), True),
        (pair("0.10.4", "0.9.4"), False),
        (pair("0.10.4", "0.9.4", call="no", marks=[]), False),
        (pair("0.10.4", "0.11.0"), True),
        (pair("0.8.4", "0.9.4", "plugin", load="no", marks=[]), True),
        (pair("0.8.4", "0.9.4", "plugin"), False),
        (pair("0.9.4", "0.8.4", "plugin"), True),
    ],
)
def test_a_pair_is_held_against_what_documents_say(made: ModuleType, found: Json, is_so: bool) -> None:
    assert made.as_documented(found) is is_so


def test_a_failure_in_a_call_is_told_as_such(made: ModuleType, kept: list[Json]) -> None:
    late = [{**one, **({"load": None, "call": "no callback"} if one["load"] else {})} for one in kept]
    assert f"{sum(one['load'] is not None for one in kept)} were found out in a call only." in made.page(late).replace(
        "\n", " "
    )
    assert "| fails at call: 1 (refused) |" in made.page(late)


def test_an_error_says_nothing_of_the_run(made: ModuleType, tmp_path: Any) -> None:
    assert made.plain(f"no {tmp_path}/plugin.so\n  there ", tmp_path) == "no FOLDER/plugin.so there"
