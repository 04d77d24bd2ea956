"""What a run is asked to do.

Enters: nothing. Leaves: RunRequest. Must not know how it is done.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bindproof.results import Shard


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One run.

    suite: only this one, None: all that the adapters speak. adapters: as the user wrote them, none: the default ones.
    adapter_commands: (name, command line) of the user's own programs. edition: judge every target under it.
    requirements, vectors: globs, none: all. files: vectors outside the spec. fault: the planted fault in front of every
    adapter. timeout: seconds for one scenario. expectations: a file to add to the shipped ones, `none` for nothing
    expected at all. processes: of each adapter at the same time. shard: run only this part of what was chosen. details:
    keep what was seen and allowed of every scenario, also of one that conforms. arguments: the words of the command
    line.
    """

    suite: str | None = None
    adapters: tuple[str, ...] = ()
    adapter_commands: tuple[tuple[str, str], ...] = ()
    edition: str | None = None
    requirements: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    fault: str | None = None
    timeout: float | None = None
    expectations: str | None = None
    processes: int = 1
    shard: Shard | None = None
    arguments: tuple[str, ...] = ()
    details: bool = False
