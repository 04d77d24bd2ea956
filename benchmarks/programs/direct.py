"""Runs a Python adapter's own target in a loop, in one process, without protocol: what the binding alone costs.

Enters: the adapter's program with its arguments; on stdin one line of JSON: the `suite` and its `scenarios` as the
adapter is sent them, `warm_up` and `count`. Leaves: one line on stdout, the seconds that `count` scenarios took. Must
not know the harness.
"""

from __future__ import annotations

import json
import runpy
import sys
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import bindproof_adapter


def loop(name: str, version: str, connect: Callable[[], Any], text: Any = None) -> None:
    """Stand in for the SDK's `serve`."""
    asked = json.loads(sys.stdin.readline())
    target = connect()
    endless = cycle(asked["scenarios"])
    for scenario in islice(endless, asked["warm_up"]):
        target.run(asked["suite"], scenario)
    began = time.perf_counter()
    for scenario in islice(endless, asked["count"]):
        target.run(asked["suite"], scenario)
    print(time.perf_counter() - began, flush=True)


if __name__ == "__main__":
    bindproof_adapter.serve = loop
    del sys.argv[0]
    sys.path[0] = str(Path(sys.argv[0]).parent)  # as if the adapter had been started itself
    runpy.run_path(sys.argv[0], run_name="__main__")
