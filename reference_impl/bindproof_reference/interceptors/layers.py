"""What each layer of a stack does with a request and the rest of the stack: one function a kind.

Enters: a layer, the request, the rest as a function, the world. Leaves: the result. Must not know steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from bindproof_reference.interceptors.durations import milliseconds, retry_delay, shown
from bindproof_reference.interceptors.values import ANY, Json, described, literal, retryable, succeeded
from bindproof_reference.interceptors.world import ExpiredError, World

Proceed = Callable[[Json], Json]
"""The rest of a stack: takes a request, gives a result (STK-003)."""

RETRY = {"max_attempts": 3, "initial_delay": 500.0, "max_delay": 30_000.0, "multiplier": 2.0}
"""The library's defaults (RTY-010)."""


class InvalidConfigurationError(Exception):
    """A layer cannot be as it was configured (RTY-011)."""


def check(layer: Json) -> None:
    """Raise InvalidConfigurationError for a layer that makes no sense."""
    if layer["layer"] == "retry" and layer["max_attempts"] == 0:
        raise InvalidConfigurationError("a retry makes at least one attempt")


def through(layers: Sequence[Json], domain: str, world: World, operation: Proceed) -> Proceed:
    """Return a stack around an operation: the first layer is the outermost (STK-001)."""
    rest = operation
    for layer in reversed(layers):
        rest = _around(layer, domain, world, rest)
    return rest


def _around(layer: Json, domain: str, world: World, rest: Proceed) -> Proceed:
    act = _ACTS[layer["layer"]]
    return lambda request: act(layer, domain, world, request, rest)


def _record(layer: Json, domain: str, world: World, request: Json, rest: Proceed) -> Json:
    count = world.enter(layer["as"], request)
    handed = request if layer["input"] is None else {**request, **layer["input"]}
    result: Json = None
    with world.inside(layer["as"], count):
        for _ in range(layer["times"]):
            result = rest(handed)
    return world.leave(layer["as"], count, result if layer["gives"] is None else layer["gives"])


def _shared(layer: Json, domain: str, world: World, request: Json, rest: Proceed) -> Json:
    world.shared[layer["of"]] += 1
    plain = {"as": layer["of"], "times": 1, "input": None, "gives": None}
    return _record(plain, domain, world, request, rest)


def _retry(layer: Json, domain: str, world: World, request: Json, rest: Proceed) -> Json:
    config = RETRY if layer["max_attempts"] is None else layer
    attempt = 1
    while True:
        result = rest(request)
        if not retryable(result) or attempt >= config["max_attempts"]:
            return result
        world.wait(retry_delay(attempt, config["initial_delay"], config["max_delay"], config["multiplier"]))
        attempt += 1


def _timeout(layer: Json, domain: str, world: World, request: Json, rest: Proceed) -> Json:
    duration = milliseconds(layer["duration"])
    with world.deadline(duration) as deadline:
        try:
            return rest(request)
        except ExpiredError as expired:
            if expired.owner is not deadline:
                raise
    return timed_out(domain, layer["duration"], duration)


def timed_out(domain: str, given: float, duration: Fraction) -> Json:
    """Return the result of a timeout: it tells the configured duration (TMO-003, TMO-004)."""
    if domain == "llm":
        return {"error": {"kind": "timeout", "elapsed_ms": int(duration)}}
    return {"content": f"Tool execution timed out after {shown(given)}", "is_error": True}


def _approval(layer: Json, domain: str, world: World, request: Json, rest: Proceed) -> Json:
    count = world.enter(layer["as"], request)
    decision = layer["decisions"][min(count, len(layer["decisions"]) - 1)]
    world.leave(layer["as"], count, literal(decision))
    if decision == "allow":
        return rest(request)
    if "deny" in decision:
        return {"content": decision["deny"], "is_error": True}
    return rest({**request, "arguments": decision["modify"]})


def _logging(layer: Json, domain: str, world: World, request: Json, rest: Proceed) -> Json:
    level = layer["level"] or "info"
    if level == "trace":
        _log(world, "DEBUG", "operation starting", {"description": described(domain, request)})
    result = rest(request)
    fields = {"duration_ms": ANY}
    if level == "info":
        _log(world, "INFO", "operation completed", fields)
    else:
        _log(world, "DEBUG", "operation completed", fields | {"success": succeeded(result)})
    return result


def _log(world: World, level: str, message: str, fields: Json) -> None:
    world.record("log", level=level, message=message, fields=fields)


def _noop(layer: Json, domain: str, world: World, request: Json, rest: Proceed) -> Json:
    return rest(request)


_ACTS = {
    "record": _record,
    "shared": _shared,
    "retry": _retry,
    "timeout": _timeout,
    "approval": _approval,
    "logging": _logging,
    "noop": _noop,
}
