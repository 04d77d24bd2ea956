"""A conditional that answers `undefined` lets pass, as it does where nothing is answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bindproof.cli import main
from tests.relay import SUB, broken, judged, lawful, prepare
from tests.seen.conftest import scenario_file

Json = Any

UNDEFINED: Json = {"$none": True}
SET: Json = {"op": "edit", "set": {"": UNDEFINED}}


def steps(kind: str, *ops: Json) -> list[Json]:
    """A conditional of a kind of calls, and such a call."""
    guard: Json = {"step": "register", "as": "g", "family": f"{kind}.conditional", "name": "g", "do": list(ops)}
    return [SUB, guard, {"step": "call", "as": "c", "kind": kind, "name": "gpt"}]


@pytest.mark.parametrize("kind", ["llm", "tool"])
def test_undefined_of_a_conditional_that_lets_pass_conforms(kind: str) -> None:
    log = lawful(prepare(*steps(kind), edition="0.9", dialect="node"), 0, "node")
    (left,) = [record for record in log if record["fact"] == "leave" and record["callback"] == "g"]
    left["reply"] = UNDEFINED
    prepared = prepare(*steps(kind, SET), edition="0.9", dialect="node")
    assert broken(judged(prepared, log, "0.9", "node")) == {}


@pytest.mark.binding
@pytest.mark.parametrize("kind", ["llm", "tool"])
def test_undefined_of_a_conditional_of_the_real_package_conforms(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = scenario_file(tmp_path, *steps(kind, SET))
    code = main(["replay", str(file), "--suite", "relay", "--adapter", "node@0.9.2"])
    assert code == 0, capsys.readouterr().out
