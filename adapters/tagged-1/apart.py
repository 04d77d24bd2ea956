"""Operations of the host apart, each waited for: what each is answered is recorded.

Enters: asks. Leaves: a log. The host's programs are over before it reads what comes next.
"""

from __future__ import annotations

import json
from typing import Any

from client import Client

Json = Any

SESSION = "s"
TIME_MS = 600_000
"""No observation waits: a program without a latch is over, or has yielded."""


class Apart:
    """One scenario on one connection."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._number = 0
        self._ids: dict[str, str] = {}
        """Cell → the host's id."""

    def act(self, asks: list[Json]) -> list[Json]:
        """Ask one after the other, then shut the session down; return the log."""
        log = [{"fact": "answered", "ask": number, **getattr(self, f"_{ask['ask']}")(ask)}
               for number, ask in enumerate(asks)]  # fmt: skip
        self._asked("shutdown", None)
        return log

    def _open(self, _: Json) -> Json:
        return _answer(self._asked("open", None), lambda _: None)

    def _create(self, ask: Json) -> Json:
        request = {"tool_call_id": "call", "enabled_tools": [], "source": json.dumps(ask["program"])}
        chosen = {"cell_id": ask["as"]} if ask["chosen"] else {}
        result = self._asked("create_cell", {**request, **chosen, **_key(ask)})
        if "Ok" in result:
            self._ids[ask["as"]] = result["Ok"]
        return _answer(result, lambda name: {"cell_id": name})

    def _observe(self, ask: Json) -> Json:
        number = {} if ask["number"] is None else {"generation": ask["number"]}
        request = {"cell_id": self._ids[ask["cell"]], "yield_time_ms": TIME_MS, **number, **_key(ask)}
        return _answer(self._asked("observe", request), lambda outcome: {"outcome": outcome})

    def _terminate(self, ask: Json) -> Json:
        result = self._asked("terminate", {"cell_id": self._ids[ask["cell"]]})
        return _answer(result, lambda outcome: {"outcome": outcome})

    def _asked(self, method: str, request: Json) -> Json:
        self._number += 1
        asked = {"type": "request", "id": self._number, "method": method, "session": SESSION}
        self._client.send({**asked, "request": request})
        while True:
            message = self._client.hear()
            if message["type"] == "response" and message["id"] == self._number:
                return message["result"]


def _key(ask: Json) -> Json:
    return {} if ask["key"] is None else {"idempotency_key": ask["key"]}


def _answer(result: Json, value: Any) -> Json:
    if "Err" in result:
        return {"error": {"type": "Err", "message": result["Err"]}}
    return {"value": value(result["Ok"])}
