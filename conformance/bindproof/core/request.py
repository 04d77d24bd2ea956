"""What a run is asked to do, as the user chose it.

Enters: nothing. Leaves: a request, which the log's first line holds too. Must not know how it is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

EXAMPLES = 1000
"""So many scenarios make a campaign, where neither a number nor a time is asked for."""

LONGEST = 1_000_000
"""Seconds that anything may be asked to take; the system's own clocks end not far beyond."""

MOST_PROCESSES = 1000
"""Processes of an adapter that may be asked for."""

GREATEST = 2**63 - 1
"""The greatest number that may be asked for: what reads logs elsewhere has no greater ones."""

Seconds = Annotated[float, Meta(gt=0, le=LONGEST)]
Count = Annotated[int, Meta(ge=1, le=GREATEST)]

Command = Literal["run", "replay", "fuzz"]
"""The command that makes a request."""


class Shard(msgspec.Struct, frozen=True):
    """One part of a run that is shared out to several machines. number: counted from 1. of: how many there are."""

    number: Count
    of: Count

    def __post_init__(self) -> None:
        """Refuse a part that there is not."""
        if self.number > self.of:
            raise ValueError(f"there is no shard {self}")

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


class Campaign(msgspec.Struct, frozen=True, omit_defaults=True):
    """The generated scenarios of a request.

    seed: decides every scenario, together with the scenario's number. first: the number of the first one. examples: how
    many, None: as many as `seconds` allow. seconds: how long scenarios are sent, None: until `examples` are judged.
    guided: every second scenario is like one that exercises what few do. minimum: so many scenarios have to exercise
    each requirement. save: a folder for what is found.
    """

    seed: int = 0
    first: Annotated[int, Meta(ge=0, le=GREATEST)] = 0
    examples: Count | None = None
    seconds: Seconds | None = None
    guided: bool = False
    minimum: Annotated[int, Meta(ge=0, le=GREATEST)] = 0
    save: str | None = None

    def count(self, shard: Shard | None) -> int | None:
        """How many scenarios each adapter is sent, those of this shard alone; None where the time decides."""
        whole = EXAMPLES if self.examples is None and self.seconds is None else self.examples
        return None if whole is None else len(range(whole)[_shares(shard)])

    def numbers(self, shard: Shard | None) -> Iterator[int]:
        """Yield the numbers of the scenarios, those of this shard alone."""
        part = _shares(shard)
        return islice(count(self.first + part.start, part.step), self.count(shard))


def _shares(shard: Shard | None) -> slice:
    """Every so many-th scenario is a shard's, as it is with vectors."""
    return slice(0, None, 1) if shard is None else slice(shard.number - 1, None, shard.of)


class RunRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """One run: of vectors, of files, or of generated scenarios.

    suite: only this one, None: all that the adapters speak. adapters: as the user wrote them, none: the default ones.
    adapter_commands: (name, command line) of the user's own programs. edition: judge every target under it.
    requirements, vectors: globs, none: all. files: paths of vectors outside the spec, which then are all that is run.
    campaign: generated scenarios, which then are all that is run. fault: the planted fault in front of every adapter.
    timeout: seconds for one scenario. expectations: a file to add to the shipped ones, `none` for nothing expected at
    all. processes: of each adapter at the same time. shard: run only this part of what was chosen. details: keep what
    was seen and allowed of every scenario, also of one that conforms.
    """

    suite: str | None = None
    adapters: tuple[str, ...] = ()
    adapter_commands: tuple[tuple[str, str], ...] = ()
    edition: str | None = None
    requirements: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    campaign: Campaign | None = None
    fault: str | None = None
    timeout: Seconds | None = None
    expectations: str | None = None
    processes: Annotated[int, Meta(ge=1, le=MOST_PROCESSES)] = 1
    shard: Shard | None = None
    details: bool = False

    @property
    def command(self) -> Command:
        """The command that asks for this."""
        if self.campaign is not None:
            return "fuzz"
        return "replay" if self.details else "run"
