"""Our own host of cells, asked what no scenario asks: creating a cell and observing it are operations of their own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from bindproof.core.paths import adapters_root

Json = Any

NAME = "tagged-1"
SAYS_1, SAYS_2, YIELDS = {"do": "text", "text": "1"}, {"do": "text", "text": "2"}, {"do": "yield"}


class Asked:
    """A host, asked one operation after the other."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._number = 0

    def ask(self, method: str, **request: Json) -> Json:
        """The result of an operation on the session `s`."""
        self._number += 1
        asked = {"type": "request", "id": self._number, "method": method, "session": "s", "request": request}
        self._client.send(asked)
        while True:
            message = self._client.hear()
            if message["type"] == "response":
                return message["result"]

    def created(self, *program: Json) -> str:
        """A cell that nobody observes, once it has sent the notification that its program ends with."""
        source = json.dumps([*program, {"do": "notify", "name": "n"}])
        found: str = self.ask("create_cell", tool_call_id="c", enabled_tools=[], source=source)["Ok"]
        while self._client.hear()["type"] != "notified":
            pass
        return found

    def observe(self, cell: str) -> Json:
        """The outcome of an observation."""
        return self.ask("observe", cell_id=cell, yield_time_ms=600_000)["Ok"]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A process of the host."""
    folder = adapters_root() / NAME
    with pytest.MonkeyPatch.context() as patched:
        for name in ("frames", "client"):
            patched.delitem(sys.modules, name, raising=False)
        patched.syspath_prepend(str(folder / "host"))
        patched.syspath_prepend(str(folder))
        from client import Client  # type: ignore[import-not-found, unused-ignore]

        yield (found := Client(folder / "host" / "tagged_host.py"))
        assert found.close() == 0
        for name in ("frames", "client"):
            patched.delitem(sys.modules, name, raising=False)


@pytest.fixture
def asked(client: Any) -> Asked:
    """A connection with the session `s`."""
    client.greet()
    found = Asked(client)
    assert found.ask("open") == {"Ok": "s"}
    return found


def text(words: str) -> Json:
    """What a program says, as an item."""
    return {"type": "input_text", "text": words}


def test_creating_a_cell_gives_its_id_alone(asked: Asked) -> None:
    assert [asked.created(), asked.created()] == ["1", "2"]


def test_a_cell_that_is_over_is_told_to_who_observes_it_first(asked: Asked) -> None:
    cell = asked.created(SAYS_1)
    assert asked.observe(cell) == {
        "type": "completed",
        "cell_id": cell,
        "content_items": [text("1")],
        "error_text": None,
    }
    assert asked.observe(cell) == {"type": "missing", "cell_id": cell}


def test_the_first_yield_before_anybody_observes_is_kept_and_no_other(asked: Asked) -> None:
    cell = asked.created(SAYS_1, YIELDS, SAYS_2, YIELDS, SAYS_1)
    assert asked.observe(cell) == {"type": "yielded", "cell_id": cell, "content_items": [text("1")]}
    assert asked.observe(cell)["content_items"] == [text("2"), text("1")]


def test_who_terminates_is_told_what_a_kept_yield_has(asked: Asked) -> None:
    cell = asked.created(SAYS_1, YIELDS, SAYS_2)
    told = asked.ask("terminate", cell_id=cell)["Ok"]
    assert (told["type"], told["content_items"]) == ("completed", [text("1"), text("2")])


def test_a_connection_has_sessions_of_its_own(asked: Asked, client: Any) -> None:
    cell = asked.created()
    client.greet()
    again = Asked(client)
    assert again.ask("observe", cell_id=cell, yield_time_ms=0) == {"Err": "there is no session s"}
    assert again.ask("open") == {"Ok": "s"}
    assert again.observe(cell) == {"type": "missing", "cell_id": cell}


@pytest.mark.long
def test_a_tool_that_was_not_enabled_is_none(asked: Asked) -> None:
    cell = asked.created({"do": "notify", "name": "n"}, {"do": "latch", "name": "l"})
    assert asked.observe(cell)["error_text"] == "there is no tool l"
