"""The JSON forms of what passes through a stack: requests, results, decisions. They are ours; the library has none.

Enters: plain JSON of a scenario. Leaves: the same in full form, or what is wrong with it. Must not know layers.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec

from bindproof.core.model import Json

Text = Annotated[str, msgspec.Meta(min_length=1)]
Whole = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
"""A whole number of milliseconds."""

FLAGGED: Final = ("http", "provider")
"""The kinds of error that carry a flag which says whether they may be tried again."""

NUMBERED: Final = {"timeout": ("elapsed_ms",), "max_depth_exceeded": ("current", "limit")}
"""The kinds of error that carry whole numbers and no message."""

OWN: Final = ("message", "retryable", "elapsed_ms", "current", "limit")
"""What an error may have besides its kind."""


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record that holds no member which it does not name."""


class LlmRequest(Closed, frozen=True):
    """A request to a model: the texts of its messages, and the names of its tools."""

    messages: list[str] = msgspec.field(default_factory=lambda: ["hi"])
    tools: list[str] = []


class LlmError(Closed, frozen=True, omit_defaults=True):
    """An error of a call."""

    kind: Literal[
        "http", "provider", "timeout", "auth", "invalid_request", "response_format", "schema_validation",
        "tool_execution", "retry_exhausted", "max_depth_exceeded",
    ]  # fmt: skip
    message: str | None = None
    retryable: bool | None = None
    """Of kinds that carry the flag."""
    elapsed_ms: Whole | None = None
    """Of a timeout, instead of a message."""
    current: Whole | None = None
    limit: Whole | None = None
    """`current` and `limit`: of a depth that was exceeded, likewise."""


class LlmOutcome(Closed, frozen=True, omit_defaults=True):
    """What a call to a model ends with: a text, or an error."""

    text: str | None = None
    error: LlmError | None = None


class ToolRequest(Closed, frozen=True):
    """A call of a tool."""

    name: str = "t"
    call_id: str = ""
    arguments: Any = msgspec.field(default_factory=dict)


class ToolResponse(Closed, frozen=True):
    """What a tool answers."""

    content: str = "ok"
    is_error: bool = False


class ToolResult(Closed, frozen=True):
    """What a call on a registry comes back with."""

    tool_call_id: str
    content: str
    is_error: bool


class ToolSchema(Closed, frozen=True):
    """What a tool demands of its arguments: the words of JSON Schema that are understood."""

    type: Literal["object", "array", "string", "boolean", "null", "number", "integer"] | None = None
    required: list[str] = []
    properties: dict[str, ToolSchema] = {}
    open: bool = msgspec.field(default=True, name="additionalProperties")

    def __post_init__(self) -> None:
        """Refuse a member that is required twice, as JSON Schema does."""
        if len(set(self.required)) < len(self.required):
            raise ValueError("`required` names a member twice")


class Deny(Closed, frozen=True):
    """The decision to refuse a call, and why."""

    deny: str


class Modify(Closed, frozen=True):
    """The decision to let a call pass with other arguments."""

    modify: Any


class MisfitError(ValueError):
    """A value does not have its form; the message says what to do."""


def request(domain: str, given: Json, call_id: str) -> Json:
    """Return a request in full form; None is the default one. call_id: a tool call's own, where it names none."""
    if domain == "llm":
        return msgspec.to_builtins(_as(LlmRequest, given or {}))
    full: Json = msgspec.to_builtins(_as(ToolRequest, given or {}))
    return full | {"call_id": full["call_id"] or call_id}


def outcome(domain: str, given: Json) -> Json:
    """Return a result in full form; None is the default one, a success."""
    if domain == "tool":
        return msgspec.to_builtins(_as(ToolResponse, given or {}))
    read = _as(LlmOutcome, {"text": "ok"} if given is None else given)
    if (read.text is None) == (read.error is None):
        raise MisfitError("a result has either a text or an error")
    return {"text": read.text} if read.error is None else {"error": _error(read.error)}


def decision(given: Json) -> Json:
    """Return an approval's decision: `allow`, or an object with `deny` or `modify`."""
    if given == "allow":
        return given
    form = Deny if isinstance(given, dict) and "deny" in given else Modify
    return msgspec.to_builtins(_as(form, given))


def tool_schema(given: Json) -> Json:
    """Return a tool's schema as it is, which has to be one."""
    _as(ToolSchema, given)
    return given


def _error(read: LlmError) -> Json:
    stated = {name for name in OWN if getattr(read, name) is not None}
    own = NUMBERED.get(read.kind, ("message", "retryable") if read.kind in FLAGGED else ("message",))
    if not stated <= set(own):
        raise MisfitError(f"an error of kind {read.kind} has {' and '.join(own)}, not {', '.join(stated - set(own))}")
    if read.kind in NUMBERED:
        return {"kind": read.kind, **{name: getattr(read, name) or 0 for name in own}}
    flag = {"retryable": bool(read.retryable)} if read.kind in FLAGGED else {}
    return {"kind": read.kind, "message": "scripted" if read.message is None else read.message, **flag}


def _as(form: type[Any], given: Json) -> Any:
    try:
        return msgspec.convert(given, form)
    except msgspec.ValidationError as error:
        raise MisfitError(f"not a {form.__name__}: {error}") from None
