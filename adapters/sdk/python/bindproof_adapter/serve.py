"""The adapter's side of protocol 1: JSON-RPC 2.0, a message a line, one scenario at a time, in order.

Enters: lines of the harness. Leaves: exactly one reply a request. Must not know suites, scenarios or bindings.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from bindproof_adapter.channel import Channel
from bindproof_adapter.signals import Inexpressible, Stop, Unsupported
from bindproof_adapter.spelling import spelled

Json = Any

PROTOCOL_VERSION = 1
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, ADAPTER_FAULT = -32700, -32600, -32601, -32602, -32000


class Target(Protocol):
    """What is driven, once it is connected."""

    def describe(self) -> Json:
        """Return `target` and `suites` of the answer to `initialize`."""

    def run(self, suite: str, scenario: Json) -> Json:
        """Return the observation of one scenario, or raise Unsupported, Inexpressible or AdapterFault."""


_ENCODER = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, separators=(",", ":"), check_circular=False, default=spelled
)


def _encode(message: Json) -> bytes:
    """Return a message as ASCII, in which functions, and numbers that are none, are spelled; TypeError for the rest."""
    try:
        return _ENCODER.encode(message).encode("ascii")
    except ValueError:
        return _ENCODER.encode(_finite(message)).encode("ascii")


def _finite(value: Json) -> Json:
    """Return a value in which numbers that are none, and infinities, are spelled."""
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return spelled(value) if isinstance(value, float) else value


@dataclass(frozen=True, slots=True)
class Text:
    """How messages become bytes and back: the standard library, unless an adapter has something faster."""

    read: Callable[[bytes], Json] = json.loads
    """Raises ValueError for what is not JSON."""
    write: Callable[[Json], bytes] = _encode
    """Gives no line feed."""


def serve(name: str, version: str, connect: Callable[[], Target], text: Text | None = None) -> None:
    """Answer the harness until it says `shutdown` or closes the pipe.

    name, version: the adapter's own. connect: called at `initialize`, so that an import that fails is an answer; what
    it raises is sent as error -32000. text: how messages are read and written.
    """
    channel = Channel()
    session = Session(name, version, connect, text or Text())
    for line in channel.lines():
        channel.write(session.answer(line))
        if session.over:
            return


class Session:
    """One conversation: bytes in, bytes out."""

    def __init__(self, name: str, version: str, connect: Callable[[], Target], text: Text) -> None:
        self.over = False
        self._text = text
        self._adapter = {"name": name, "version": version}
        self._connect = connect
        self._target: Target | None = None

    def answer(self, line: bytes) -> bytes:
        """Return the reply to one line."""
        request_id: Json = None
        try:
            message = self._message(line)
            request_id = message["id"]
            return self._text.write({"jsonrpc": "2.0", "id": request_id, "result": self._result(message)})
        except _RequestError as refusal:
            return self._error(request_id, refusal.code, str(refusal))
        except Stop as stop:
            return self._error(request_id, ADAPTER_FAULT, str(stop))
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            return self._error(request_id, ADAPTER_FAULT, f"{type(error).__name__}: {error}")

    def _message(self, line: bytes) -> Json:
        try:
            message = self._text.read(line)
        except ValueError as error:
            raise _RequestError(PARSE_ERROR, f"not JSON: {error}") from None
        if not (isinstance(message, dict) and isinstance(message.get("id"), int) and "method" in message):
            raise _RequestError(INVALID_REQUEST, "not a JSON-RPC request with an integer id")
        return message

    def _error(self, request_id: Json, code: int, text: str) -> bytes:
        return self._text.write({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": text}})

    def _result(self, message: Json) -> Json:
        method, params = message["method"], message.get("params", {})
        if method == "initialize":
            return self._initialize(params)
        if method == "run":
            return self._run(params)
        if method == "shutdown":
            self.over = True
            return {}
        raise _RequestError(METHOD_NOT_FOUND, f"unknown method {method!r}")

    def _initialize(self, params: Json) -> Json:
        offered = params.get("protocol_versions", [])
        if PROTOCOL_VERSION not in offered:
            raise _RequestError(
                ADAPTER_FAULT, f"this adapter speaks protocol {PROTOCOL_VERSION}, the harness {offered}"
            )
        self._target = self._connect()
        return {"protocol_version": PROTOCOL_VERSION, "adapter": self._adapter, **self._target.describe()}

    def _run(self, params: Json) -> Json:
        if self._target is None:
            raise _RequestError(INVALID_REQUEST, "`run` before a successful `initialize`")
        if not isinstance(params.get("suite"), str) or not isinstance(params.get("scenario"), dict):
            raise _RequestError(INVALID_PARAMS, "`run` takes a suite's name and a scenario")
        try:
            return {"observation": self._target.run(params["suite"], params["scenario"])}
        except Unsupported as stop:
            return {"unsupported": {"capability": stop.capability, "reason": stop.reason}}
        except Inexpressible as stop:
            return {"inexpressible": {"path": stop.path, "reason": stop.reason}}


class _RequestError(Exception):
    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
