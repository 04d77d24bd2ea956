"""Checks of the chapter *Requests of the model layer* (REQ)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from bindproof.suite_api import Evidence, Json
from bindproof.suites.interaction.checks.common import Check, Found, astray, differs, goes, register
from bindproof.suites.interaction.requests import Part, Requested

CHECKS: dict[str, Check] = {}

REFUSED: Final = {
    "REQ-004": ("model", "a request without a model is refused"),
    "REQ-005": ("messages", "a request without messages is refused"),
    "REQ-006": ("most_tokens", "a request for no tokens is refused"),
    "REQ-007": ("timeout", "a request without time is refused"),
    "REQ-008": ("cold", "a request with a temperature below 0 is refused"),
    "REQ-009": ("hot", "a request with a temperature above 2 is refused"),
    "REQ-010": ("top_p", "a request with a top_p of 0, below it or above 1 is refused"),
    "REQ-011": ("key", "a request with a blank key is refused"),
}
"""Requirement → what is wrong, and what becomes of it."""


def _each(seen: Requested, which: Callable[[Part], bool], judge: Callable[[Part], Iterable[Evidence]]) -> Found:
    """Return the evidence that a judge finds in each such request; None where there is none."""
    found = [part for part in seen.parts if which(part)]
    return [evidence for part in found for evidence in judge(part)] if found else None


def _kind(seen: Requested, part: Part) -> Json:
    """Return the kind of the error that a request came to, `a value`, or None while it has not ended."""
    if part.end is None:
        return None
    record = seen.log[part.end]
    return record["error"]["kind"] if "error" in record else "a value"


def _fails(seen: Requested, part: Part, text: str, kind: str) -> list[Evidence]:
    """Judge that a request fails with a kind of error, and reaches no provider."""
    if part.calls:
        return [astray(text, "no call", "called")]
    return goes(text, kind, _kind(seen, part))


@register(CHECKS, "REQ-001", Requested)
def sent(seen: Requested) -> Found:
    """A request with nothing wrong is sent once, as it is."""

    def judge(part: Part) -> Iterable[Evidence]:
        text = "a request with which nothing is wrong is sent once"
        if len(part.calls) != 1:
            yield astray(text, 1, len(part.calls))
            return
        at, call = part.calls[0], seen.log[part.calls[0]]
        due = {"model": part.step["model"], "key": part.step["key"], "tools": part.step["tools"]}
        due["messages"] = [{"role": "user", "text": text} for text in part.step["messages"]]
        due |= {"request": part.step["id"]} if part.named else {}
        for name, value in due.items():
            yield from differs(at, f"/{name}", "a request is sent as it is", value, call[name])

    return _each(seen, lambda part: part.sound, judge)


@register(CHECKS, "REQ-002", Requested)
def answered(seen: Requested) -> Found:
    """What the provider answers is the caller's."""

    def judge(part: Part) -> Iterable[Evidence]:
        if part.end is not None:
            value = seen.log[part.end].get("value", "an error")
            yield from goes("a request comes to what the provider answers", {"text": f"[{part.number}]"}, value)

    return _each(seen, lambda part: part.sound and len(part.calls) == 1, judge)


@register(CHECKS, "REQ-003", Requested)
def has_an_id(seen: Requested) -> Found:
    """A request without an id, or with a blank one, is sent with one."""

    def judge(part: Part) -> Iterable[Evidence]:
        name = str(seen.log[part.calls[0]]["request"] or "").strip()
        yield from differs(part.calls[0], "/request", "a request is sent with an id", True, bool(name))

    return _each(seen, lambda part: part.sound and not part.named and len(part.calls) == 1, judge)


def _refused(requirement: str, wrong: str, text: str) -> None:
    """Put the check of one thing that may be wrong with a request into the table."""

    @register(CHECKS, requirement, Requested)
    def malformed(seen: Requested) -> Found:
        """A request with this wrong fails for that, and no provider is called."""
        return _each(seen, lambda part: wrong in part.wrong, lambda part: _fails(seen, part, text, "malformed"))


for _requirement, (_wrong, _text) in REFUSED.items():
    _refused(_requirement, _wrong, _text)


@register(CHECKS, "REQ-012", Requested)
def cut(seen: Requested) -> Found:
    """What is too long is sent with as many characters as may be sent."""

    def judge(part: Part) -> Iterable[Evidence]:
        text = "what is too long is cut, and sent"
        if len(part.calls) != 1:
            yield astray(text, "one call", _kind(seen, part))
            return
        count = sum(len(str(one.get("text"))) for one in seen.log[part.calls[0]]["messages"] if isinstance(one, dict))
        if count > seen.scenario["ceiling"]:
            yield astray(text, seen.scenario["ceiling"], count)

    return _each(seen, lambda part: part.too_long and not part.wrong, judge)


@register(CHECKS, "REQ-013", Requested)
def unsupported(seen: Requested) -> Found:
    """A request for what the provider does not support fails for that, and the provider is not called."""
    text = "what the provider does not support is refused"
    return _each(seen, lambda part: bool(part.missing), lambda part: _fails(seen, part, text, "unsupported"))
