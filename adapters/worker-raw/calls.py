"""Drives a host of workers, the Python package nemo-relay, with a worker of our own that answers with any bytes.

The worker is `worker.py`, in a process that the host starts. Here the program is: the host's managed calls, and what is
counted of each.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from bindproof_worker import Host, Launch, counted_call, imported, lines

from bindproof_adapter import Inexpressible, described, serve, version_of
from bindproof_adapter.relay.recorder import Recorder

Json = Any

PATIENCE = 3.0
"""Seconds until what a worker should be told counts as not told."""


class Calls:
    """Managed calls whose only request intercept is the worker's."""

    def __init__(self, relay: Any, packages: str) -> None:
        self._relay, self._version = relay, version_of(relay, "nemo-relay")
        here = Path(__file__).parent
        self._launch = Launch([sys.executable, "-S", str(here / "worker.py"), packages, str(here)])
        self._loop = asyncio.new_event_loop()

    def describe(self) -> Json:
        """Say which host is driven."""
        return described("relay", "nemo-relay/worker", self._version, "python", dialect="worker-raw")

    def run(self, suite: str, scenario: Json) -> Json:
        """Act a scenario of steps `worker` out; raises Inexpressible for any other."""
        for step in scenario["steps"]:
            if step["step"] != "worker":
                raise Inexpressible("program", "a worker is asked in its host's calls, and has no program of its own")
        task = self._loop.create_task(self._observe(scenario["steps"]), context=contextvars.Context())
        return self._loop.run_until_complete(task)

    async def _observe(self, steps: list[Json]) -> Json:
        strays: list[Json] = []
        recorder, host = Recorder(strays), Host(self._relay, self._version, self._launch)
        (host.folder / "answers.json").write_text(json.dumps({step["as"]: step for step in steps}), "utf-8")
        told: list[Json] = []
        try:
            self._relay.get_scope_stack()
            await host.start()
            self._relay.subscribers.register("bindproof", lambda event: told.append(json.loads(event.to_json())))
            counted = {step["as"]: await self._step(step, recorder, told, host.folder) for step in steps}
            written = {what: lines(host.folder / what) for what in ("asked", "cancelled")}
            for name, facts in counted.items():
                recorder.measure(name, {**{what: found.count(name) for what, found in written.items()}, **facts})
        finally:
            recorder.settle()
            self._relay.subscribers.deregister("bindproof")
            with suppress(
                RuntimeError
            ):  # says that a worker which has ended cannot be told to, and is over all the same
                await host.stop()
            host.remove()
        return {"log": recorder.log, "left": [], "stray": strays}

    async def _step(self, step: Json, recorder: Recorder, told: list[Json], folder: Path) -> Json:
        """Make the call of a step, and cancel one that is never answered; return what is counted of it."""
        call = self._loop.create_task(counted_call(self._relay, step["as"], recorder, told))
        if step["how"] == "never":
            await _until(lambda: step["as"] in lines(folder / "asked"))
            call.cancel()
            await _until(lambda: step["as"] in lines(folder / "cancelled"))
        return await call


async def _until(there: Callable[[], bool]) -> None:
    """Wait until something is there, or for as long as it may take at most."""
    until = time.monotonic() + PATIENCE
    while not there() and time.monotonic() < until:
        await asyncio.sleep(0.005)


def connect() -> Calls:
    """Import the package; raise AdapterFault with the reason where that fails."""
    return Calls(imported(), sys.argv[1])


if __name__ == "__main__":
    serve("worker-raw", "1", connect)
