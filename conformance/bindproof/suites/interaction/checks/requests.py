"""Checks of the chapter *Requests of the model layer* (REQ)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from bindproof.suite_api import Evidence, Json
from bindproof.suites.interaction.checks.common import Check, Found, astray, differs, goes, register
from bindproof.suites.interaction.requests import Part, Requested
from bindproof.suites.interaction.trying import LASTING, PASSING

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
    """A request with nothing wrong that is answered is sent once, as it is."""

    def judge(part: Part) -> Iterable[Evidence]:
        text = "a request with which nothing is wrong, and that is answered, is sent once"
        if len(part.calls) != 1:
            yield astray(text, 1, len(part.calls))
            return
        at, call = part.calls[0], seen.log[part.calls[0]]
        due = {"model": part.step["model"], "key": part.step["key"], "tools": part.step["tools"]}
        due["messages"] = [{"role": "user", "text": text} for text in part.step["messages"]]
        due |= {"request": part.step["id"]} if part.named else {}
        for name, value in due.items():
            yield from differs(at, f"/{name}", "a request is sent as it is", value, call[name])

    return _each(seen, lambda part: part.sound and part.step["fails"] is None, judge)


@register(CHECKS, "REQ-002", Requested)
def answered(seen: Requested) -> Found:
    """What the provider answers is the caller's."""

    def judge(part: Part) -> Iterable[Evidence]:
        if part.end is not None:
            value = seen.log[part.end].get("value", "an error")
            yield from goes("a request comes to what the provider answers", {"text": f"[{part.number}]"}, value)

    return _each(seen, lambda part: part.sound and part.answered and len(part.calls) == part.due, judge)


@register(CHECKS, "REQ-003", Requested)
def has_an_id(seen: Requested) -> Found:
    """A request without an id, or with a blank one, is sent with one."""

    def judge(part: Part) -> Iterable[Evidence]:
        name = str(seen.log[part.calls[0]]["request"] or "").strip()
        yield from differs(part.calls[0], "/request", "a request is sent with an id", True, bool(name))

    return _each(seen, lambda part: part.sound and not part.named and bool(part.calls), judge)


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
        if not part.calls:
            yield astray(text, "a call", _kind(seen, part))
            return
        for call in (seen.log[at] for at in part.calls):
            count = sum(len(str(one.get("text"))) for one in call["messages"] if isinstance(one, dict))
            if count > seen.scenario["ceiling"]:
                yield astray(text, seen.scenario["ceiling"], count)

    return _each(seen, lambda part: part.too_long and not part.wrong, judge)


@register(CHECKS, "REQ-013", Requested)
def unsupported(seen: Requested) -> Found:
    """A request for what the provider does not support fails for that, and the provider is not called."""
    text = "what the provider does not support is refused"
    return _each(seen, lambda part: bool(part.missing), lambda part: _fails(seen, part, text, "unsupported"))


@register(CHECKS, "REQ-014", Requested)
def again(seen: Requested) -> Found:
    """What may pass is tried again."""

    def judge(part: Part) -> Iterable[Evidence]:
        if len(part.calls) < part.due:
            yield astray("what may pass is tried again", part.due, len(part.calls))

    return _each(seen, lambda part: part.sound and part.tries > 1, judge)


@register(CHECKS, "REQ-015", Requested)
def so_often(seen: Requested) -> Found:
    """A request is made again so many times at most."""

    def judge(part: Part) -> Iterable[Evidence]:
        most = seen.scenario["retries"] + 1
        if len(part.calls) > most:
            yield astray("a request is made so often at most", most, len(part.calls))

    return _each(seen, lambda part: part.sound and _safe(seen, part) and part.step["fails"] in PASSING, judge)


def _safe(seen: Requested, part: Part) -> bool:
    return seen.scenario["idempotent"] and part.step["key"] is not None


def _once(seen: Requested, text: str, which: Callable[[Part], bool]) -> Found:
    """Judge that such requests that fail are made once."""

    def judge(part: Part) -> Iterable[Evidence]:
        if len(part.calls) > 1:
            yield astray(text, 1, len(part.calls))

    return _each(seen, lambda part: part.sound and part.step["fails"] is not None and which(part), judge)


@register(CHECKS, "REQ-016", Requested)
def safely(seen: Requested) -> Found:
    """What is not safe is not tried again."""
    return _once(seen, "what is not safe is not tried again", lambda part: not _safe(seen, part))


@register(CHECKS, "REQ-017", Requested)
def lasting(seen: Requested) -> Found:
    """What will not pass is not tried again."""
    text = "what will not pass is not tried again"
    return _once(seen, text, lambda part: _safe(seen, part) and part.step["fails"] in LASTING)


@register(CHECKS, "REQ-018", Requested)
def unknown(seen: Requested) -> Found:
    """What nobody knows is not tried again."""
    text = "what nobody knows is not tried again"
    return _once(seen, text, lambda part: _safe(seen, part) and part.step["fails"] not in (*LASTING, *PASSING))


@register(CHECKS, "REQ-019", Requested)
def told_why(seen: Requested) -> Found:
    """A request that is not answered fails with the provider's last error."""
    text = "a request that is not answered fails as the provider did"

    def judge(part: Part) -> Iterable[Evidence]:
        if part.end is not None:
            yield from goes(text, "failed", _kind(seen, part))

    return _each(seen, lambda part: part.sound and not part.answered and len(part.calls) == part.due, judge)
