"""Which scenarios a campaign, or one shard of it, is sent."""

from __future__ import annotations

from itertools import islice

import pytest

from bindproof.core.request import Campaign, Shard


@pytest.mark.parametrize("examples", [1, 7, 100])
@pytest.mark.parametrize("of", [1, 2, 3, 8])
def test_the_shards_have_all_numbers_each_once(examples: int, of: int) -> None:
    campaign = Campaign(first=5, examples=examples)
    shards = [Shard(number, of) for number in range(1, of + 1)]
    parts = [list(campaign.numbers(shard)) for shard in shards]
    assert sorted(number for part in parts for number in part) == list(range(5, 5 + examples))
    assert [len(part) for part in parts] == [campaign.count(shard) for shard in shards]


def test_where_the_time_decides_a_shard_has_no_end() -> None:
    campaign = Campaign(seconds=1.0)
    assert campaign.count(Shard(2, 3)) is None
    assert list(islice(campaign.numbers(Shard(2, 3)), 4)) == [1, 4, 7, 10]
