"""What adapters of workers have in common: a scenario's calls in a host, and what is counted of each.

Enters: the package, the command that is the worker, and a word on what the worker cannot answer. Leaves: observations.
Must not know how the worker comes to its answers.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bindproof_adapter import Inexpressible
from bindproof_adapter.relay.recorder import Recorder
from bindproof_worker.calling import counted_call, lines
from bindproof_worker.host import Host, Launch

Json = Any

PATIENCE = 3.0
"""Seconds until what a worker should be told counts as not told."""


class WorkerCalls:
    """Managed calls whose only request intercept is the worker's."""

    host_error: type[Exception] = RuntimeError
    """What the host raises where it cannot do what it is asked."""

    def __init__(self, relay: Any, version: str, command: Sequence[str]) -> None:
        self._relay, self.version = relay, version
        self._launch = Launch(command)
        self._loop = asyncio.new_event_loop()

    def run(self, suite: str, scenario: Json) -> Json:
        """Act a scenario of steps `worker` out; raises Inexpressible for any other."""
        for step in scenario["steps"]:
            if step["step"] != "worker":
                raise Inexpressible("program", "a worker is asked in its host's calls, and has no program of its own")
        task = self._loop.create_task(self._observe(scenario["steps"]), context=contextvars.Context())
        return self._loop.run_until_complete(task)

    def answers(self, step: Json) -> Json:
        """Return what the worker is handed of a step; raises Unsupported where it cannot answer so."""
        return step

    def started(self, answers: list[Json], folder: Path) -> None:
        """Look at what a worker that was started wrote down; raises Unsupported where it cannot give the answers."""

    async def _observe(self, steps: list[Json]) -> Json:
        answers = {step["as"]: self.answers(step) for step in steps}
        strays: list[Json] = []
        recorder, host = Recorder(strays), Host(self._relay, self.version, self._launch)
        (host.folder / "answers.json").write_text(json.dumps(answers), "utf-8")
        told: list[Json] = []
        try:
            self._relay.get_scope_stack()
            await host.start()
            self.started(list(answers.values()), host.folder)
            self._relay.subscribers.register("bindproof", lambda event: told.append(json.loads(event.to_json())))
            counted = {step["as"]: await self._step(step, recorder, told, host.folder) for step in steps}
            written = {what: lines(host.folder / what) for what in ("asked", "cancelled")}
            for name, facts in counted.items():
                recorder.measure(name, {**{what: found.count(name) for what, found in written.items()}, **facts})
        finally:
            recorder.settle()
            self._relay.subscribers.deregister("bindproof")
            with suppress(self.host_error):  # a worker that has ended cannot be told to, and is over all the same
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
