"""The worker: a program that a host starts, and that answers each call as the scenario states it, byte by byte.

Enters: what the host tells a worker by its environment and over `grpc-v1`; from the folder that its configuration names
`answers.json`. Leaves: answers; in `asked` of that folder the name of each call that it was asked in, in `cancelled` of
each that it was told is cancelled. Must not know what is lawful.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path[:0] = sys.argv[1:]

import grpc  # noqa: E402
from wire import field, message  # noqa: E402

Json = Any

SERVICE = "/nemo.relay.worker.v1.PluginWorker/"
PROTOCOL = "grpc-v1"
LLM_REQUEST_INTERCEPT = 23
LATE = 0.3
"""Seconds until an answer that is late."""


class Worker:
    """The service's methods by name: each takes a message and gives messages."""

    def __init__(self) -> None:
        self.plugin = os.environ["NEMO_RELAY_PLUGIN_ID"]
        self.over = threading.Event()
        self.folder = Path()
        self.answers: dict[str, Json] = {}
        self.asked: dict[bytes, str] = {}
        """Invocation → the name of its call."""
        self.methods: dict[str, Callable[[bytes], Iterator[bytes]]] = {
            "Handshake": self.handshake,
            "Health": self.health,
            "Validate": self.validate,
            "Register": self.register,
            "Invoke": self.invoke,
            "CancelInvocation": self.cancel,
            "Shutdown": self.shut_down,
        }

    def handshake(self, _: bytes) -> Iterator[bytes]:
        """Say which plugin this is, and what it registers."""
        yield message((1, self.plugin), (2, self.plugin), (4, PROTOCOL), (9, bytes([LLM_REQUEST_INTERCEPT])))

    def health(self, _: bytes) -> Iterator[bytes]:
        """Be well."""
        yield message((1, 1), (2, "ready"), (3, self.plugin), (4, PROTOCOL))

    def validate(self, _: bytes) -> Iterator[bytes]:
        """Find nothing to say."""
        yield message((1, message((1, "nemo.relay.PluginDiagnostics@1"), (2, "[]"))))

    def register(self, asked: bytes) -> Iterator[bytes]:
        """Register the one intercept."""
        self.folder = Path(json.loads(field(asked, 4, 2))["folder"])
        self.answers = json.loads((self.folder / "answers.json").read_bytes())
        yield message((1, message((1, "i"), (2, LLM_REQUEST_INTERCEPT), (3, 0))))

    def invoke(self, asked: bytes) -> Iterator[bytes]:
        """Answer as the call of this name states it."""
        name = field(asked, 12, 1).decode()
        self.asked[field(asked, 2)] = name
        self._count("asked", name)
        step = self.answers[name]
        match step["how"]:
            case "ends":
                os._exit(1)
            case "never":
                self.over.wait()
                return
            case "late":
                time.sleep(LATE)
        for _ in range(2 if step["how"] == "twice" else 1):
            yield answer(step)

    def cancel(self, told: bytes) -> Iterator[bytes]:
        """Take note of it; what never answers does not answer now either."""
        self._count("cancelled", self.asked[field(told, 2)])
        yield message((1, 1))

    def shut_down(self, _: bytes) -> Iterator[bytes]:
        """End soon."""
        self.over.set()
        yield message((1, 1))

    def _count(self, what: str, name: str) -> None:
        with (self.folder / what).open("a", encoding="utf-8") as counted:
            counted.write(f"{name}\n")


def answer(step: Json) -> bytes:
    """Return the answer to a call that a step states, as a message."""
    match step["result"]:
        case "outcome":
            return message((4, message((1, message((1, step["schema"]), (2, octets(step["outcome"])))))))
        case "envelope":
            return message((4, b""))
        case "nothing":
            return b""
        case "empty":
            return message((1, b""))
        case "json":
            return message((2, message((1, message((1, "nemo.relay.Json@1"), (2, octets(None)))))))
        case "guardrail":
            return message((3, message((1, "no"))))
        case _:
            return message((5, message((1, "acme.failed"), (2, step["message"]))))


def octets(cell: Json) -> bytes:
    """Return the bytes that a step states; None is the outcome that changes nothing."""
    if cell is None:
        return b'{"request":{"headers":{},"content":{"messages":[]}}}'
    if isinstance(cell, str):
        return cell.encode()
    spaces = b" " * int(cell["pad"])
    return str(cell["text"]).encode() + bytes.fromhex(cell["bytes"]) + spaces + str(cell["end"]).encode()


class Handlers(grpc.GenericRpcHandler):  # type: ignore[misc]
    """The methods, for a server that knows no messages: bytes go in and out, so that a method may answer any number."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def service(self, handler_call_details: Any) -> Any:
        """Return what answers a method, or None."""
        method = self._worker.methods.get(handler_call_details.method.removeprefix(SERVICE))
        return method and grpc.unary_stream_rpc_method_handler(lambda asked, _: method(asked))


def main() -> None:
    """Serve until the host says that it is over."""
    worker = Worker()
    server = grpc.server(ThreadPoolExecutor(4), handlers=[Handlers(worker)])
    server.add_insecure_port(os.environ["NEMO_RELAY_WORKER_SOCKET"].replace("unix://", "unix:", 1))
    server.start()
    worker.over.wait()
    server.stop(0.2).wait()


if __name__ == "__main__":
    main()
