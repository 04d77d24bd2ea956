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
    """One part of a run that is shared out to several machines."""

    number: Count
    """Counted from 1."""
    of: Count
    """How many there are."""

    def __post_init__(self) -> None:
        """Refuse a part that there is not."""
        if self.number > self.of:
            raise ValueError(f"there is no shard {self}")

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


class Campaign(msgspec.Struct, frozen=True, omit_defaults=True):
    """The generated scenarios of a request."""

    seed: int = 0
    """Decides every scenario, together with the scenario's number."""
    first: Annotated[int, Meta(ge=0, le=GREATEST)] = 0
    """The number of the first one."""
    examples: Count | None = None
    """How many, None: as many as `seconds` allow."""
    seconds: Seconds | None = None
    """How long scenarios are sent, None: until `examples` are judged."""
    guided: bool = False
    """Every second scenario is like one that exercises what few do."""
    draw_for: str | None = None
    """The dialect that the scenarios are drawn for, None: anything that the suite's language can say."""
    minimum: Annotated[int, Meta(ge=0, le=GREATEST)] = 0
    """So many scenarios have to exercise each requirement."""
    save: str | None = None
    """A folder for what is found."""

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
    """One run: of vectors, of files, or of generated scenarios."""

    suite: str | None = None
    """Only this one, None: all that the adapters speak."""
    adapters: tuple[str, ...] = ()
    """As the user wrote them, none: the default ones."""
    adapter_commands: tuple[tuple[str, str], ...] = ()
    """(name, command line) of the user's own programs."""
    dialects: tuple[str, ...] = ()
    """Files of dialects besides those of the suite, for the user's own programs."""
    edition: str | None = None
    """Judge every target under it."""
    requirements: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()
    """`requirements` and `vectors`: globs, none: all."""
    files: tuple[str, ...] = ()
    """Paths of vectors outside the spec, which then are all that is run."""
    campaign: Campaign | None = None
    """Generated scenarios, which then are all that is run."""
    fault: str | None = None
    """The planted fault in front of every adapter."""
    timeout: Seconds | None = None
    """Seconds for one scenario."""
    expectations: str | None = None
    """A file to add to the shipped ones, `none` for nothing expected at all."""
    processes: Annotated[int, Meta(ge=1, le=MOST_PROCESSES)] | None = None
    """Of each adapter at the same time; None: as many as each says itself."""
    shard: Shard | None = None
    """Run only this part of what was chosen."""
    details: bool = False
    """Keep what was seen and allowed of every scenario, also of one that conforms."""

    @property
    def whole(self) -> bool:
        """Whether all that a suite has is run, so that what is not seen then will not be seen otherwise."""
        part = (self.requirements, self.vectors, self.files, self.campaign, self.fault, self.shard)
        return not any(part)

    @property
    def command(self) -> Command:
        """The command that asks for this."""
        if self.campaign is not None:
            return "fuzz"
        return "replay" if self.details else "run"
