"""Planted faults of the chapter *Request authority* (AUT)."""

from __future__ import annotations

from bindproof.core.model import Json, copied, same
from bindproof.suites import Fault
from bindproof.suites.relay.faults.outcomes import spoil_errors
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.calls import LlmCall

FAULTS: dict[str, Fault] = {}

FAILING = ("AUT-009", "AUT-013", "AUT-014", "AUT-025")
"""What is about a codec that fails."""


@plant(
    FAULTS,
    "stale_body",
    "without a codec the provider is given another body",
    "AUT-001",
    also=("EVT-024", "MID-018", "REF-000", "STR-017"),
)
def stale_body(spoiled: Spoiled) -> bool:
    """Replace the body of every call without a codec."""
    found = [one for call in spoiled.managed if not call.codec for one in call.providers]
    for one in found:
        one.raw_given["request"] = {**one.raw_given["request"], "content": PLANTED}
    return bool(found)


@plant(FAULTS, "stale_annotation", "the codec is given another annotation than the final one", "AUT-002")
def stale_annotation(spoiled: Spoiled) -> bool:
    """Change what every encode is given."""
    name = spoiled.spelling.encode.get("annotated_request", "annotated_request")
    found = [one for call in spoiled.managed if call.providers for one in call.encodes]
    for one in found:
        one.raw_given[name] = {**one.raw_given[name], **PLANTED}
    return bool(found)


@plant(
    FAULTS,
    "stray_header",
    "the provider is given a header that nobody set",
    "AUT-003",
    also=("EVT-024", "MID-018", "REF-000", "STR-017"),
)
def stray_header(spoiled: Spoiled) -> bool:
    """Add a header to what every provider of a call without a codec is given."""
    found = [one for call in spoiled.managed if not call.codec for one in call.providers]
    for one in found:
        one.raw_given["request"]["headers"]["planted"] = "1"
    return bool(found)


@plant(
    FAULTS,
    "vague_authority",
    "a breach of authority is refused with an error that does not say so",
    "AUT-004",
    "AUT-005",
)
def vague_authority(spoiled: Spoiled) -> bool:
    """Make the error of every changed content and missing annotation say something else."""
    return spoil_errors(spoiled, lambda call, kind: kind in ("content_changed", "annotation_missing"))


@plant(FAULTS, "wrong_decoding", "the first intercept is not given what was decoded", "AUT-007", "AUT-012", "AUT-023")
def wrong_decoding(spoiled: Spoiled) -> bool:
    """Change the annotation that the first intercept of every call with a codec is given."""
    name = spoiled.spelling.argument.get("annotated_request", "annotated_request")
    found = [call.intercepts[0] for call in spoiled.managed if call.codec and call.intercepts]
    for one in found:
        one.raw_given[name] = {**one.raw_given[name], **PLANTED}
    return bool(found)


@plant(FAULTS, "lose_encoded_headers", "headers that encode adds do not reach the provider", "AUT-019")
def lose_encoded_headers(spoiled: Spoiled) -> bool:
    """Take the headers that encode added from every provider."""
    done = False
    for call in [call for call in spoiled.reading.scripted if call.encodes and call.executions]:
        own = (call.final or {}).get("request", {}).get("headers", {})
        headers = call.executions[0].raw_given["request"]["headers"]
        for name in [name for name in call.encodes[-1].reply["headers"] if name in headers and name not in own]:
            if name.lower() not in ("traceparent", "tracestate"):
                del headers[name]
                done = True
    return done


@plant(FAULTS, "refuse_equal_content", "equal content is taken for a change", "AUT-008", "OUT-013", also=("MID-009",))
def refuse_equal_content(spoiled: Spoiled) -> bool:
    """Fail a plain call with a codec as if its content had been changed, where nothing else wraps it or is told."""
    calls = spoiled.reading.calls
    if len(calls) != 1 or not calls[0].codec or not calls[0].providers or not calls[0].intercepts:
        return False
    call = calls[0]
    own = {at for life in call.lives.values() for at, _ in life.events()}
    told = {at for at, record in enumerate(spoiled.log) if record["fact"] == "event"}
    if call.streamed or call.wrapped or told - own:
        return False
    record = spoiled.log[call.done or 0]
    record.pop("value", None)
    message = spoiled.message("content_changed")
    record["error"] = {"type": "Error", "message": message, "code": None, "same_as": None}
    gone = {one.callback for one in call.encodes + call.providers}
    spoiled.remove(lambda record: record["fact"] == "event" or record.get("callback") in gone)
    return True


@plant(
    FAULTS,
    "vague_codec_error",
    "a failing codec is reported with an error that does not say so",
    *FAILING,
    also=("LIF-030",),
)
def vague_codec_error(spoiled: Spoiled) -> bool:
    """Make the error of every failed codec say something else."""
    return spoil_errors(spoiled, lambda call, kind: kind == "codec_failed")


@plant(
    FAULTS,
    "rebuilt_body",
    "a built-in codec writes anew what nobody edited",
    "AUT-010",
    also=("EVT-023", "EVT-024", "EVT-050"),
)
def rebuilt_body(spoiled: Spoiled) -> bool:
    """Take a member out of the body of each call with a built-in codec whose annotation nobody edited."""
    found = [call for call in _sending(spoiled) if not _is_edited(call)]
    for call in found:
        content = copied(call.step["request"]["content"])
        content.popitem()
        _send(call, content)
    return bool(found)


@plant(FAULTS, "lost_edit", "a built-in codec forgets an edit", "AUT-011")
def lost_edit(spoiled: Spoiled) -> bool:
    """Give the provider the caller's content, where the annotation was edited."""
    found = [call for call in _sending(spoiled) if _is_edited(call)]
    for call in found:
        _send(call, copied(call.step["request"]["content"]))
    return bool(found)


def _sending(spoiled: Spoiled) -> list[LlmCall]:
    """Return the calls with a built-in codec whose provider is given what was encoded: nothing wraps them."""
    return [call for call in spoiled.reading.builtin if call.providers and not call.wrapped]


def _is_edited(call: LlmCall) -> bool:
    if not call.intercepts:
        return False
    return not same(call.intercepts[0].given["annotated_request"], call.final["annotated_request"])


def _send(call: LlmCall, content: Json) -> None:
    """Give a content to the provider, and to the start, which shows the same."""
    call.providers[0].raw_given["request"]["content"] = content
    for life in call.lives.values():
        for _, event in life.starts:
            event["data"]["content"] = content


@plant(
    FAULTS,
    "unread_answer",
    "the end does not tell what the response codec read",
    "AUT-015",
    "AUT-024",
    also=("CTR-005", "EVT-016"),
)
def unread_answer(spoiled: Spoiled) -> bool:
    """Take what was read of an answer out of every end."""
    found = [profile for profile in _profiles(spoiled) if "annotated_response" in profile]
    for profile in found:
        del profile["annotated_response"]
    return bool(found)


@plant(FAULTS, "misread_answer", "the end tells of an answer that nobody can read", "AUT-016")
def misread_answer(spoiled: Spoiled) -> bool:
    """Tell at every end of an answer, where nothing was read."""
    found = [profile for profile in _profiles(spoiled) if "annotated_response" not in profile]
    for profile in found:
        profile["annotated_response"] = PLANTED
    return bool(found)


def _profiles(spoiled: Spoiled) -> list[Json]:
    """Return the profiles of the ends of calls with a response codec that were answered."""
    calls = [call for call in spoiled.managed if call.step["response_codec"] and call.error is None]
    return [event["category_profile"] for call in calls for life in call.lives.values() for _, event in life.ends]
