"""The judge can fail in front of every language: each planted fault breaks what it names on the real packages."""

from __future__ import annotations

import pytest

from bindproof.runner.planting import check_faults
from tests.bindings.toolchains import ALL, each

pytestmark = pytest.mark.binding


@pytest.mark.parametrize("adapter", each(*ALL))
def test_each_fault_breaks_exactly_what_it_names(adapter: str) -> None:
    found = {one.fault.name: (one.named, one.broken) for one in check_faults(adapter, lambda text: None)}

    assert {name: broken for name, (_, broken) in found.items()} == {name: named for name, (named, _) in found.items()}
    assert len([named for named, _ in found.values() if named]) >= 10
