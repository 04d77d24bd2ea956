"""Chapter *Request authority* (AUT): which field is the truth about the provider's request.

Enters: what an intercept was given and what it decided, or what a codec answered. Leaves: a refusal's kind, or the
request.
"""

from __future__ import annotations

from bindproof_reference.relay.editions import Rules
from bindproof_reference.relay.outcomes import Outcome
from bindproof_reference.relay.values import Json, strictly_equal

TRACEPARENT = "traceparent"
TRACESTATE = "tracestate"

CREDENTIALS = ("authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "anthropic-api-key")
"""Headers that a start does not show, in any case (LIF-026)."""


def refusal(given_request: Json, outcome: Outcome) -> str | None:
    """Say which rule of an active codec an outcome breaks: `content_changed` (AUT-004), `annotation_missing` (AUT-005).

    given_request: the request that this intercept was given. Equal content built anew is not a change (AUT-008).
    """
    if not strictly_equal(given_request["content"], outcome.request["content"]):
        return "content_changed"
    if outcome.annotated_request is None:
        return "annotation_missing"
    return None


def natural_decode(request: Json) -> Json:
    """Return the plain chat form of a request: its messages, and its model when it names one (scenario language)."""
    content = request["content"] if isinstance(request["content"], dict) else {}
    annotation = {"messages": content.get("messages", [])}
    return annotation | ({"model": content["model"]} if "model" in content else {})


def natural_encode(annotation: Json, original: Json) -> Json:
    """Return a request whose content is the original's with every key of the annotation laid over it."""
    content = original["content"] if isinstance(original["content"], dict) else {}
    return {"headers": original["headers"], "content": {**content, **annotation}}


def resolved(request: Json, encoded: Json) -> Json:
    """Return the one request of a call with a codec.

    The encoded body (AUT-002) under the outcome's headers (AUT-003).
    """
    return {"headers": {**encoded["headers"], **request["headers"]}, "content": encoded["content"]}


def codec_told(codec: Json, *, by_name: bool) -> Json:
    """Return what is told of a codec, which is a scripted one, a name, or "none" or None (AUT-017, AUT-026).

    by_name: a built-in one is told as such (AUT-018), else as if it were scripted (DLC-011).
    """
    if codec is None or codec == "none":
        return {"kind": "none", "id": None, "resolves": False}
    if isinstance(codec, str) and by_name:
        return {"kind": "builtin", "id": codec, "resolves": True}
    return {"kind": "opaque", "id": None, "resolves": True}


def shown(request: Json, rules: Rules) -> Json:
    """Return a request as its start shows it, and as sanitizers are given it: without credentials (LIF-026)."""
    if not rules.credentials_hidden:
        return request
    kept = {name: value for name, value in request["headers"].items() if name.lower() not in CREDENTIALS}
    return {**request, "headers": kept}


def provider_headers(headers: Json, rules: Rules) -> dict[str, Json]:
    """Return the headers that come from the outcome.

    All (LIF-015), or all but a traceparent of any case (LIF-010) and perhaps tracestate (LIF-011).
    """
    owned = set()
    if rules.runtime_traceparent:
        owned.add(TRACEPARENT)
    if rules.tracestate_removed:
        owned.add(TRACESTATE)
    return {name: value for name, value in headers.items() if name.lower() not in owned}
