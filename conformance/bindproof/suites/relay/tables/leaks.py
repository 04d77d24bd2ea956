"""The vectors about what leaks from outcomes: each callback that a call has, beside outcomes with all that they state.

Enters: nothing. Leaves: the vectors of `spec/relay/vectors/leaks`, by file name. To write them:

    python -m bindproof.suites.relay.tables.leaks spec/relay/vectors/leaks
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites.relay.tables.cells import put, written

MARK: Final[Json] = {"name": "m", "data": {"secret": 1}}
ANNOTATION: Final[Json] = {"messages": [], "model": "m-2"}
CONTENT: Final[Json] = {"messages": [], "model": "m-1"}
CODEC: Final[Json] = {"decode": [], "encode": []}

SAID: Final[list[Json]] = [
    {"op": "edit", "set": {"/annotated_request": ANNOTATION}, "append": {"/pending_marks": [MARK]}}
]
OF_EVENTS: Final = ("start.sanitize", "mark.sanitize", "end.sanitize", "event.metadata")

CALLS: Final[dict[str, tuple[Json, tuple[str, ...]]]] = {
    "call": (
        {"step": "call", "name": "gpt", "request": {"content": CONTENT}},
        ("llm.request", "llm.execution", "provider", "llm.sanitize_request", "llm.sanitize_response"),
    ),
    "codec": (
        {"step": "call", "name": "gpt", "request": {"content": CONTENT}, "codec": CODEC},
        ("llm.request", "encode", "llm.execution", "provider", "llm.sanitize_request", "llm.sanitize_response"),
    ),
    "stream": (
        {"step": "call", "name": "gpt", "kind": "llm_stream", "request": {"content": CONTENT}},
        ("llm.request", "llm.stream", "source", "collector", "llm.sanitize_request"),
    ),
    "stream-response": ({"step": "call", "name": "gpt", "kind": "llm_stream"}, ("llm.sanitize_response",)),
    "helper": ({"step": "helper", "name": "gpt", "request": {"content": CONTENT}}, ("llm.request",)),
    "tool": (
        {"step": "call", "name": "t", "kind": "tool", "args": {"a": 1}},
        ("tool.execution", "provider", "tool.sanitize_request", "tool.sanitize_response"),
    ),
    "call-events": ({"step": "call", "name": "gpt"}, OF_EVENTS),
    "stream-events": ({"step": "call", "name": "gpt", "kind": "llm_stream"}, OF_EVENTS),
    "tool-events": ({"step": "call", "name": "t", "kind": "tool"}, OF_EVENTS),
}
"""Name of a vector → the call, and the callbacks to which what its outcomes state could leak."""


class Cell(Struct, frozen=True):
    """One vector: its name, the callbacks that nothing leaks to, and what is in its file."""

    name: str
    parts: tuple[str, ...]
    vector: Json


def cells() -> Iterator[Cell]:
    """Yield the vectors of the table, in its order."""
    for name, (call, parts) in CALLS.items():
        stating = "tool.execution" if call.get("kind") == "tool" else "llm.request"
        words = ", ".join(part for part in parts if part != stating)
        title = f"What outcomes say is nothing for {words or 'the next intercept'} ({name})"
        editions = {"editions": "0.8–"} if parts is OF_EVENTS else {}
        yield Cell(
            name, parts, {"title": title, "exercises": ["MRK-011"], **editions, "scenario": _scenario(call, parts)}
        )


def _scenario(call: Json, parts: tuple[str, ...]) -> Json:
    """A subscriber, two that state outcomes, one of each family, and two calls: the second has what the first left."""
    tool = call.get("kind") == "tool"
    said = [{"op": "edit", "append": {"/pending_marks": [MARK]}}] if tool else SAID
    if call.get("codec"):
        said = [{"op": "edit", "append": {"/pending_marks": [MARK]}}]
    stating = [
        {"step": "register", "as": name, "family": "tool.execution" if tool else "llm.request", "name": name, **more}
        for name, more in (("i", {"do": said}), ("j", {"priority": 1, "do": said}))
    ]
    families = [part for part in parts if "." in part and part not in ("llm.request", "tool.execution")]
    others = [{"step": "register", "as": f"o{at}", "family": family, "name": "o"} for at, family in enumerate(families)]
    listener = {"step": "register", "as": "s", "family": "subscriber", "name": "s"}
    return {"steps": [listener, *stating, *others, *({"step": call["step"], "as": name, **call} for name in "cd")]}


def main(folder: Path) -> None:
    """Write the vectors of the table into a folder, and remove those that it has no more."""
    put(folder, {f"{cell.name}.json": written(cell.vector) for cell in cells()})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
