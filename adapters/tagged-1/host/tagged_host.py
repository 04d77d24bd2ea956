"""A host of cells that speaks `tagged-1`: creating and observing are operations of their own, outcomes are tagged.

Usage: python tagged_host.py. Enters: frames from a client (see `frames`). Leaves: frames. A `hello` begins a
connection, which has sessions of its own; the next one ends it. Must not know what a scenario is.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from cell import Cell
from frames import HEAD, decoded, framed, length
from retries import Remembered

Json = Any

VERSION = "1"


class Refused(Exception):  # noqa: N818 - an answer, not a fault
    """An operation cannot be done; its words are the answer's `Err`."""


class Session:
    """Its cells by id, and what they stored."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cells: dict[str, Cell] = {}
        self.stored: dict[str, str] = {}
        self.remembered = Remembered()
        self.created = 0


class Connection:
    """All sessions from a `hello` to the next."""

    def __init__(self) -> None:
        self._live: dict[str, Session] = {}
        self._closed: set[str] = set()
        self._observed: dict[int, Cell] = {}
        self._asked: dict[int, tuple[Session, Json]] = {}
        """The number of an observation → what it asked for."""
        self._calls: dict[int, tuple[Cell, asyncio.Future[str]]] = {}
        self._called = 0

    def heard(self, message: Json) -> None:
        """Do what a message asks for."""
        match message["type"]:
            case "request":
                self._request(message["id"], message["method"], message["session"], message.get("request"))
            case "answer":
                _, answer = self._calls.pop(message["id"], (None, None))
                if answer is not None and not answer.done():
                    _settle(answer, message["result"])
            case "cancel" | "yield" if message["id"] in self._observed:
                self._observed[message["id"]].interrupt(message["id"], message["type"])

    def over(self) -> None:
        """End all that is left."""
        for session in self._live.values():
            for cell in session.cells.values():
                cell.stop()

    def _request(self, number: int, method: str, session: str, request: Json) -> None:
        try:
            result = getattr(self, f"_{method}")(number, session, request)
        except (Refused, ValueError) as refused:
            self.respond(number, {"Err": str(refused)})
            return
        if result is not None:
            self.respond(number, {"Ok": result})
        if method == "create_cell":
            self._start(self._live[session].cells.get(result))

    def _start(self, cell: Cell | None) -> None:
        """Let the program of a cell run that is new."""
        if cell is not None and not cell.was_started:
            cell.start()

    # -- operations: None is answered later

    def _open(self, _: int, name: str, __: Json) -> Json:
        if name in self._live:
            raise Refused(f"session {name} is open")
        if name in self._closed:
            raise Refused(f"session {name} was closed")
        self._live[name] = Session(name)
        return name

    def _shutdown(self, _: int, name: str, __: Json) -> Json:
        for cell in list(self._session(name).cells.values()):
            cell.terminate(None)
        del self._live[name]
        self._closed.add(name)
        return name

    def _create_cell(self, _: int, name: str, request: Json) -> Json:
        session = self._session(name)
        known = session.remembered.created(request)
        if known is not None:
            return known
        session.created += 1
        cell_id = request.get("cell_id", str(session.created))
        cell = session.cells[cell_id] = Cell(cell_id, request, session, self)
        session.remembered.create(request, cell.id)
        return cell.id

    def _observe(self, number: int, name: str, request: Json) -> Json:
        session = self._session(name)
        again = session.remembered.observed(request)
        if again is not None:
            self.respond(number, again)
            return None
        self._asked[number] = session, request
        cell = session.cells.get(request["cell_id"])
        if cell is None:
            self.respond(number, {"Ok": {"type": "missing", "cell_id": request["cell_id"]}})
            return None
        if cell.observer is not None:
            raise Refused(f"cell {cell.id} is observed")
        self._observed[number] = cell
        cell.observe(number, request["yield_time_ms"])
        return None

    def _terminate(self, number: int, name: str, request: Json) -> Json:
        cell = self._session(name).cells.get(request["cell_id"])
        if cell is None:
            return {"type": "missing", "cell_id": request["cell_id"]}
        cell.terminate(number)
        return None

    def _session(self, name: str) -> Session:
        if name not in self._live:
            raise Refused(f"there is no session {name}")
        return self._live[name]

    # -- what cells tell

    def respond(self, number: int, result: Json) -> None:
        """Answer an operation."""
        self._observed.pop(number, None)
        session, request = self._asked.pop(number, (None, None))
        if session is not None:
            session.remembered.observe(request, result)
        say({"type": "response", "id": number, "result": result})

    def call(self, cell: Cell, name: str, given: Json) -> asyncio.Future[str]:
        """Call a tool of the client; return what becomes its answer."""
        self._called += 1
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._calls[self._called] = cell, answer
        say({"type": "call", "id": self._called, **self._of(cell), "name": name, "input": given})
        return answer

    def cancel_calls(self, cell: Cell) -> None:
        """Tell the client that what a cell was not answered is cancelled."""
        for number in [number for number, (caller, _) in self._calls.items() if caller is cell]:
            del self._calls[number]
            say({"type": "cancelled", "id": number})

    def notify(self, cell: Cell, note: str) -> None:
        """Send a notification of a cell."""
        say({"type": "notified", **self._of(cell), "note": note})

    def closed(self, cell: Cell) -> None:
        """Forget a cell, and say that it is gone."""
        del cell.session.cells[cell.id]
        say({"type": "closed", **self._of(cell)})

    def _of(self, cell: Cell) -> Json:
        return {"session": cell.session.name, "cell_id": cell.id}


def _settle(answer: asyncio.Future[str], result: Json) -> None:
    if "Err" in result:
        answer.set_exception(RuntimeError(result["Err"]))
    else:
        answer.set_result(result["Ok"])
    answer.exception()  # it may be that nobody waits for it


def say(message: Json) -> None:
    """Send a message to the client."""
    sys.stdout.buffer.write(framed(message))
    sys.stdout.buffer.flush()


async def serve() -> None:
    """Serve until the pipe is closed."""
    reader = asyncio.StreamReader(limit=1 << 26)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    connection = Connection()
    while head := await reader.read(HEAD):
        if len(head) < HEAD:
            head += await reader.readexactly(HEAD - len(head))
        message = decoded(await reader.readexactly(length(head)))
        if message["type"] == "hello":
            connection.over()
            connection = Connection()
            say({"type": "ready", "profile": "tagged-1", "version": VERSION})
        else:
            connection.heard(message)


if __name__ == "__main__":
    asyncio.run(serve())
