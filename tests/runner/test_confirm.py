"""A failure is tried again alone; what the tries show is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import pytest

from bindproof.core.model import AdapterCommand, Plan, Verdict
from bindproof.core.origins import FromVector
from bindproof.drive import Answer, Failed, Job, Limits
from bindproof.results import TIMES
from bindproof.runner import confirm as confirming
from bindproof.runner.assignment import Assignment
from bindproof.runner.confirm import confirm
from bindproof.runner.known_divergences import Expectations
from bindproof.runner.setting import Setting
from tests.relay import NEWEST, SPEC, SUB, SUITE, call, intercept, lawful, marks

Json = Any

COMMAND = AdapterCommand("a", ("none",), {}, ".")
PLAN = Plan(FromVector("relay/x/y"), "relay", SUITE.complete({"steps": [SUB, intercept(marks("m1", "m2")), call()]}))


def assignment() -> Assignment:
    setting = Setting(SPEC, SUITE, NEWEST, "wire", (), None)
    return Assignment("a", setting, Expectations((), "t", "1"))


def log(*, fails: bool) -> list[Json]:
    found = lawful(SUITE.prepare(PLAN.scenario, NEWEST, "wire"), 0, "wire")
    if fails:
        first, second = (r for r in found if r["fact"] == "event" and r["event"]["kind"] == "mark")
        first["event"], second["event"] = second["event"], first["event"]
    return found


@pytest.mark.parametrize(
    ("tries", "reproduced"),
    [
        ([True, True, True], "always"),
        ([True, False, False], "sometimes 1/3"),
        ([False, True, True], "sometimes 2/3"),
        ([False, False, False], "in_company"),
        ([True, None, True], "always"),
        (["crash", True, "timeout"], "always"),
    ],
)
def test_what_the_tries_show(monkeypatch: pytest.MonkeyPatch, tries: list[Json], reproduced: str) -> None:
    """Each try is a process of its own: its log fails or not; None: it never answered; a text: how it ended."""
    assert len(tries) == TIMES
    left = iter(tries)

    def drive(
        work: Iterable[tuple[AdapterCommand, Callable[[Any], Iterable[Job]]]], limits: Limits, **_: Any
    ) -> Iterator[Any]:
        ((command, jobs),) = work
        assert command is COMMAND
        (job,) = jobs(None)
        fails = next(left)
        if fails is None:
            yield Failed("a", "it never initialized")
        elif isinstance(fails, str):
            yield Answer("a", job, cast("Any", fails))
        else:
            yield Answer("a", job, "observation", {"log": log(fails=fails), "left": [], "stray": []})

    monkeypatch.setattr(confirming, "drive", drive)
    seen = confirm(assignment(), COMMAND, Verdict(PLAN, "a", "diverges", reason="so it is"), Limits())
    assert seen.reproduced == reproduced
    assert seen.reason.startswith("so it is")
    assert ("it conforms alone in a fresh process" in seen.reason) is (reproduced == "in_company")
    assert list(left) == []
