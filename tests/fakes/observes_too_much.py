"""The reference, which observes more than there is: `text`, `object`, `records` or `nested`, of so many bytes or parts.

Its arguments: which of them, how much, in how many scenarios from the first on (all of them without).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from bindproof_adapter import serve
from tests.fakes.relay_reference import RelayReference

KINDS: dict[str, Callable[[int], list[Any]]] = {
    "text": lambda much: [{"fact": "done", "step": "s", "value": "y" * much}],
    "object": lambda much: [{"fact": "done", "step": "s", "value": {f"k{at}": at for at in range(much)}}],
    "records": lambda much: [{"fact": "settled"}] * much,
    "list": lambda much: [{"fact": "done", "step": "s", "value": list(range(much))}],
}


class ObservesTooMuch(RelayReference):
    def __init__(self, kind: str, much: int, times: int) -> None:
        super().__init__()
        self._more, self._times = KINDS[kind](much), times

    def run(self, suite: str, scenario: Any) -> Any:
        observation = super().run(suite, scenario)
        self._times -= 1
        if self._times >= 0:
            self._put_in(observation["log"])
        return observation

    def _put_in(self, log: list[Any]) -> None:
        """In the place of the value of its first step that came back, or in front."""
        value = self._more[0].get("value")
        for record in log:
            if value is not None and record["fact"] == "done" and isinstance(record.get("value"), dict):
                record["value"] = value
                return
        log[:0] = self._more


if __name__ == "__main__":
    kind, much, *times = sys.argv[1:]
    serve("observes-too-much", "1", lambda: ObservesTooMuch(kind, int(much), int(times[0]) if times else 1 << 60))
