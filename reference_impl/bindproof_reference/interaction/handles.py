"""What is allowed to be seen of a handle of a stream: by whoever acts on it, reads it, or waits for it.

Enters: a complete scenario that is `of` a stream. Leaves: lanes of records. Nothing waits: what is sent has arrived.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from bindproof_reference.interaction.records import refusal

Json = Any

PROVIDER: Final = ("delta", "completes", "warns", "breaks", "ends")
KINDS: Final = {"cancels": "cancelled", "interrupts": "interrupted"}


def handled(scenario: Json) -> Json:
    """Return the lanes of one handle."""
    handle = Handle(scenario["interrupts"])
    for step in scenario["steps"]:
        handle.act(step)
    if not handle.sent_all:
        handle.act({"does": "ends"})
    return handle.lanes()


@dataclass
class Handle:
    """A handle, and all that was seen of it. outcome: the error of its end, or None where it ended well."""

    interrupts: bool
    acts: list[Json] = field(default_factory=list)
    got: list[Json] = field(default_factory=list)
    unread: list[Json] = field(default_factory=list)
    text: str | None = None
    begun: bool = False
    over: bool = False
    sent_all: bool = False
    outcome: str | None = None
    read: bool = False
    waiters: int = 0

    def act(self, step: Json) -> None:
        """Let the provider or the caller do something."""
        does = step["does"]
        if does in PROVIDER:
            self.sent_all = does in ("breaks", "ends")
            self.unread.append(step)
        else:
            error = self._asked(does)
            record = {"fact": "act", "act": does}
            self.acts.append(record if error is None else record | {"error": refusal(error)})
        while self.begun and not self.over and self.unread:
            self._arrived(self.unread.pop(0))

    def _asked(self, does: str) -> str | None:
        """Do what the caller wants; return the kind of the error that it is answered with, or None."""
        if does == "reads" and self.read:
            return "taken"  # HDL-001
        if does == "interrupts" and not self.interrupts:
            return "unsupported"  # HDL-008
        if does in KINDS:
            if not self.over:
                self.begun, self.over, self.outcome = True, True, KINDS[does]
            return None
        self.read = self.read or does == "reads"
        self.waiters += does == "waits"
        self.begun = True
        return None

    def _arrived(self, step: Json) -> None:
        does = step["does"]
        if does == "breaks":
            self.over, self.outcome = True, "failed"
        elif does == "ends":  # HDL-003
            self.over, self.outcome = True, None if self.text is not None else "invalid"
        elif does == "completes" and self.text is not None:  # HDL-004
            self.over, self.outcome = True, "invalid"
        else:
            self.text = step["text"] if does == "completes" else self.text
            self.got.append({"fact": "got", "what": does, "text": step["text"]})

    def lanes(self) -> Json:
        """Return what was seen, by who saw it."""
        found: Json = {"program": self.acts}
        error = {} if self.outcome is None else {"error": refusal(self.outcome)}
        if self.read:
            found["reader"] = [*self.got, {"fact": "closed", **error}]
        value = {"value": None} if self.outcome in KINDS.values() else error or {"value": {"text": self.text}}
        for number in range(1, self.waiters + 1):
            found[f"waiter {number}"] = [{"fact": "awaited", "waiter": number, **value}]
        return found
