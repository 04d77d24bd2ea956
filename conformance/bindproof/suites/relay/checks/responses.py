"""Checks of the chapter *Request authority* (AUT) about response codecs: what the end tells of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

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
from bindproof.suites.relay.checks.provider_forms import GEMINI, NEWER, OCI
from bindproof.suites.relay.observation.null_answers import shown_of
from bindproof.suites.relay.observation.reading import LlmCall, Reading

CHECKS: dict[str, Check] = {}

SAME = {"id": "id", "model": "model"}


class Form(NamedTuple):
    """Where a provider's answer has what an annotation says of it."""

    parts: str
    """A list, of whose first part the text is."""
    text: tuple[str | int, ...]
    ended: tuple[str | int, ...]
    """What says how the answer ended."""
    usage: tuple[str, str, str]
    """Where tokens are counted, and what those of the prompt and those of the answer are called."""
    names: Mapping[str, str] = SAME
    """The name of what is in the annotation as it is → its name there."""


FORMS: Final = {
    "openai_chat": Form(
        "choices",
        ("choices", 0, "message", "content"),
        ("choices", 0, "finish_reason"),
        ("usage", "prompt_tokens", "completion_tokens"),
    ),
    "openai_responses": Form(
        "output", ("output", 0, "content", 0, "text"), ("status",), ("usage", "input_tokens", "output_tokens")
    ),
    "anthropic_messages": Form(
        "content", ("content", 0, "text"), ("stop_reason",), ("usage", "input_tokens", "output_tokens")
    ),
    GEMINI: Form(
        "candidates",
        ("candidates", 0, "content", "parts", 0, "text"),
        ("candidates", 0, "finishReason"),
        ("usageMetadata", "promptTokenCount", "candidatesTokenCount"),
        {"responseId": "id", "modelVersion": "model"},
    ),
    OCI: Form(
        "choices",
        ("choices", 0, "message", "content", 0, "text"),
        ("choices", 0, "finishReason"),
        ("usage", "promptTokens", "completionTokens"),
        {},
    ),
}
REASONS: Final = {
    "complete": ("stop", "completed", "end_turn", "STOP"),
    "length": ("length", "max_tokens", "MAX_TOKENS"),
}
UNKNOWN: Final = ("x-", "ok")
"""What the names begin with that no provider has."""


def _answered(reading: Reading) -> list[LlmCall]:
    """Return the calls with a response codec whose execution answered, and of which nobody rewrites the end."""
    coded = [call for call in reading.reached if call.step["response_codec"]]
    found = [call for call in coded if call.executions[0].returned]
    return [call for call in found if not end_is_rewritten(reading, call.act, "end.sanitize")]


def is_readable(codec: str, answer: Json) -> bool:
    """Tell whether it is an answer of the provider's that this built-in codec is for (AUT-016)."""
    return codec == OCI or (isinstance(answer, dict) and isinstance(answer.get(FORMS[codec].parts), list | None))


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
    return _tell(reading, [call for call in _answered(reading) if _codec(call) not in NEWER])


@register(CHECKS, "AUT-024")
def what_newer_codecs_read_is_on_the_end(reading: Reading) -> Found:
    """As AUT-015, of Gemini and OCI."""
    return _tell(reading, [call for call in _answered(reading) if _codec(call) in NEWER])


def _tell(reading: Reading, calls: list[LlmCall]) -> Found:
    told = _told(reading, [call for call in calls if call.error is None or call.streamed])
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
    """Yield what an annotation has to say of an answer: the member, and its value (AUT-015, AUT-024)."""
    if codec == GEMINI:
        yield "api_specific", None
    elif isinstance(answer, dict):
        yield "api_specific.api", codec
    if codec == OCI:
        yield from _around(answer)
        answer = part(answer, "chatResponse") or answer
    form = FORMS[codec]
    if not isinstance(answer, dict):
        return
    yield from ((ours, answer[name]) for name, ours in form.names.items() if name in answer)
    yield from ((name, answer[name]) for name in answer if name.startswith(UNKNOWN))
    reason = _reached(answer, form.ended)
    yield from (("finish_reason", ours) for ours, theirs in REASONS.items() if reason in theirs)
    usage, *counts = form.usage
    said = {"message": _reached(answer, form.text)}
    for ours, theirs in zip(("prompt_tokens", "completion_tokens"), counts, strict=True):
        said[f"usage.{ours}"] = part(answer, usage, theirs)
    yield from ((name, value) for name, value in said.items() if value is not None)


def _around(answer: Json) -> Iterator[tuple[str, Json]]:
    """Yield what is read around the answer of OCI, or in its place."""
    if not isinstance(answer, dict):
        yield "raw", answer
    elif "chatResponse" in answer:
        yield from (("model", answer[name]) for name in answer if name == "modelId")
        yield from ((name, answer[name]) for name in answer if name.startswith(UNKNOWN))


def _reached(value: Json, path: Iterable[str | int]) -> Json:
    """Return what stands at a path, None where nothing does; a number is a place in a list."""
    for step in path:
        if isinstance(step, str):
            value = part(value, step)
        else:
            value = value[step] if isinstance(value, list) and len(value) > step else None
    return value


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
