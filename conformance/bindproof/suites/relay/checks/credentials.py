"""Checks of the chapter *Managed LLM lifecycle* (LIF): what a start shows of headers that hold credentials."""

from __future__ import annotations

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    CREDENTIALS,
    PUBLICATION,
    Check,
    Found,
    judged,
    part,
    register,
    start_is_rewritten,
)
from bindproof.suites.relay.checks.lifecycle import object_of, resolved
from bindproof.suites.relay.observation.deliveries import lives
from bindproof.suites.relay.observation.reading import LlmCall, Reading
from bindproof.suites.relay.observation.transcript import Act

CHECKS: dict[str, Check] = {}


def _holding(reading: Reading) -> list[tuple[Act, dict[str, Json]]]:
    """The calls, managed and manual, whose requests have credentials, with those."""
    manual = [act for act in reading.transcript.of_kind("start") if act.step["kind"] == "llm" and act.error is None]
    found = [(call.act, _resolved(call)) for call in reading.reached]
    found += [(act, _credentials(part(act.step, "request", "headers"))) for act in manual]
    return [(act, headers) for act, headers in found if headers]


def _resolved(call: LlmCall) -> dict[str, Json]:
    return _credentials(resolved(call)["headers"]) if part(call.final, "request") is not None else {}


def _credentials(headers: Json) -> dict[str, Json]:
    """The headers that hold credentials."""
    return {name: value for name, value in object_of(headers).items() if name.lower() in CREDENTIALS}


@register(CHECKS, "LIF-026")
def credentials_are_not_shown(reading: Reading) -> Found:
    """No start shows a header that holds credentials, and no sanitizer of the request is given one."""
    found = _holding(reading)
    shown = [
        Evidence(subscriber, "a start shows no credentials", index, [], held)
        for act, _ in found
        for subscriber, life in lives(reading.transcript, act).items()
        for index, event in life.starts
        if (held := sorted(_credentials(part(event, "data", "headers"))))
    ]
    given = [
        Evidence(PUBLICATION, "a sanitizer is given no credentials", run.entered, [], held)
        for run in (reading.transcript.published if found else [])
        if run.part == "llm.sanitize_request"
        if (held := sorted(_credentials(part(run.given, "request", "headers"))))
    ]
    return judged(shown + given, found)


@register(CHECKS, "LIF-027")
def credentials_are_shown(reading: Reading) -> Found:
    """A start shows the headers that hold credentials."""
    found = _holding(reading)
    found = [one for one in found if not start_is_rewritten(reading, one[0], "start.sanitize", "llm.sanitize_request")]
    return judged(
        [
            Evidence(subscriber, "a start shows all headers", index, headers, seen)
            for act, headers in found
            for subscriber, life in lives(reading.transcript, act).items()
            for index, event in life.starts[:1]
            if not same(headers, seen := _credentials(part(event, "data", "headers")))
        ],
        found,
    )
