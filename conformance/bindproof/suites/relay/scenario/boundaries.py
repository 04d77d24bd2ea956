"""The steps of the scenario language that are one boundary's alone: what crosses it is stated byte by byte.

Enters: nothing. Leaves: structs, for `language`. Must not know the other steps.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Text = Annotated[str, msgspec.Meta(min_length=1)]

OUTCOME_SCHEMA = "nemo.relay.LlmRequestInterceptOutcome@2"
"""What a worker's envelope calls an outcome, from edition 0.6 on."""


class Octets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text, byte by byte: a text, then bytes in hex, then spaces, then a text again."""

    text: str = ""
    bytes: str = ""
    pad: Annotated[int, msgspec.Meta(ge=0, le=2**24)] = 0
    end: str = ""


class Raw(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="step",
    tag="raw",
    rename={"as_": "as", "with_": "with"},
):
    """A function of the C library, called with arguments byte by byte. `replies`: what its callbacks answer.

    `inside`: what a callback calls when it is first entered: an intercept a helper or a call, a provider a flush. What
    is left out is well formed.
    """

    function: Literal["call", "helper", "register_intercept", "register_subscriber", "outcome", "last_error"]
    as_: Text | None = None
    with_: dict[str, Octets | str | None] = {}
    replies: dict[str, Octets | str | None] = {}
    inside: Literal["helper", "call", "flush"] | None = None


class Worker(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="step",
    tag="worker",
    rename={"as_": "as"},
):
    """A managed call whose only request intercept is a worker's, and what the worker answers to it.

    `result`: which kind of answer: an `outcome`, one without its `envelope`, what other callbacks answer, or `nothing`.
    `schema` and `outcome` are what an envelope has; null is the outcome that changes nothing. `message` is an error's.
    `how`: the worker answers once, late, twice, never, until its call is cancelled, or ends instead.
    """

    as_: Text | None = None
    result: Literal["outcome", "envelope", "nothing", "empty", "json", "guardrail", "error"] = "outcome"
    schema: str = OUTCOME_SCHEMA
    outcome: Octets | str | None = None
    message: str = ""
    how: Literal["once", "late", "twice", "never", "ends"] = "once"


class Load(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="step",
    tag="load",
    rename={"as_": "as"},
):
    """A host loads a native plugin, whose manifest says what is here; what is left out is as a host takes it.

    `range`: the releases that it admits: those from the host's `own` line on, `earlier` or `later` ones, or `unstated`.
    `digest`: that of its `own` library, of an `other` one, or `unstated`; `signature` likewise, by a key that the host
    trusts. `policy`: what the host asks for of signatures. `enabled`: whether it is on by default. `abi`: of whose
    table it is made. `register`: what comes of its registration.
    """

    as_: Text | None = None
    range: Literal["own", "earlier", "later", "unstated"] = "own"
    digest: Literal["own", "other", "unstated"] = "own"
    signature: Literal["own", "other", "unstated"] = "unstated"
    policy: Literal["integrity_only", "signature_if_present", "signature_required", "unstated"] = "integrity_only"
    enabled: bool = False
    abi: Literal["own", "other"] = "own"
    register: Literal["success", "error", "panic"] = "success"


class Native(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="step",
    tag="native",
    rename={"as_": "as"},
):
    """A managed call that a native plugin answers in its request intercept.

    `result`: bytes as an `outcome`, an `error` or a `panic`, `nothing` at all, a `status` that is an error's, or an
    outcome of the `typed` interface with a mark of its own. `outcome`: the bytes; null is the outcome that changes
    nothing, and beside a status none. `message` is that of an error, status or panic.
    """

    as_: Text | None = None
    result: Literal["outcome", "typed", "nothing", "status", "error", "panic"] = "outcome"
    outcome: Octets | str | None = None
    message: str = ""
