"""What ran because a callback went on by `next` is seen by the checks of what may run no more."""

from __future__ import annotations

from typing import Any

import pytest

from tests.relay import NEWEST, broken, call, judged, lawful, prepare

Json = Any

OUTER: Json = {"step": "register", "as": "a", "family": "tool.execution", "name": "a", "priority": 1}
INNER: Json = {"step": "register", "as": "b", "family": "tool.execution", "name": "b", "priority": 2}
SCOPE: Json = {"step": "start", "as": "p", "kind": "scope", "name": "p"}


@pytest.mark.parametrize(
    ("steps", "requirement"),
    [
        ([OUTER, INNER, {"step": "deregister", "of": "b"}], "MID-007"),
        ([OUTER, SCOPE, {**INNER, "scope": "p"}, {"step": "end", "of": "p"}], "MID-004"),
    ],
)
def test_an_intercept_that_is_gone_runs_not_even_behind_another(steps: list[Json], requirement: str) -> None:
    """The log is that of a lawful run, but for the intercept around the provider."""
    prepared = prepare(*steps, call("c", kind="tool"))
    log = lawful(prepared, 0, "wire")
    assert broken(judged(prepared, log, NEWEST, "wire")) == {}
    at = next(
        index for index, record in enumerate(log) if record["fact"] == "enter" and record["callback"] == "c.provider"
    )
    key, answer = {"callback": "b", "k": 0}, log[at + 1]["reply"]
    given = log[at]["given"]["args"]
    before = [
        {"fact": "enter", **key, "given": {"name": "gpt", "args": given}},
        {"fact": "next", **key, "given": given},
    ]
    after = [{"fact": "answer", **key, "value": answer}, {"fact": "leave", **key, "reply": answer}]
    wrapped = [*log[:at], *before, *log[at : at + 2], *after, *log[at + 2 :]]
    assert requirement in broken(judged(prepared, wrapped, NEWEST, "wire"))
