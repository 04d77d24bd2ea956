"""The judge can fail in front of every language: each planted fault breaks what it names on the real packages."""

from __future__ import annotations

import pytest

from bindproof.runner.fault_trials import check_faults
from tests.bindings.toolchains import BINDINGS, each

pytestmark = pytest.mark.binding


@pytest.mark.parametrize("adapter", each(*BINDINGS))
def test_each_fault_breaks_exactly_what_it_names(adapter: str) -> None:
    """In three scenarios each; in front of the reference it is tried in every setting, without a process."""
    found = check_faults(adapter, lambda text: None, enough=3)

    assert {one.fault.name: (one.broken, one.named) for one in found if not one.exact} == {}
    assert len([one for one in found if one.named]) >= 10
