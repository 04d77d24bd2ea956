"""What a scenario has to keep that uses the op `each`, so that it is known which entry of a callback is which.

Enters: the steps of a complete scenario. Leaves: the rules that they break, in words. Must not know spelling.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import scripts
from bindproof.suites.relay.scenario.families import QUEUED, STREAMING


def entry_misfits(steps: list[Json]) -> Iterator[str]:
    """Say in words which rules the steps break, those inside callbacks too."""
    cancels = any(step["step"] == "cancel" for step in steps)
    left_open = any(step.get("drain") is False for step in steps)
    for step in steps:
        for callback, ops in scripts(step):
            count = sum(op["op"] == "each" for op in ops)
            if count:
                yield from _misfit(step, callback, count, cancels=cancels, left_open=left_open)


def _misfit(step: Json, callback: str, count: int, *, cancels: bool, left_open: bool) -> Iterator[str]:
    if count > 1:
        yield f"callback {callback!r}: `each` stands there once: its lists have all that one entry does"
    if callback.endswith(".source") or step.get("family") == STREAMING:
        yield f"callback {callback!r}: `each` is in no callback that hands over chunks"
    if cancels:
        yield f"callback {callback!r}: where a call is cancelled there is no `each`: entries may not come to their end"
    if left_open and step.get("family") in QUEUED:
        yield f"callback {callback!r}: beside a stream that is not drained it is open how often this one is entered"
