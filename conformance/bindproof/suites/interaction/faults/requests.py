"""Faults of the chapter *Requests of the model layer* (REQ)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bindproof.suite_api import Fault, Json, copied
from bindproof.suites.interaction.faults.spoiled import PLANTED
from bindproof.suites.interaction.requests import Part, Requested, requested

FAULTS: dict[str, Fault] = {}

Spoil = Callable[[Requested, Part], bool]
"""Edits the log of a request in place; tells whether it did."""

SENT: Final = {
    "without_a_model": ("model", "REQ-004"),
    "without_messages": ("messages", "REQ-005"),
    "for_no_tokens": ("most_tokens", "REQ-006"),
    "without_time": ("timeout", "REQ-007"),
    "too_cold": ("cold", "REQ-008"),
    "too_hot": ("hot", "REQ-009"),
    "beyond_all": ("top_p", "REQ-010"),
    "with_a_blank_key": ("key", "REQ-011"),
}
"""The end of a fault's name → what is wrong with the request that it sends, and what that breaks."""


def plant(name: str, title: str, *breaks: str) -> Callable[[Spoil], None]:
    """Return a decorator that puts a fault into the table: it is planted in the first request that can have it."""

    def put(spoil: Spoil) -> None:
        def planted(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
            if full["of"] != "request":
                return None
            found = requested(full, copied(log))
            spoiled = any(part.end is not None and spoil(found, part) for part in found.parts)
            return found.log if spoiled else None

        FAULTS[name] = Fault(name, title, breaks, planted)

    return put


def _is_sent(found: Requested, part: Part) -> bool:
    """Have a request that was refused sent, and answered."""
    step = part.step
    call: Json = {
        "fact": "called", "model": step["model"], "run": None, "request": "ask", "key": step["key"],
        "messages": [{"role": "user", "text": text} for text in step["messages"]], "tools": step["tools"],
        "choice": None, "session": None, "checkpoint": None, "waited": 0,
    }  # fmt: skip
    found.log[part.end : part.end + 1] = [call, {"fact": "ended", "value": {"text": "planted"}}]  # type: ignore[operator]
    return True


def _call(found: Requested, part: Part, **members: Json) -> bool:
    """Have a request that was sent say something else."""
    found.log[part.calls[0]] = {**found.log[part.calls[0]], **members}
    return True


def _sends(name: str, wrong: str, breaks: str) -> None:
    @plant(f"sends_{name}", f"a request is sent {name.replace('_', ' ')}", breaks)
    def _(found: Requested, part: Part) -> bool:
        return part.wrong == [wrong] and not part.calls and _is_sent(found, part)


for _name, (_wrong, _breaks) in SENT.items():
    _sends(_name, _wrong, _breaks)


@plant("refuses_what_is_sound", "a request with which nothing is wrong is refused", "REQ-001")
def _(found: Requested, part: Part) -> bool:
    if not part.sound or not part.calls:
        return False
    found.log[part.calls[0] : part.end + 1] = [{"fact": "ended", "error": PLANTED}]  # type: ignore[operator]
    return True


@plant("sends_another_text", "a request is sent with another message", "REQ-001")
def _(found: Requested, part: Part) -> bool:
    return part.sound and bool(part.calls) and _call(found, part, messages=[{"role": "user", "text": "planted"}])


@plant("answers_otherwise", "a request comes to another answer than the provider's", "REQ-002")
def _(found: Requested, part: Part) -> bool:
    if not part.sound or not part.calls:
        return False
    found.log[part.end] = {"fact": "ended", "value": {"text": "planted"}}  # type: ignore[index]
    return True


@plant("sends_without_an_id", "a request without an id is sent without one", "REQ-003")
def _(found: Requested, part: Part) -> bool:
    return part.sound and not part.named and bool(part.calls) and _call(found, part, request=part.step["id"])


@plant("sends_all_of_it", "what is too long is sent as it is", "REQ-012")
def _(found: Requested, part: Part) -> bool:
    if not part.too_long or part.wrong or not part.calls:
        return False
    return _call(found, part, messages=[{"role": "user", "text": text} for text in part.step["messages"]])


@plant("asks_for_what_there_is_not", "a provider is asked for what it does not support", "REQ-013")
def _(found: Requested, part: Part) -> bool:
    return bool(part.missing) and not part.calls and _is_sent(found, part)
