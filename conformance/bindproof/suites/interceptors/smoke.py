"""The steps of `smoke` for adapters of `interceptors`: from an empty stack to a registry.

Enters: nothing. Leaves: the steps in order. Each one adds one thing to act out.
"""

from __future__ import annotations

from typing import Any

from bindproof.suite_api import SmokeStep

_CALL: Any = {"step": "call", "as": "c"}
_FLAGGED: Any = {"gives": {"error": {"kind": "http", "retryable": True}}}

STEPS: tuple[SmokeStep, ...] = (
    SmokeStep(
        "an empty stack runs the operation",
        {"steps": [{"step": "stack", "as": "s"}, _CALL]},
        "write `enter` and `leave` of the operation, `done` of each step with its instant, and `settled` at the end",
    ),
    SmokeStep(
        "a layer of the scenario",
        {"steps": [{"step": "stack", "as": "s", "layers": [{"layer": "record", "as": "r"}]}, _CALL]},
        "a record layer writes `enter` before and `leave` after it runs the rest",
    ),
    SmokeStep(
        "a retry, in virtual time",
        {"steps": [{"step": "stack", "as": "s", "layers": [{"layer": "retry"}]}, {**_CALL, "does": [_FLAGGED, {}]}]},
        "pause the clock, so that the second attempt is made at 500 exactly",
    ),
    SmokeStep(
        "a timeout drops what is inside",
        {
            "steps": [
                {"step": "stack", "as": "s", "layers": [{"layer": "timeout", "duration": 10}]},
                {**_CALL, "does": [{"after": 11}]},
            ]
        },
        "write `dropped` when a future of yours ends before its reply",
    ),
    SmokeStep(
        "an approval, around a tool",
        {"steps": [{"step": "registry", "as": "g", "layers": [{"layer": "approval", "as": "a"}]}, _CALL]},
        "the check writes `enter` with the request and `leave` with the decision; a handler's id is `g.t`",
    ),
    SmokeStep(
        "logging",
        {"steps": [{"step": "stack", "as": "s", "layers": [{"layer": "logging", "level": "trace"}]}, _CALL]},
        "write each event of the library as `log`, with level, message and fields",
    ),
    SmokeStep(
        "several calls in parallel",
        {
            "steps": [
                {"step": "registry", "as": "g", "layers": [{"layer": "record", "as": "r"}]},
                {"step": "all", "as": "c", "inputs": [{}, {}], "parallel": True},
            ]
        },
        "in such a step each record names its `call`, by the call_id",
    ),
)
