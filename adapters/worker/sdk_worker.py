"""The worker: a program on the package nemo-relay-plugin, whose one intercept answers as the scenario states it.

Enters: from the folder that its configuration names `answers.json`. Leaves: answers, by the package; in that folder
`fields.json`, what marks of this release are made with, and in `asked` and `cancelled` the names of calls. Must not
know what is lawful, nor messages.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, sys.argv[1])

import nemo_relay_plugin as sdk

Json = Any

UNCHANGED: Json = {"request": {"headers": {}, "content": {"messages": []}}}
"""The outcome of a step that states none."""

LATE = 0.3
"""Seconds until an answer that is late."""


class Worker(sdk.WorkerPlugin):  # type: ignore[misc]
    """A plugin with one request intercept."""

    plugin_id = os.environ["NEMO_RELAY_PLUGIN_ID"]

    def register(self, ctx: Any, config: Json) -> None:
        """Register the one intercept."""
        folder = Path(config["folder"])
        answers: dict[str, Json] = json.loads((folder / "answers.json").read_bytes())
        fields = [field.name for field in dataclasses.fields(sdk.PendingMarkSpec)]
        (folder / "fields.json").write_text(json.dumps(fields), "utf-8")

        async def intercept(name: str, request: Json, annotated: Json) -> Any:
            _count(folder / "asked", name)
            return await _answer(answers[name], name, folder)

        ctx.register_llm_request_intercept("i", intercept)


async def _answer(step: Json, name: str, folder: Path) -> Any:
    match step["how"]:
        case "ends":
            os._exit(1)
        case "never":
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                _count(folder / "cancelled", name)
                raise
        case "late":
            await asyncio.sleep(LATE)
    if step["result"] == "error":
        raise RuntimeError(step["message"])
    return _outcome(UNCHANGED if step["outcome"] is None else step["outcome"])


def _outcome(stated: Json) -> Any:
    marks = [sdk.PendingMarkSpec(**mark) for mark in stated.get("pending_marks", [])]
    annotated = stated.get("annotated_request")
    return sdk.LlmRequestInterceptOutcome(request=stated["request"], annotated_request=annotated, pending_marks=marks)


def _count(file: Path, name: str) -> None:
    with file.open("a", encoding="utf-8") as counted:
        counted.write(f"{name}\n")


if __name__ == "__main__":
    asyncio.run(sdk.serve_plugin(Worker()))
