"""What of the real packages a vector sets and a rule judges; and what does not is listed."""

from __future__ import annotations

import pytest

from bindproof.core.errors import UsageError
from bindproof.coverage import Covered, covered

pytestmark = pytest.mark.binding

AT_LEAST = {"python": 420, "node": 400, "c": 350, "go": 325, "rust": 445}
"""Adapter → so many names of its package are judged."""


@pytest.fixture(scope="module", params=AT_LEAST)
def one(request: pytest.FixtureRequest) -> tuple[str, Covered]:
    (found,) = covered(request.param, lambda _: None)
    return request.param, found


def test_every_name_of_the_package_is_judged_or_listed(one: tuple[str, Covered]) -> None:
    _, found = one

    assert [(part.name, part.reason) for part in found.parts if part.fate == "missing"] == []
    assert found.stale == ()
    assert found.good


def test_no_fewer_names_are_judged_than_were(one: tuple[str, Covered]) -> None:
    adapter, found = one

    assert sum(part.fate == "judged" for part in found.parts) >= AT_LEAST[adapter]


def test_an_adapter_that_no_file_is_about_is_told() -> None:
    with pytest.raises(UsageError, match="no suite has a file surfaces"):
        covered("reference", lambda _: None)
