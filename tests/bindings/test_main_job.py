"""The main job on the real packages: every vector, nothing unexpected, nothing left behind, awkward values unharmed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bindproof.cli import main
from bindproof.results import Line, VerdictLine
from bindproof.runner import RunRequest, execute
from tests.bindings.toolchains import ALL, BINDINGS, OLDER, each

pytestmark = pytest.mark.binding

Json = Any

AWKWARD = "a\u2028b\u2029c\u0085d\u0000e\r\nf\ufeff\U0001f600"
LONG = "x\u2028" * (1 << 16)
"""Sent twice, each half of it escaped: a line of a megabyte, and one of several back."""


def verdicts(adapter: str, **more: Json) -> dict[str, VerdictLine]:
    """The verdict on each plan."""
    lines: list[Line] = []
    execute(RunRequest(adapters=(adapter,), **more), lines.append, lambda words: None)
    return {line.plan: line for line in lines if isinstance(line, VerdictLine)}


@pytest.mark.parametrize("adapter", each(*BINDINGS, *OLDER))
def test_every_vector_is_judged_and_nothing_is_unexpected(adapter: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["run", "--adapter", adapter, "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.split("\n") if line]  # a value may hold U+0085
    summary = lines[-1]
    found = [line for line in lines if line["type"] == "verdict"]
    assert (code, summary["why"]) == (0, "everything is as expected")
    assert len(found) == summary["selected"] > 100
    assert summary["outcomes"][adapter].get("conforms", 0) > 100
    for line in found:
        unnamed = [broken["requirement"] for broken in line.get("broken", []) if "expected_by" not in broken]
        assert unnamed == [], line["plan"]


@pytest.mark.parametrize("adapter", each(*ALL))
def test_a_full_scenario_leaves_nothing_to_an_empty_one(adapter: str) -> None:
    full, empty = "relay/lifecycle/everything-registered", "relay/lifecycle/nothing-left"
    found = verdicts(adapter, vectors=(full, empty))
    assert list(found) == [full, empty]
    assert {line.outcome for line in found.values()} == {"conforms"}


def vector(folder: Path, value: Json) -> Path:
    """A vector whose value passes through the caller's request, a mark, an event and the provider's answer."""
    steps = [
        {"step": "register", "as": "s", "family": "subscriber", "name": "s"},
        {
            "step": "register",
            "as": "i",
            "family": "llm.request",
            "name": "i",
            "do": [{"op": "edit", "append": {"/pending_marks": [{"name": "m", "data": value}]}}],
        },
        {
            "step": "call",
            "as": "c",
            "name": "gpt",
            "request": {"headers": {"h": value}, "content": {"messages": [], "free": value}},
            "provider": [{"op": "edit", "set": {"": {"$get": "given/request/content"}}}],
        },
    ]
    file = folder / "awkward.json"
    file.write_text(json.dumps({"title": "t", "exercises": ["LIF-006"], "scenario": {"steps": steps}}))
    return file


@pytest.mark.parametrize("adapter", each(*BINDINGS))
@pytest.mark.parametrize("value", [AWKWARD, LONG], ids=["awkward", "a megabyte"])
def test_awkward_and_long_values_pass_unharmed(adapter: str, value: str, tmp_path: Path) -> None:
    (line,) = verdicts(adapter, files=(vector(tmp_path, value),)).values()
    assert (line.outcome, line.reason) == ("conforms", "")
    assert {"LIF-006", "MRK-006", "AUT-001"} <= set(line.held)
