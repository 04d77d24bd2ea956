"""What goes into a drive and what comes out of it.

Enters: nothing. Leaves: `Limits`, `HardEnd`, `Job`, and the items of a drive. Must not know how they come about.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from bindproof.core.model import Json, TargetInfo

JobOutcome: TypeAlias = Literal[
    "observation",
    "unsupported",
    "inexpressible",
    "adapter_error",
    "protocol_error",
    "crash",
    "timeout",
    "not_run",
]
"""What can become of one job."""


class Limits(Struct, frozen=True):
    """The limits of the protocol chapter: bytes, seconds and counts."""

    line: int = 16 << 20
    """Longest line."""
    reply: int = 8 << 20
    """Longest answer to a scenario that is read."""
    stderr: int = 64 << 10
    """How much of its end is kept."""
    initialize: float = 30.0
    scenario: float = 10.0
    shutdown: float = 5.0
    """`initialize`, `scenario` and `shutdown`: seconds to answer each."""
    window: int = 64
    """Scenarios in flight."""
    restarts: int = 5
    """Fresh processes that confirmed faults may cost one adapter."""

    @classmethod
    def allowing(cls, seconds: float | None) -> Limits:
        """Return the limits where a scenario may take so many seconds, or as many as usual with None.

        Whoever allows a scenario more than a start, as under a memory checker, allows a start as much.
        """
        usual = cls()
        return usual if seconds is None else cls(scenario=seconds, initialize=max(seconds, usual.initialize))


class HardEnd(Struct):
    """A moment after which nothing is waited for any more.

    It may be set while a drive runs.
    """

    at: float = math.inf
    """On the clock `time.monotonic`, infinite for never."""

    @property
    def passed(self) -> bool:
        """True from that moment on."""
        return time.monotonic() >= self.at


class Job(Struct, frozen=True):
    """One scenario to send."""

    id: str
    suite: str
    params: bytes
    """ASCII JSON of the `params` of `run`, encoded once by the caller."""
    seconds: float | None = None
    """What it may take, where that is less than the limit for every scenario."""
    leads: bool = False
    """The next job has to be answered after this one."""
    kills: bool = False
    """It is known to end its process, or to keep it: it goes apart. Not beside `Pause`, nor where it leads."""
    recall: Callable[[bytes], Any] | None = None
    """Given a result as it came (see `messages.result_of`), what is known of one just like it, or None where it has to
    be read."""


class Pause(Struct, frozen=True):
    """Stands among jobs: what comes next depends on answers to those before it, and is asked for once all are told.

    The answer before it is good without a further sign of life. It goes with one process of an adapter alone.
    """


class Answer(Struct, frozen=True):
    """What became of one job on one adapter; every job that was pulled gets exactly one, or is `Unanswered`."""

    adapter: str
    job: Job
    outcome: JobOutcome
    payload: Json = None
    """The observation, unsupported or inexpressible object."""
    reason: str = ""
    """Plain words for all but an observation."""
    evidence: str | None = None
    """The offending line."""
    stderr: str = ""
    """The tail of it, for the adapter's faults."""
    raw: bytes | None = None
    """The whole reply line."""
    recalled: Any = None
    """What the job's `recall` knew of it; it is an observation then, and was not read: there is no payload."""


class Unanswered(Struct, frozen=True):
    """A job that was pulled, and had no answer at the hard end; nothing is known against it."""

    adapter: str
    job: Job


class Ready(Struct, frozen=True):
    """An adapter initialized for the first time; its answers follow."""

    adapter: str
    info: TargetInfo


class Failed(Struct, frozen=True):
    """The adapter is guilty and no scenario is. Comes at most once for an adapter; its other answers stand."""

    adapter: str
    reason: str
    evidence: str | None = None
    stderr: str = ""


Item: TypeAlias = Ready | Answer | Unanswered | Failed
"""What comes out of a drive."""
