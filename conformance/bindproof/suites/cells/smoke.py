"""The steps of `smoke` for adapters of `cells`: from a session to a connection.

Enters: nothing. Leaves: the steps in order. Each one adds one thing to act out.
"""

from __future__ import annotations

from typing import Any, Final

from bindproof.suite_api import SmokeStep

_OPEN: Final[Any] = {"step": "open"}
_STANDS: Final[Any] = [{"do": "text", "text": "a"}, {"do": "latch", "name": "l"}, {"do": "text", "text": "b"}]


def _create(*program: Any) -> Any:
    return {"step": "create", "as": "a", "program": list(program)}


STEPS: tuple[SmokeStep, ...] = (
    SmokeStep(
        "opens a session", {"steps": [_OPEN]}, "write `done` for each step, and shut down what is open in the end"
    ),
    SmokeStep(
        "a cell is created, observed and closed",
        {"steps": [_OPEN, _create(_STANDS[0]), {"step": "await", "of": "a"}]},
        "write `told` when an observation comes back, and `closed` when the host says that the cell is gone",
    ),
    SmokeStep(
        "a cell stands at a latch",
        {
            "steps": [
                _OPEN,
                _create(*_STANDS),
                {"step": "reach", "cell": "a", "call": "l"},
                {"step": "release", "cell": "a", "latch": "l"},
                {"step": "await", "of": "a"},
            ]
        },
        "a latch is a call of a tool that is answered by the step `release`; write `called` when it comes",
    ),
    SmokeStep(
        "a cell that stands is terminated",
        {
            "steps": [
                _OPEN,
                _create(*_STANDS),
                {"step": "reach", "cell": "a", "call": "l"},
                {"step": "terminate", "cell": "a"},
            ]
        },
        "write `cancelled` when the host takes a call back; the outcome is the value of the step",
    ),
    SmokeStep(
        "a connection of its own",
        {"frames": [{"frame": "hello"}, {"frame": "request"}]},
        "send each frame, write `got` for each reply, close the pipe and write the status as `ended`",
    ),
)
