"""The phases of one adapter process, and of those in its place after it: a table without IO.

Enters: nothing. Leaves: `PHASES`: what happens in which phase leads where, and what is done about it. Must not know
processes, jobs or time. `adapter_run` tells what happened, and does what the table says.

What comes along with an event goes to its actions: what the adapter said of itself (`initialized`), a reply
(`answered`, `left something`), how the process was or may be lost (`could not start`, `broke the protocol`,
`broke it at the last answer`, `output ended`, `expired`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

Phase: TypeAlias = Literal[
    "initializing",  # `initialize` was sent
    "introduced",  # it said what it is; no scenario was sent to it
    "running",  # scenarios are in flight
    "waiting",  # all is answered; what comes next depends on that
    "unclean",  # a scenario left something behind; what it answers after that counts for nothing
    "asked to end",  # `shutdown` was sent
    "ending",  # it answered `shutdown`
    "over",  # the process is gone, and what comes next is not decided
    "finished",  # no further process is started
]
"""Where one process of an adapter stands."""

Event: TypeAlias = Literal[
    "could not start",
    "initialized",
    "answered",
    "left something",  # answered, and something stayed registered or came late
    "acknowledged",  # it answered `shutdown`
    "all read",  # what its output had is read, and there was no fault in it
    "nothing in flight",  # and nothing to send
    "paused",  # nothing in flight, and nothing to send until the answers are told
    "told",  # all answers, to whoever has to know them
    "broke the protocol",
    "broke it at the last answer",  # the newest answer was repeated, or is of a scenario that is alone in its process
    "output ended",
    "expired",  # the phase's time ran out
    "time is up",  # of the whole drive; never before the adapter was introduced for the first time
    "jobs left",
    "no jobs left",
    "restarts used up",
]
"""What can happen."""

Action: TypeAlias = Literal[
    "start",  # a process, and send `initialize`
    "introduce",  # tell what the adapter is, and take its jobs, if this is the first time
    "hold answer",  # until the next sign of life; the one that was held before is good
    "release answer",  # the one that is held is good
    "send again",  # note that this scenario goes out again
    "fill",  # send as many scenarios as may be in flight
    "shut down",  # send `shutdown`
    "stop",  # make sure that the process is gone
    "lose",  # stop, and let the docket find out who did it; the answer that is held does not count
    "start afresh",  # stop; all that is not answered, or was since the process is unclean, goes out again
    "count start",  # of those that were lost before a scenario was sent, in a row
    "blame adapter",  # stop, report that no scenario did it, and charge a restart
    "fail",  # stop, report it, and give the adapter up
    "close case",  # what no suspect explains is the adapter's fault
    "withdraw",  # what is in flight, and what waits, stays unanswered
    "report case",  # a loss that nobody is known to be guilty of is the adapter's
    "give up",  # the jobs that are left are not run
    "go on",  # decide what comes after this process
]
"""What can be done about it."""

Row: TypeAlias = tuple[Phase, tuple[Action, ...]]

PHASES: Mapping[tuple[Phase, Event], Row] = MappingProxyType(
    {
        ("initializing", "could not start"): ("finished", ("fail",)),
        ("initializing", "initialized"): ("introduced", ("introduce",)),
        ("initializing", "all read"): ("initializing", ()),
        ("initializing", "broke the protocol"): ("finished", ("fail",)),
        ("initializing", "output ended"): ("finished", ("fail",)),
        ("initializing", "expired"): ("finished", ("fail",)),
        ("initializing", "time is up"): ("finished", ("withdraw", "stop", "report case")),
        ("introduced", "all read"): ("running", ("fill",)),
        ("introduced", "broke the protocol"): ("over", ("count start", "blame adapter", "go on")),
        ("running", "answered"): ("running", ("hold answer",)),
        ("running", "left something"): ("unclean", ("hold answer",)),
        ("running", "all read"): ("running", ("fill",)),
        ("running", "nothing in flight"): ("asked to end", ("shut down",)),
        ("running", "paused"): ("waiting", ("release answer",)),
        ("running", "broke the protocol"): ("over", ("lose", "go on")),
        ("running", "broke it at the last answer"): ("over", ("lose", "go on")),
        ("running", "output ended"): ("over", ("lose", "go on")),
        ("running", "expired"): ("over", ("release answer", "lose", "go on")),
        ("running", "time is up"): ("finished", ("release answer", "withdraw", "stop", "report case")),
        ("waiting", "told"): ("running", ("fill",)),
        ("waiting", "time is up"): ("finished", ("withdraw", "stop", "report case")),
        ("unclean", "answered"): ("unclean", ("send again",)),
        ("unclean", "left something"): ("unclean", ("send again",)),
        ("unclean", "all read"): ("over", ("release answer", "start afresh", "go on")),
        ("unclean", "broke the protocol"): ("over", ("lose", "go on")),
        ("unclean", "broke it at the last answer"): ("over", ("lose", "go on")),
        ("asked to end", "acknowledged"): ("ending", ("release answer",)),
        ("asked to end", "all read"): ("asked to end", ()),
        ("asked to end", "broke the protocol"): ("over", ("blame adapter", "release answer", "go on")),
        ("asked to end", "broke it at the last answer"): ("over", ("lose", "go on")),
        ("asked to end", "output ended"): ("over", ("stop", "release answer", "go on")),
        ("asked to end", "expired"): ("over", ("stop", "release answer", "go on")),
        ("asked to end", "time is up"): ("finished", ("release answer", "withdraw", "stop", "report case")),
        ("ending", "all read"): ("ending", ()),
        ("ending", "broke the protocol"): ("over", ("stop", "go on")),
        ("ending", "broke it at the last answer"): ("over", ("stop", "go on")),
        ("ending", "output ended"): ("over", ("stop", "go on")),
        ("ending", "expired"): ("over", ("stop", "go on")),
        ("ending", "time is up"): ("finished", ("withdraw", "stop", "report case")),
        ("over", "jobs left"): ("initializing", ("start",)),
        ("over", "no jobs left"): ("finished", ("close case",)),
        ("over", "restarts used up"): ("finished", ("give up",)),
    }
)
"""All that can happen. What is not here cannot: it would be a bug of ours."""
