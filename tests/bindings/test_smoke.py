"""Every adapter that comes with bindproof takes every step that an adapter in the making is led through."""

from __future__ import annotations

import pytest

from bindproof.cli import main
from tests.bindings.toolchains import ALL, each

pytestmark = pytest.mark.binding


@pytest.mark.parametrize("adapter", each(*ALL))
def test_it_takes_every_step(adapter: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["smoke", adapter])
    said = capsys.readouterr().out
    assert "MISSING" not in said
    assert (code, said.count("ok   ")) == (0, said.count("\n") - 1)
