"""Drives the toy's C library through ctypes: acts scenarios out and says what it saw. It judges nothing.

Usage: adapter.py FOLDER; the library is taken from FOLDER and from nowhere else.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path
from typing import Any

from bindproof_adapter import AdapterFault, Unsupported, serve
from bindproof_adapter.relay import Actor, asked

Json = Any
TRACE = {"traceparent", "tracestate"}
"""The library's header takes the place of these, in upper or lower case."""
FUNCTION = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p)


class Toy:
    """The binding's calls; bindproof_adapter.relay.Binding says what each is for."""

    def __init__(self, toy: Any) -> None:
        self._toy = toy
        toy.toy_version.restype = toy.toy_name.restype = ctypes.c_char_p
        toy.toy_call.restype = toy.toy_text.restype = ctypes.c_void_p
        self._raised: list[BaseException] = []

    def describe(self) -> Json:
        """Say which release is driven, how it spells, and which edition of the contract it is meant to keep."""
        version = self._toy.toy_version().decode()
        target = {"name": "starling", "version": version, "language": "c", "runtime": "ctypes"}
        return {"target": target, "suites": {"relay": {"dialect": "wire", "edition": "0.11"}}}

    def fresh_scope(self) -> None:
        """Begin on a new scope stack; the toy has none."""

    def registered(self) -> list[tuple[str, str]]:
        """List what is registered now."""
        return [("llm.request", self._toy.toy_name(index).decode()) for index in range(self._toy.toy_count())]

    async def flush(self) -> None:
        """Wait until every event is delivered; the toy has none."""

    def register(self, step: Json, callback: Any) -> Any:
        """Register an intercept; return what takes it back."""
        family, scope = step["family"], step["scope"]
        if family != "llm.request" or scope is not None:
            raise Unsupported(family, "this family is not built yet")

        def intercept(name: str, request: Json, _: str | None) -> Json:
            return callback.play(*asked("llm.request", name, request, None))["request"]

        name, function = step["name"].encode(), self._function(intercept)
        if not self._toy.toy_register(name, step["priority"], step["break_chain"], function):
            raise ValueError(f"invalid_argument: {step['name']} is registered already")
        return lambda: (function, self._toy.toy_deregister(name))[1]  # it is kept for as long as it may be called

    async def call_llm(self, step: Json, provider: Any, decode: Any, encode: Any) -> Json:
        """Make a call; return what its caller gets."""
        if decode or encode or step["codec"] != "none":
            raise Unsupported("codec", "codecs are not built yet")

        def answer(_: str, request: Json, traceparent: str | None) -> Json:
            headers = {key: value for key, value in request["headers"].items() if key.lower() not in TRACE}
            traced = {**request, "headers": {**headers, "traceparent": traceparent}}
            return provider.play(*asked("llm.provider", traced))

        function = self._function(answer)
        made = self._toy.toy_call(step["name"].encode(), json.dumps(step["request"]).encode(), function)
        if made is None:
            raise self._raised.pop()
        text = ctypes.string_at(made)
        self._toy.toy_free(ctypes.c_void_p(made))
        return json.loads(text)

    async def helper(self, step: Json) -> Json:
        """Run a standalone helper."""
        raise Unsupported(f"helper {step['kind']}", "this helper is not built yet")

    def _function(self, play: Any) -> Any:
        """Return a function as the library wants it; C has no exceptions, so what it raises is kept."""

        def called(name: bytes, request: bytes, traceparent: bytes | None) -> int | None:
            try:
                answer = play(name.decode(), json.loads(request), traceparent and traceparent.decode())
                made: int = self._toy.toy_text(json.dumps(answer).encode())
            except BaseException as error:
                self._raised.append(error)
                return None
            return made

        return FUNCTION(called)


def connect() -> Actor:
    """Load the library; without it an adapter refuses to start."""
    try:
        return Actor(Toy(ctypes.CDLL(str(Path(sys.argv[1], "libtoy.so")))))
    except OSError as error:
        raise AdapterFault(f"the toy cannot be loaded: {error}") from None


if __name__ == "__main__":
    serve("starling", "1", connect)
