"""What a campaign is asked to do.

Enters: nothing. Leaves: CampaignRequest. Must not know how it is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

from bindproof.runner import RunRequest

EXAMPLES = 1000
"""So many scenarios make a campaign, where neither a number nor a time is asked for."""


@dataclass(frozen=True, slots=True)
class CampaignRequest:
    """One campaign.

    run: adapters, suite, edition, timeout and expectations, as for a run; its vectors and files are not used.
    seed: decides every scenario, together with the scenario's number. first: the number of the first one. examples: how
    many, None: as many as `seconds` allow. seconds: how long scenarios are sent, None: until `examples` are judged.
    save: a folder for what is found.
    minimum: so many scenarios have to exercise each requirement. guided: every second scenario is like one that
    exercises what few do.
    """

    run: RunRequest
    seed: int = 0
    first: int = 0
    examples: int | None = None
    seconds: float | None = None
    save: Path | None = None
    minimum: int = 0
    guided: bool = False

    @property
    def count(self) -> int | None:
        """How many scenarios each adapter is sent, those of this shard alone; None where the time decides."""
        whole = EXAMPLES if self.examples is None and self.seconds is None else self.examples
        return None if whole is None else len(range(whole)[self._shares])

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of the scenarios, those of this shard alone."""
        return islice(count(self.first + self._shares.start, self._shares.step), self.count)

    @property
    def _shares(self) -> slice:
        """Every so many-th scenario is a shard's, as it is with vectors."""
        shard = self.run.shard
        return slice(0, None, 1) if shard is None else slice(shard.number - 1, None, shard.of)
