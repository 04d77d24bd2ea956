"""Faults of the chapter *Requests of the model layer* (REQ)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bindproof.suite_api import Fault, Json
from bindproof.suites.interaction.faults.planting import planting
from bindproof.suites.interaction.faults.spoiled import PLANTED
from bindproof.suites.interaction.requests import Part, Requested, requested
from bindproof.suites.interaction.trying import LASTING

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


_plant = planting(FAULTS, "request", requested)


def plant(name: str, title: str, *breaks: str) -> Callable[[Spoil], None]:
    """Return a decorator that puts a fault into the table: it is planted in the first request that can have it."""

    def put(spoil: Spoil) -> None:
        _plant(name, title, *breaks)(
            lambda found: any(part.end is not None and spoil(found, part) for part in found.parts)
        )

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
    if not part.sound or not part.calls or part.step["fails"] is not None:
        return False
    found.log[part.calls[0] : part.end + 1] = [{"fact": "ended", "error": PLANTED}]  # type: ignore[operator]
    return True


@plant("sends_another_text", "a request is sent with another message", "REQ-001")
def _(found: Requested, part: Part) -> bool:
    sent = part.sound and part.step["fails"] is None and bool(part.calls)
    return sent and _call(found, part, messages=[{"role": "user", "text": "planted"}])


@plant("answers_otherwise", "a request comes to another answer than the provider's", "REQ-002")
def _(found: Requested, part: Part) -> bool:
    if not part.sound or not part.answered or len(part.calls) != part.due:
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


def _another(found: Requested, part: Part) -> bool:
    """Have a request made once more than it was."""
    found.log.insert(part.calls[-1] + 1, found.log[part.calls[-1]])
    return True


def _failed(found: Requested, part: Part) -> bool:
    """Tell whether a request failed as often as it should, and for good."""
    return part.sound and not part.answered and len(part.calls) == part.due


def _is_safe(found: Requested, part: Part) -> bool:
    return bool(found.scenario["idempotent"] and part.step["key"] is not None)


@plant("gives_up_at_once", "a request that fails for a reason that may pass is not made again", "REQ-014")
def _(found: Requested, part: Part) -> bool:
    return _failed(found, part) and part.tries > 1 and bool(found.log.pop(part.calls[-1]))


@plant("requests_too_often", "a request is made again more often than it may be", "REQ-015")
def _(found: Requested, part: Part) -> bool:
    return _failed(found, part) and part.tries > 1 and _another(found, part)


@plant("requests_what_is_not_safe_again", "a request without a key, or without a promise, is made again", "REQ-016")
def _(found: Requested, part: Part) -> bool:
    return _failed(found, part) and not _is_safe(found, part) and _another(found, part)


@plant("requests_what_will_not_pass_again", "a request is made again that was refused for good", "REQ-017")
def _(found: Requested, part: Part) -> bool:
    return _failed(found, part) and _is_safe(found, part) and part.step["fails"] in LASTING and _another(found, part)


@plant("requests_what_nobody_knows_again", "a request is made again that failed for an unknown reason", "REQ-018")
def _(found: Requested, part: Part) -> bool:
    unknown = part.step["fails"] in ("plain", "404")
    return _failed(found, part) and _is_safe(found, part) and unknown and _another(found, part)


@plant("fails_otherwise", "a request that is not answered fails for another reason", "REQ-019")
def _(found: Requested, part: Part) -> bool:
    if not _failed(found, part):
        return False
    found.log[part.end] = {"fact": "ended", "error": PLANTED}  # type: ignore[index]
    return True
