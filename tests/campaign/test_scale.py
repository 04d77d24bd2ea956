"""Several processes, and shards, find what one process finds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bindproof.campaign import CampaignRequest, campaign
from bindproof.results import Fold, Line, RunLine, Shard, VerdictLine, encode
from bindproof.runner import RunRequest, merge
from tests.runner.test_execute import program

RUN = RunRequest(adapter_commands=(("swaps_marks", program("swaps_marks")),))
REQUEST = CampaignRequest(run=RUN, seed=3, examples=60)


def lines_of(request: CampaignRequest) -> list[Line]:
    lines: list[Line] = []
    campaign(request, lines.append, lambda _: None)
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
    assert len(alone) == REQUEST.examples
    assert any(outcome == "diverges" for _, outcome, _, _ in alone)
    assert found(lines_of(replace(REQUEST, run=replace(RUN, processes=3)))) == alone

    logs = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    for number, log in enumerate(logs, 1):
        shard = lines_of(replace(REQUEST, run=replace(RUN, shard=Shard(number, 2))))
        log.write_bytes(b"".join(map(encode, shard)))
    whole: list[Line] = []
    merge(logs, None, whole.append)
    assert found(whole) == alone
    assert Fold.over(whole).mismatch is None
    assert [line.seed for line in whole if isinstance(line, RunLine)] == [3]
