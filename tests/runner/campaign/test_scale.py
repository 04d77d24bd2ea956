"""Several processes, and shards, find what one process finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bindproof.core.request import Campaign, Shard
from bindproof.results import Fold, Line, RunLine, VerdictLine, encode
from bindproof.runner import RunRequest, execute, merge
from tests.runner.test_execute import program

CAMPAIGN = Campaign(seed=1, examples=6)
"""Few: what fails is made smaller by three runs."""
REQUEST = RunRequest(adapter_commands=(("swaps_marks", program("swaps_marks")),), campaign=CAMPAIGN)


def lines_of(request: RunRequest) -> list[Line]:
    lines: list[Line] = []
    execute(request, lines.append, lambda _: None)
    return [*lines, Fold.over(lines).summary()]


def found(lines: list[Line]) -> list[tuple[Any, ...]]:
    return sorted(
        (line.plan, line.outcome, line.held, tuple(broken.requirement for broken in line.broken))
        for line in lines
        if isinstance(line, VerdictLine)
    )


@pytest.mark.long
def test_jobs_and_shards_find_what_one_process_finds(tmp_path: Path) -> None:
    alone = found(lines_of(REQUEST))
    assert len(alone) == CAMPAIGN.examples
    assert any(outcome == "diverges" for _, outcome, _, _ in alone)
    assert found(lines_of(msgspec.structs.replace(REQUEST, processes=3))) == alone

    logs = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    for number, log in enumerate(logs, 1):
        shard = lines_of(msgspec.structs.replace(REQUEST, shard=Shard(number, 2)))
        log.write_bytes(b"".join(map(encode, shard)))
    whole: list[Line] = []
    merge(logs, None, whole.append)
    assert found(whole) == alone
    assert Fold.over(whole).mismatch is None
    assert [line.request for line in whole if isinstance(line, RunLine)] == [REQUEST]
