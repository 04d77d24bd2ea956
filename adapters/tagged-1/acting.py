"""The steps of a scenario as operations of the host; what it says is recorded in the order in which it came.

Enters: steps. Leaves: a log. The outcomes are put into it as the host says them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from client import Client

Json = Any

LONG_MS = 600_000
"""An observation without a deadline has one that does not come."""

TOOLS = ("call", "latch", "leave")


class Acting:
    """One scenario on one connection."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._log: list[Json] = []
        self._number = 0
        self._replies: dict[int, Callable[[Json], None]] = {}
        self._operations: dict[str, int] = {}
        """Observation → the number of its operation."""
        self._ids: dict[str, str] = {}
        """Cell → the host's id."""
        self._names: dict[tuple[str, str], str] = {}
        """Session and the host's id → cell."""
        self._programs: dict[str, list[Json]] = {}
        self._calls: dict[int, tuple[str, str]] = {}
        """The number of a call → its cell and name."""
        self._seen: dict[tuple[str, ...], int] = {}
        """What a step may wait for → the number that goes with it."""
        self._opened: set[str] = set()

    def act(self, steps: list[Json]) -> list[Json]:
        """Do all steps, then shut down what is open; return the log."""
        for index, step in enumerate(steps):
            end = getattr(self, f"_{step['step']}")(index, step)
            if end is not None:
                self._done(index, end)
        for session in list(self._opened):
            self._asked("shutdown", session)
        return self._log

    def _done(self, index: int, end: Json) -> None:
        self._log.append({"fact": "done", "step": index, **end})

    # -- steps: each returns how it ended, or None where it has recorded that itself

    def _open(self, _: int, step: Json) -> Json:
        return self._of_session("open", step["session"], self._opened.add)

    def _shutdown(self, _: int, step: Json) -> Json:
        return self._of_session("shutdown", step["session"], self._opened.discard)

    def _of_session(self, method: str, session: str, change: Callable[[str], None]) -> Json:
        result = self._asked(method, session)
        if "Err" in result:
            return _ended(result)
        change(session)
        return {"value": None}

    def _create(self, index: int, step: Json) -> None:
        cell, session, program = step["as"], step["session"], step["program"]
        self._programs[cell] = program
        result = self._asked(
            "create_cell",
            session,
            {"tool_call_id": cell, "enabled_tools": _tools(program), "source": json.dumps(program)},
        )
        if "Err" in result:
            return self._done(index, _ended(result))
        self._ids[cell] = result["Ok"]
        self._names[session, result["Ok"]] = cell
        self._done(index, {"value": {"cell_id": result["Ok"]}})
        return self._begin(cell, cell, session, step["within"])

    def _observe(self, index: int, step: Json) -> Json:
        if step["count"] == 1:
            self._begin(step["as"], step["cell"], step["session"], step["within"])
            return {"value": None}
        errors: list[Json] = []
        left: set[int] = set()
        for _ in range(step["count"]):
            self._ask("observe", step["session"], self._observation(step), self._contended(step, errors, left))
            left.add(self._number)
        while len(errors) < step["count"] - 1:
            self._hear()
        self._operations[step["as"]] = next(iter(left))
        return {"value": {"errors": errors}}

    def _contended(self, step: Json, errors: list[Json], left: set[int]) -> Callable[[Json], None]:
        """Return what is done with the reply to one of several observations: the last one has the name."""
        number = self._number + 1

        def replied(result: Json) -> None:
            left.discard(number)
            if len(errors) == step["count"] - 1:
                self._told(step["as"], step["cell"], result)
            else:
                end = _ended(result)
                errors.append(end.get("error", end))

        return replied

    def _begin(self, name: str, cell: str, session: str, within: int | None) -> None:
        """Begin to observe."""
        request = self._observation({"cell": cell, "within": within})
        self._ask("observe", session, request, lambda result: self._told(name, cell, result))
        self._operations[name] = self._number

    def _observation(self, step: Json) -> Json:
        within = LONG_MS if step["within"] is None else step["within"]
        return {"cell_id": self._ids.get(step["cell"], step["cell"]), "yield_time_ms": within}

    def _await(self, _: int, step: Json) -> Json:
        self._until("told", step["of"])
        return {"value": None}

    def _reach(self, _: int, step: Json) -> Json:
        self._until("called", step["cell"], step["call"])
        return {"value": None}

    def _lost(self, _: int, step: Json) -> Json:
        self._until("cancelled", step["cell"], step["call"])
        return {"value": None}

    def _release(self, index: int, step: Json) -> None:
        number = self._until("called", step["cell"], step["latch"])
        self._done(index, {"value": None})
        self._client.send({"type": "answer", "id": number, "result": {"Ok": None}})

    def _cancel(self, index: int, step: Json) -> None:
        self._done(index, {"value": None})
        self._client.send({"type": "cancel", "id": self._operations[step["of"]]})

    def _yield(self, index: int, step: Json) -> None:
        self._done(index, {"value": None})
        self._client.send({"type": "yield", "id": self._operations[step["of"]]})

    def _terminate(self, _: int, step: Json) -> Json:
        cell = self._ids.get(step["cell"], step["cell"])
        end = _ended(self._asked("terminate", step["session"], {"cell_id": cell}))
        return end if "error" in end else {"value": end}

    # -- operations

    def _ask(self, method: str, session: str, request: Json, replied: Callable[[Json], None]) -> None:
        """Send a request; `replied` is called with its result as it comes."""
        self._number += 1
        self._replies[self._number] = replied
        asked = {"type": "request", "id": self._number, "method": method, "session": session}
        self._client.send({**asked, "request": request})

    def _asked(self, method: str, session: str, request: Json = None) -> Json:
        """Send a request, and wait for its result."""
        back: list[Json] = []
        self._ask(method, session, request, back.append)
        while not back:
            self._hear()
        return back[0]

    def _until(self, *seen: str) -> int:
        while seen not in self._seen:
            self._hear()
        return self._seen[seen]

    # -- what the host says

    def _hear(self) -> None:
        message = self._client.hear()
        match message["type"]:
            case "response":
                self._replies.pop(message["id"])(message["result"])
            case "call":
                self._called(message)
            case "cancelled":
                cell, call = self._calls[message["id"]]
                self._log.append({"fact": "cancelled", "cell": cell, "call": call})
                self._seen["cancelled", cell, call] = message["id"]
            case "notified":
                self._log.append({"fact": "notified", "cell": self._cell(message), "note": message["note"]})
            case "closed":
                self._log.append({"fact": "closed", "cell": self._cell(message)})

    def _cell(self, message: Json) -> str:
        found: str = self._names.get((message["session"], message["cell_id"]), message["cell_id"])
        return found

    def _told(self, observation: str, cell: str, result: Json) -> None:
        self._log.append({"fact": "told", "cell": cell, "observation": observation, **_ended(result)})
        self._seen["told", observation] = self._number

    def _called(self, message: Json) -> None:
        cell, call, number, given = self._cell(message), message["name"], message["id"], message["input"]
        self._calls[number] = cell, call
        self._log.append({"fact": "called", "cell": cell, "call": call, "input": given})
        statement = next(one for one in self._programs[cell] if one.get("name") == call)
        if statement["do"] == "call":
            result = {"Err": f"{call} fails"} if statement["fails"] else {"Ok": given}
            self._client.send({"type": "answer", "id": number, "result": result})
        self._seen["called", cell, call] = number


def _ended(result: Json) -> Json:
    """Return what an operation came back with, as a record has it."""
    if "Err" in result:
        return {"error": {"type": "error", "message": result["Err"]}}
    return {"outcome": result["Ok"]}


def _tools(program: list[Json]) -> list[Json]:
    """Return the tools that a program calls, as a request names them."""
    return [
        {
            "name": one["name"],
            "tool_name": {"name": one["name"], "namespace": None},
            "description": one["name"],
            "kind": "function",
            "input_schema": None,
            "output_schema": None,
        }
        for one in program
        if one["do"] in TOOLS
    ]
