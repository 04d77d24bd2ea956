"""The exit code is a fold over the log: each class alone, and the order among them."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.model import VerdictOutcome
from bindproof.results import AdapterLine, AdapterState, Broken, Fold, Line, Speaks, StaleLine, VerdictLine


def adapter(name: str = "a", selected: int = 1, state: AdapterState = "ready", **fields: Any) -> AdapterLine:
    return AdapterLine(name, state, suites=(Speaks("relay", "0.9", "wire", selected),), **fields)


def verdict(outcome: VerdictOutcome, name: str = "a", **fields: Any) -> VerdictLine:
    return VerdictLine("relay/x", "relay", name, outcome, **fields)


UNEXPECTED = Broken("MRK-001")
KNOWN = Broken("MRK-002", expected_by="shipped#1")


NOTHING_SELECTED = (
    "nothing was judged: no scenario that you chose is meant for the edition and dialect of the adapter; "
    "choose another adapter, --requirement or --vector"
)


@pytest.mark.parametrize(
    ("lines", "code", "why"),
    [
        pytest.param([adapter(), verdict("conforms")], 0, "everything is as expected", id="conforms"),
        pytest.param([adapter(), verdict("diverges", broken=(KNOWN,))], 0, "everything is as expected", id="known"),
        pytest.param(
            [adapter(), verdict("diverges", broken=(KNOWN, UNEXPECTED))],
            1,
            "1 scenario diverged unexpectedly",
            id="one of two is unexpected",
        ),
        pytest.param(
            [adapter(), verdict("diverges")], 1, "1 scenario diverged unexpectedly", id="diverges unexplained"
        ),
        pytest.param(
            [adapter(), verdict("conforms"), StaleLine("e", "a", "MRK-001")],
            1,
            "1 expectation did not occur",
            id="stale",
        ),
        pytest.param(
            [adapter(), verdict("unsupported", demanded=True)],
            1,
            "1 scenario that should have been judged could not be",
            id="a demanded capability is missing",
        ),
        pytest.param(
            [adapter(), verdict("unsupported")],
            3,
            "nothing was judged: no scenario that ran came to a judgement",
            id="all unsupported",
        ),
        pytest.param(
            [adapter(), verdict("conforms"), adapter("b", 0, required=True, notes=("a dialect 'x'",))],
            3,
            "nothing was judged of adapter b (a dialect 'x'), which was named",
            id="a named adapter judges nothing beside another",
        ),
        pytest.param(
            [adapter(), verdict("conforms"), adapter("b", 1, required=True), verdict("unsupported", "b")],
            3,
            "nothing was judged of adapter b, which was named",
            id="a named adapter can act nothing out beside another",
        ),
        pytest.param(
            [adapter(), verdict("conforms"), adapter("b", 0)],
            0,
            "everything is as expected",
            id="a default adapter judges nothing beside another",
        ),
        pytest.param(
            [adapter(), verdict("conforms"), adapter("b", required=True), verdict("crash", "b", expected_by="e")],
            0,
            "everything is as expected",
            id="a named adapter crashes as expected",
        ),
        pytest.param([adapter(selected=0)], 3, NOTHING_SELECTED, id="nothing selected"),
        pytest.param([], 3, "nothing was judged: no adapter is ready", id="empty"),
        pytest.param(
            [adapter(), verdict("conforms"), AdapterLine("b", "unavailable", required=True)],
            3,
            "adapter b was named and is unavailable",
            id="a named adapter is unavailable",
        ),
        pytest.param(
            [adapter(), verdict("conforms"), AdapterLine("b", "unavailable")],
            0,
            "everything is as expected",
            id="a default adapter is unavailable",
        ),
        pytest.param([adapter(), verdict("crash")], 4, "1 scenario ended in a fault of the adapter", id="crash"),
        pytest.param([adapter(), verdict("timeout")], 4, "1 scenario ended in a fault of the adapter", id="timeout"),
        pytest.param(
            [adapter(), verdict("adapter_error")], 4, "1 scenario ended in a fault of the adapter", id="fault"
        ),
        pytest.param(
            [adapter(), verdict("protocol_error")], 4, "1 scenario ended in a fault of the adapter", id="wire"
        ),
        pytest.param(
            [adapter(selected=2), verdict("crash", expected_by="shipped#2"), verdict("conforms")],
            0,
            "everything is as expected",
            id="an expected crash",
        ),
        pytest.param(
            [adapter(selected=2), verdict("conforms"), verdict("not_run")],
            1,
            "1 scenario that should have been judged could not be",
            id="not run is red",
        ),
        pytest.param(
            [adapter(selected=2), verdict("conforms"), verdict("not_run", expected_by="shipped#3")],
            0,
            "everything is as expected",
            id="a negative whose twin diverges as expected",
        ),
        pytest.param(
            [adapter(), verdict("not_run"), AdapterLine("a", "failed", reason="garbage")],
            4,
            "adapter a failed",
            id="an adapter fails after it was ready",
        ),
        pytest.param(
            [adapter(), verdict("harness_error")], 70, "bindproof itself failed on 1 scenario", id="harness error"
        ),
        pytest.param(
            [adapter(selected=2), verdict("conforms")],
            70,
            "bindproof lost count of its scenarios (a: 2 selected, 1 verdicts)",
            id="a verdict too few",
        ),
        pytest.param([verdict("conforms")], 70, None, id="a verdict of an adapter that selected nothing"),
        pytest.param(
            [adapter(selected=2), verdict("diverges"), verdict("crash")],
            4,
            "1 scenario ended in a fault of the adapter",
            id="a fault comes before a divergence",
        ),
        pytest.param(
            [adapter(), verdict("diverges"), AdapterLine("b", "unavailable", required=True)],
            1,
            "1 scenario diverged unexpectedly",
            id="a divergence comes before an unavailable adapter",
        ),
    ],
)
def test_exit(lines: list[Line], code: int, why: str | None) -> None:
    summary = Fold.over(lines).summary()
    assert summary.exit == code, summary.why
    assert why is None or summary.why == why


DIVERGED: list[Line] = [adapter(selected=2), verdict("diverges")]


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ({"interrupted": True}, 130),
        ({"usage": "no such fault"}, 2),
        ({"bug": "Traceback …"}, 70),
        ({"bug": "Traceback …", "interrupted": True}, 70),
    ],
)
def test_how_it_ended_comes_first(end: dict[str, Any], code: int) -> None:
    assert Fold.over(DIVERGED).summary(**end).exit == code


def test_the_summary_counts_every_outcome() -> None:
    lines: list[Line] = [
        adapter(selected=2),
        verdict("conforms"),
        verdict("crash"),
        adapter("b"),
        verdict("conforms", "b"),
    ]
    summary = Fold.over(lines).summary()
    assert summary.selected == 3
    assert summary.outcomes == {"a": {"conforms": 1, "crash": 1}, "b": {"conforms": 1}}


def test_a_run_of_expected_faults_alone_is_as_expected() -> None:
    line = verdict("crash", expected_by="x crash on v")
    assert Fold.over([adapter(selected=1), line]).summary().exit == 0
