"""Drives the toy in Python: acts scenarios out and says what it saw. It judges nothing."""

from __future__ import annotations

import platform
from typing import Any

from bindproof_adapter import AdapterFault, Unsupported, serve
from bindproof_adapter.relay import Actor, asked

Json = Any


class Toy:
    """The binding's calls; bindproof_adapter.relay.Binding says what each is for."""

    def __init__(self, toy: Any) -> None:
        self._toy = toy

    def describe(self) -> Json:
        """Say which release is driven, how it spells, and which edition of the contract it is meant to keep."""
        runtime = f"{platform.python_implementation()} {platform.python_version()}"
        target = {"name": "starling", "version": self._toy.__version__, "language": "python", "runtime": runtime}
        return {"target": target, "suites": {"relay": {"dialect": "wire", "edition": "0.11"}}}

    def fresh_scope(self) -> None:
        """Begin on a new scope stack; the toy has none."""

    def registered(self) -> list[tuple[str, str]]:
        """List what is registered now."""
        return [("llm.request", name) for name in self._toy.registered()]

    async def flush(self) -> None:
        """Wait until every event is delivered; the toy has none."""

    def register(self, step: Json, callback: Any) -> Any:
        """Register an intercept; return what takes it back."""
        name, family, scope = step["name"], step["family"], step["scope"]
        if family != "llm.request" or scope is not None:
            raise Unsupported(family, "this family is not built yet")

        def intercept(name: str, request: Json) -> Json:
            return callback.play(*asked("llm.request", name, request, None))["request"]

        self._toy.register(name, step["priority"], step["break_chain"], intercept)
        return lambda: self._toy.deregister(name)

    async def call_llm(self, step: Json, provider: Any, decode: Any, encode: Any) -> Json:
        """Make a call; return what its caller gets."""
        if decode or encode or step["codec"] != "none":
            raise Unsupported("codec", "codecs are not built yet")
        return self._toy.call(step["name"], step["request"], lambda given: provider.play(*asked("llm.provider", given)))

    async def helper(self, step: Json) -> Json:
        """Run a standalone helper."""
        raise Unsupported(f"helper {step['kind']}", "this helper is not built yet")


def connect() -> Actor:
    """Import the binding; without it an adapter refuses to start."""
    try:
        import toy
    except ImportError as error:
        raise AdapterFault(f"the toy cannot be imported: {error}") from None
    return Actor(Toy(toy))


if __name__ == "__main__":
    serve("starling", "1", connect)
