"""Checks of the chapter *Request authority* (AUT) about response codecs: what the end tells of an answer."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    EVERY_LANE,
    Check,
    Found,
    end_is_rewritten,
    judged,
    part,
    register,
)
from bindproof.suites.relay.observation.null_answers import shown_of
from bindproof.suites.relay.observation.reading import LlmCall, Reading

CHECKS: dict[str, Check] = {}

PARTS = {"openai_chat": "choices", "openai_responses": "output", "anthropic_messages": "content"}
REASONS = {"complete": ("stop", "completed", "end_turn"), "length": ("length", "max_tokens")}


def _answered(reading: Reading) -> list[LlmCall]:
    """Return the calls with a response codec whose execution answered, and of which nobody rewrites the end."""
    coded = [call for call in reading.reached if call.step["response_codec"]]
    found = [call for call in coded if call.executions[0].returned]
    return [call for call in found if not end_is_rewritten(reading, call.act, "end.sanitize")]


def is_readable(codec: str, answer: Json) -> bool:
    """Tell whether it is an answer of the provider's that this built-in codec is for (AUT-016)."""
    return isinstance(answer, dict) and isinstance(answer.get(PARTS[codec]), list | None)


def _told(reading: Reading, calls: list[LlmCall]) -> list[tuple[int, Json, LlmCall, Json]]:
    """Return each end of these calls: where, what its profile has of the answer, the call, the answer as it was read.

    A response sanitizer may have left another answer, and a finalizer makes it: then it is what the end shows. In place
    of null it is the call's data.
    """
    return [
        (at, part(event, "category_profile", "annotated_response"), call, answer if own else event.get("data"))
        for call in calls
        for own in [not call.streamed and not end_is_rewritten(reading, call.act, "llm.sanitize_response")]
        for answer in [shown_of(call.executions[0].reply, call.step)]
        for life in call.lives.values()
        for at, event in life.ends
    ]


@register(CHECKS, "AUT-015")
def what_is_read_is_on_the_end(reading: Reading) -> Found:
    """The end's profile has what the table reads of the answer."""
    told = _told(reading, [call for call in _answered(reading) if call.error is None or call.streamed])
    found = [one for one in told if is_readable(_codec(one[2]), one[3])]
    return judged(
        [
            Evidence(EVERY_LANE, f"{name} of the answer", at, wanted, part(annotation, *name.split(".")))
            for at, annotation, call, answer in found
            for name, wanted in read(_codec(call), answer)
            if not same(part(annotation, *name.split(".")), wanted)
        ],
        found,
    )


def _codec(call: LlmCall) -> str:
    return str(call.step["response_codec"])


def read(codec: str, answer: Json) -> Iterator[tuple[str, Json]]:
    """Yield what an annotation has to say of an answer: the member, and its value."""
    yield "api_specific.api", codec
    yield from ((name, answer[name]) for name in answer if name in ("id", "model") or name.startswith(("x-", "ok")))
    first = next(iter(answer.get(PARTS[codec]) or []), None)
    reason = answer.get("status") or answer.get("stop_reason") or part(first, "finish_reason")
    yield from (("finish_reason", ours) for ours, theirs in REASONS.items() if reason in theirs)
    content = part(first, "content")
    place = {"openai_chat": ("message", "content"), "openai_responses": (), "anthropic_messages": ("text",)}[codec]
    message = part(first, *place) if place else part(next(iter(content or []), None), "text")
    if message is not None:
        yield "message", message
    for ours, theirs in (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens")):
        count = part(answer, "usage", ours if codec == "openai_chat" else theirs)
        if count is not None:
            yield f"usage.{ours}", count


def _is_summary(annotation: Json) -> bool:
    """Tell whether it says nothing but what was saved, which CTR-005 has there."""
    return isinstance(annotation, dict) and annotation.keys() == {"optimization_summary"}


@register(CHECKS, "AUT-016")
def what_cannot_be_read_fails_nothing(reading: Reading) -> Found:
    """The call succeeds, and its end says nothing of the answer."""
    calls = _answered(reading)
    told = [one for one in _told(reading, calls) if not is_readable(_codec(one[2]), one[3])]
    failed = [
        call
        for call in calls
        if not call.streamed and not call.wrapped and call.error is not None
        if not is_readable(_codec(call), shown_of(call.executions[0].reply, call.step))
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "nothing is told of what cannot be read", at, None, seen)
            for at, seen, call, _ in told
            if seen is not None and not (call.contributions and _is_summary(seen))
        ]
        + [Evidence(EVERY_LANE, "the call succeeds", call.done, None, call.error) for call in failed],
        told or failed,
    )
