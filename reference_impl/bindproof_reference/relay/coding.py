"""Chapter *Request authority* (AUT): a codec that a program, or a sanitizer, asks itself.

Enters: what is asked. Leaves: what the codec reads, or writes; raises FailedError for what it cannot.
"""

from __future__ import annotations

from bindproof_reference.relay import builtin, builtin_response
from bindproof_reference.relay.run import Run, failed
from bindproof_reference.relay.values import Json


def decode(run: Run, step: Json) -> Json:
    """Return what a codec reads (AUT-021); None where a sanitizer gets no codec (AUT-022)."""
    codec, payload = _asked(run, step)
    if codec is None:
        return None
    if step["side"] == "request":
        return _read(codec, payload["content"])
    annotation = builtin_response.annotation(codec, payload)
    if annotation is None:
        raise failed("codec_failed")
    return annotation


def encode(run: Run, step: Json) -> Json:
    """Return the request into which a codec writes an annotation (AUT-021); None where there is no codec (AUT-022)."""
    codec, payload = _asked(run, step)
    if codec is None:
        return None
    try:
        content = builtin.encode(codec, step["annotation"], payload["content"])
    except builtin.UnreadableError:
        raise failed("codec_failed") from None
    return {"headers": payload["headers"], "content": content}


def _asked(run: Run, step: Json) -> tuple[str | None, Json]:
    """Return the codec that is asked, and what about."""
    if step["codec"] != "own":
        return step["codec"], step["payload"]
    return (None, None) if run.in_hand is None else run.in_hand


def _read(codec: str, content: Json) -> Json:
    try:
        return builtin.decode(codec, content)
    except builtin.UnreadableError:
        raise failed("codec_failed") from None
