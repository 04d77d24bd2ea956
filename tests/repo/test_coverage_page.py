"""The page of coverage is made of what is kept of runs, and says the reasons that the surface files have today."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from bindproof.core.paths import data_root
from bindproof.spec.files.document import parse
from tests.repo.test_site import module_of_the_site

Json = Any

SURFACES = data_root() / "spec" / "relay" / "surfaces"


@pytest.fixture(scope="module")
def covered() -> ModuleType:
    return module_of_the_site("covered")


@pytest.fixture(scope="module")
def found(covered: ModuleType) -> Json:
    return json.loads(covered.KEPT.read_text(encoding="utf-8"))


def test_the_page_is_what_is_written_of_what_is_kept(covered: ModuleType, found: Json) -> None:
    said = "run `python docs/site/covered.py`, or with `--page` where nothing was judged anew"
    assert covered.PAGE.read_text(encoding="utf-8") == covered.page(found), said


def test_each_package_with_a_surface_file_has_its_part(covered: ModuleType, found: Json) -> None:
    assert sorted(covered.ADAPTERS) == sorted(path.stem for path in SURFACES.glob("*.toml"))
    assert [*found["of"]] == [*covered.ADAPTERS]


def test_what_is_not_judged_has_a_reason_of_today(found: Json) -> None:
    for adapter, one in found["of"].items():
        written = parse((SURFACES / f"{adapter}.toml").read_bytes(), f"{adapter}.toml").value
        for fate in ("unset", "apart"):
            assert {*one[fate]} <= {entry["reason"] for entry in written[fate]}, f"`covered.py {adapter}` renews it"


def test_every_name_is_counted_once_and_no_fewer_are_judged_than_before(found: Json) -> None:
    for one in found["of"].values():
        left = [name for fate in ("unset", "apart") for names in one[fate].values() for name in names]
        assert len(left) == len({*left}) == one["names"] - one["judged"]
        assert one["before"] <= one["judged"]


def test_names_of_one_function_stand_together(covered: ModuleType) -> None:
    assert covered._listed(["call:a", "call:b", "Event.kind", "done()"]) == "`call:{a, b}` · `Event.kind` · `done()`"
