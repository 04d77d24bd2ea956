"""Which scenarios a campaign, or one shard of it, is sent."""

from __future__ import annotations

from itertools import islice

import pytest

from bindproof.campaign import CampaignRequest
from bindproof.results import Shard
from bindproof.runner import RunRequest


@pytest.mark.parametrize("examples", [1, 7, 100])
@pytest.mark.parametrize("of", [1, 2, 3, 8])
def test_the_shards_have_all_numbers_each_once(examples: int, of: int) -> None:
    shards = [
        CampaignRequest(RunRequest(shard=Shard(number, of)), first=5, examples=examples) for number in range(1, of + 1)
    ]
    parts = [list(shard.numbers()) for shard in shards]
    assert sorted(number for part in parts for number in part) == list(range(5, 5 + examples))
    assert [len(part) for part in parts] == [shard.count for shard in shards]


def test_where_the_time_decides_a_shard_has_no_end() -> None:
    request = CampaignRequest(RunRequest(shard=Shard(2, 3)), seconds=1.0)
    assert request.count is None
    assert list(islice(request.numbers(), 4)) == [1, 4, 7, 10]
