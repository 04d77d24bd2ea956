"""Gates as they were registered and taken back, and whom they were about while they were there.

Enters: a Transcript. Leaves: facts. It judges nothing.
"""

from __future__ import annotations

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites.relay.observation.transcript import FAR, Act, Transcript, kept


class Shut(Struct, frozen=True):
    """A gate, from the place in the log at which it was registered to that at which it was taken back."""

    act: Act
    since: int
    until: int

    @property
    def rejects(self) -> bool:
        """Whether it gives a reason."""
        return self.act.step["reason"] is not None

    def is_about(self, step: Json, at: int) -> bool:
        """Tell whether it is asked of a registration at a place in the log, which is global."""
        own = self.act.step
        named = step["scope"] == "global" and step["family"] in own["families"] and step["name"] == own["target"]
        return named and self.since < at <= self.until


@kept
def gates(transcript: Transcript) -> list[Shut]:
    """Return the gates that were registered, in order."""
    found: list[Shut] = []
    there: dict[str, int] = {}
    for act in transcript.acts:
        if act.error is not None or act.done is None:
            continue
        if act.step["step"] == "gate":
            there[act.step["name"]] = len(found)
            found.append(Shut(act, act.done, FAR))
        elif act.step["step"] == "ungate" and act.step["of"] in transcript.by_id:
            at = there.pop(transcript.by_id[act.step["of"]].step["name"], None)
            if at is not None:
                found[at] = Shut(found[at].act, found[at].since, act.done)
    return found


def is_shut(transcript: Transcript, step: Json, at: int) -> bool:
    """Tell whether a gate gives a reason against a registration at a place in the log."""
    return any(gate.rejects and gate.is_about(step, at) for gate in gates(transcript))


def is_named(transcript: Transcript, step: Json) -> bool:
    """Tell whether some gate is about a registration, whenever it was there."""
    return any(gate.is_about(step, gate.until) for gate in gates(transcript))
