"""Vectors as items of pytest: one for each plan and adapter, with an id that stays the same.

Enters: pytest's session, what is found of each plan. Leaves: passed, failed, skipped, and xfailed with the reason. Must
not know how a verdict was reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.errors import UsageError
from bindproof.core.origins import name_of
from bindproof.core.visible import visible
from bindproof.pytest_plugin.judging import Bench, Found, Listed, listed, request_of


class BrokenContractError(Exception):
    """A scenario does not conform; the text is the account of it."""

    def __init__(self, text: str) -> None:
        super().__init__(visible(text))


def conclude(found: Sequence[Found]) -> None:
    """Pass, fail, skip or xfail a test by what was found of its scenarios.

    Raises BrokenContractError unless all of them conform or are known not to; pytest's own exceptions for the rest.
    """
    for one in found:
        if one.stale is not None:
            text = f"{one.stale.requirement} was expected to be broken, and is not: remove the expectation"
            raise BrokenContractError(f"[XPASS(strict)] {text} in {one.stale.source}\n{one.stale.reason}")
    failed = [one for one in found if one.line.outcome != "conforms" and not _left_out(one)]
    if failed and all(one.expected for one in failed):
        pytest.xfail(visible("; ".join(one.why_expected for one in failed)))
    if failed:
        raise BrokenContractError("\n".join(one.text for one in failed))
    if found and all(_left_out(one) for one in found):
        pytest.skip(visible("; ".join(f"{one.line.outcome}: {one.line.reason}" for one in found)))


def _left_out(one: Found) -> bool:
    return one.line.outcome in {"unsupported", "inexpressible"} and not one.line.demanded


class Vectors(pytest.Collector):
    """All vectors of a session."""

    def __init__(self, *, plans: Sequence[Listed], bench: Bench, **more: Any) -> None:
        super().__init__(**more)
        self._plans, self._bench = plans, bench

    def collect(self) -> list[pytest.Item]:
        """An item for each plan of each adapter."""
        return [
            VectorItem.from_parent(self, name=f"{name_of(one.origin)}[{one.adapter}]", wanted=one, bench=self._bench)
            for one in self._plans
        ]


class VectorItem(pytest.Item):
    """One plan on one adapter."""

    def __init__(self, *, wanted: Listed, bench: Bench, **more: Any) -> None:
        super().__init__(**more)
        self.wanted, self.bench = wanted, bench
        self.add_marker(pytest.mark.bindproof_vector)

    def runtest(self) -> None:
        """Judges it."""
        try:
            found = self.bench.found(self.wanted)
        except UsageError as error:
            raise BrokenContractError(str(error)) from error
        conclude([found])

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The account alone: where in our code it was raised helps nobody."""
        if isinstance(excinfo.value, BrokenContractError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Its id."""
        return self.path, None, self.nodeid


def vectors(session: pytest.Session, config: pytest.Config) -> Vectors:
    """Return the collector of what the options ask for; raises pytest.UsageError."""
    request = request_of(
        config.getoption("--bindproof-adapter"),
        config.getoption("--bindproof-vector"),
        config.getoption("--bindproof-expectations"),
    )
    bench = Bench(request, lambda: [item.wanted for item in session.items if isinstance(item, VectorItem)])
    return Vectors.from_parent(session, name="bindproof", nodeid="bindproof", plans=listed(request), bench=bench)
