"""Drives a host of native plugins, the Python package nemo-relay, with a library of our own that answers as it is told.

The library is made of `plugin/`, and loaded by the host. Here the program is: how the host comes to it, its managed
calls, and what is counted of each.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from bindproof_worker import HONEST, Host, Library, counted_call, imported, lines

from bindproof_adapter import Inexpressible, described, serve, version_of
from bindproof_adapter.relay.recorder import Recorder

Json = Any


class Calls:
    """Managed calls that a native plugin answers."""

    def __init__(self, relay: Any, version: str, target: str, library: Path, *refusals: type[Exception]) -> None:
        """Take a host, a package, of this version and target; refusals: what it raises where it loads no plugin."""
        self._relay, self._version, self._target = relay, version, target
        self._library, self._refusals = library, refusals
        self._loop = asyncio.new_event_loop()

    def describe(self) -> Json:
        """Say which host is driven."""
        return described("relay", self._target, self._version, "python", dialect="native")

    def run(self, suite: str, scenario: Json) -> Json:
        """Act a scenario of steps `load` and `native` out; raises Inexpressible for any other."""
        for step in scenario["steps"]:
            if step["step"] not in ("load", "native"):
                raise Inexpressible("program", "a native plugin is asked in its host's calls, and has no own program")
        task = self._loop.create_task(self._observe(scenario["steps"]), context=contextvars.Context())
        return self._loop.run_until_complete(task)

    async def _observe(self, steps: list[Json]) -> Json:
        strays: list[Json] = []
        load = steps[0] if steps[0]["step"] == "load" else None
        recorder, host = Recorder(strays), Host(self._relay, self._version, Library(self._library, load or HONEST))
        calls = [step for step in steps if step is not load]
        (host.folder / "answers.json").write_text(json.dumps({step["as"]: step for step in steps}), "utf-8")
        told: list[Json] = []
        try:
            self._relay.get_scope_stack()
            await self._load(host, load, recorder)
            self._relay.subscribers.register("bindproof", lambda event: told.append(json.loads(event.to_json())))
            counted = {step["as"]: await counted_call(self._relay, step["as"], recorder, told) for step in calls}
            self._relay.subscribers.deregister("bindproof")
            await host.stop()
            if load is not None:
                recorder.measure(load["as"], {"freed": len(lines(host.folder / "freed"))})
            asked = lines(host.folder / "asked")
            for name, facts in counted.items():
                recorder.measure(name, {"asked": asked.count(name), **facts})
        finally:
            recorder.settle()
            self._relay.subscribers.deregister("bindproof")
            await host.stop()
            host.remove()
        return {"log": recorder.log, "left": [], "stray": strays}

    async def _load(self, host: Host, load: Json | None, recorder: Recorder) -> None:
        """Load the plugin; where no step does, it is there or the adapter is at fault."""
        if load is None:
            await host.start()
            return
        try:
            await host.start()
        except self._refusals as error:
            recorder.failed(load["as"], error)
        else:
            recorder.done(load["as"], None)


def connect() -> Calls:
    """Import the package; raise AdapterFault with the reason where that fails."""
    os.environ["XDG_CONFIG_HOME"] = tempfile.gettempdir()  # no host reads what its user configured
    relay = imported()
    version = version_of(relay, "nemo-relay")
    return Calls(relay, version, "nemo-relay/native", Path(sys.argv[1]), RuntimeError, ValueError)


if __name__ == "__main__":
    serve("native", "1", connect)
