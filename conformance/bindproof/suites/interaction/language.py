"""The scenario language of `interaction` as a typed model: one run, its limits and policies, and what its steps bring.

Enters: plain JSON. Leaves: structs.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Model = Annotated[str, msgspec.Meta(pattern=r"^m[1-9]$")]
"""A model of the script."""

Fallback = Annotated[str, msgspec.Meta(pattern=r"^ {0,2}(m[1-9])? {0,2}$")]
"""An entry of a chain: a model, with or without blanks around it, or nothing but blanks."""

Plain = Annotated[str, msgspec.Meta(max_length=64)]
Token = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]{0,8}$")]
Dollars = Annotated[int, msgspec.Meta(ge=0, le=100)]
Limit = Annotated[int, msgspec.Meta(ge=0, le=9)]
Steps = Annotated[int, msgspec.Meta(ge=1, le=9)]
Stop = Literal["cancel", "interrupt"]
Times = Annotated[int, msgspec.Meta(ge=1, le=4)]
Retries = Annotated[int, msgspec.Meta(ge=0, le=3)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Jitter = Annotated[int, msgspec.Meta(ge=0, le=20)]
Threshold = Annotated[int, msgspec.Meta(ge=1, le=5)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=60)]
Failure = Literal[
    "plain", "400", "401", "403", "404", "408", "429", "500", "502", "503", "rate limit", "timeout", "connection",
    "slow", "invalid",
]  # fmt: skip
"""How a model fails: by the status of an answer, by an error of its own, or with no answer at all."""

Policy = Literal[
    "retry_then_fail", "retry_then_degrade", "retry_then_continue", "fail_fast", "fail_run", "continue",
    "continue_with_error", "skip_action",
]  # fmt: skip


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one step of a run meets: the gate before the models, and what they answer."""

    gate: Literal["allow", "deny", "approval", "input"] = "allow"
    answer: Literal["allow", "deny", "none"] = "allow"
    later: bool = False
    says: Plain = "go"
    fails: list[Model] = []
    error: Failure = "plain"
    times: Times | None = None
    begun: bool = False
    text: Plain = "done"
    tool: bool = False
    rests: Seconds = 0
    cost: Dollars = 0
    session: Token | None = None
    checkpoint: Token | None = None
    stop: Stop | None = None


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One run."""

    steps: Annotated[list[Step], msgspec.Meta(min_length=1, max_length=8)]
    model: Model = "m1"
    fallbacks: Annotated[list[Fallback], msgspec.Meta(max_length=8)] = []
    streams: bool = False
    most_steps: Steps | None = None
    most_calls: Limit | None = None
    most_cost: Dollars | None = None
    on_failure: Policy = "retry_then_fail"
    on_refusal: Policy = "skip_action"
    idempotent: bool = False
    retries: Retries = 3
    base: Milliseconds = 500
    jitter: Jitter = 0
    threshold: Threshold = 5
    cooldown: Seconds = 30
    stop: Stop | None = None
    bare: bool = False
    sanitizes: bool = True
    of: Literal["run"] = "run"
