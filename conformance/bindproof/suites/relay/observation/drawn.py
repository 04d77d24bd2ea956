"""How a record is drawn in the picture of a scenario: who it is of, and what it says in a few words.

Enters: a record as an adapter sent it, or as the reference has it. Leaves: two short texts. It judges nothing: values
are left out, because they may vary.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import TOLD, callback_named

PROGRAM = "program"

_OF_CALLBACK = {
    "enter": "entered",
    "next": "goes on",
    "resume": "goes on",
    "cancelled": "told of a cancel",
    "chunk": "hands a chunk over",
    "refused": "reply refused",
}


def drawn(record: Json) -> tuple[str, str]:
    """Return who a record is of (`program`, a callback, a subscriber), and what it says."""
    fact = record.get("fact")
    if fact == "event":
        return str(record.get("subscriber")), _event(record.get("event"))
    if fact == "done":
        return PROGRAM, f"{record.get('step')} {'fails' if 'error' in record else 'is done'}"
    if fact == "read":
        return PROGRAM, f"{record.get('step')} reads a chunk"
    if "callback" in record:
        return _who(str(record["callback"])), _told_by(fact, record)
    return PROGRAM, " ".join(str(part) for part in (fact, record.get("name")) if part)


def _who(callback: str) -> str:
    """Return who is at work: of what a subscriber does, the subscriber."""
    step, part = callback_named(callback)
    return step if part == TOLD else callback


def _told_by(fact: Json, record: Json) -> str:
    match fact:
        case "leave":
            return "raises" if "raised" in record else "replies"
        case "answer":
            return "is given an error" if "error" in record else "is given an answer"
        case "wait":
            return f"waits at {record.get('latch')}"
        case "over":
            return f"stream {'raises' if 'raised' in record else record.get('how', 'is over')}"
        case _:
            return _OF_CALLBACK.get(str(fact), str(fact))


def _event(event: Json) -> str:
    if not isinstance(event, dict):
        return "an event"
    phase = event.get("scope_category") or event.get("kind") or "event"
    name = event.get("name")
    return f"{phase if isinstance(phase, str) else 'event'} {name if isinstance(name, str) else ''}".strip()
