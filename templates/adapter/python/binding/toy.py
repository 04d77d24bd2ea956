"""A toy of a runtime: it hands the request of a call to intercepts and then to a provider. Your binding goes here."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

__version__ = "0.1.0"

TRACE = {"traceparent", "tracestate"}
"""The headers that are the runtime's, in upper or lower case."""

_kept: dict[str, tuple[int, bool, Callable[[str, Any], Any]]] = {}


def register(name: str, priority: int, break_chain: bool, intercept: Callable[[str, Any], Any]) -> None:
    """Register an intercept: a function from a call's name and request to the request."""
    if name in _kept:
        raise ValueError(f"invalid_argument: {name} is registered already")
    _kept[name] = (priority, break_chain, intercept)


def deregister(name: str) -> bool:
    """Take an intercept back; say whether it was there."""
    return _kept.pop(name, None) is not None


def registered() -> list[str]:
    """Return the names of the intercepts."""
    return list(_kept)


def call(name: str, request: Any, provider: Callable[[Any], Any]) -> Any:
    """Have the intercepts see the request, then answer with what the provider makes of it."""
    # EDIT HERE: make it `(-_kept[name][0], name)`, and bindproof goes red
    for one in sorted(_kept, key=lambda name: (_kept[name][0], name)):
        _, break_chain, intercept = _kept[one]
        request = intercept(name, request)
        if break_chain:
            break
    own = uuid.uuid4().hex
    headers = {key: value for key, value in request["headers"].items() if key.lower() not in TRACE}
    return provider({**request, "headers": {**headers, "traceparent": f"00-{own}-{own[16:]}-01"}})
