"""Gates as they were registered and taken back, and whom they were about while they were there.

Enters: a Transcript. Leaves: facts. It judges nothing.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from bindproof.core.model import Json
from bindproof.suites.relay.observation.plugins import plugin_of
from bindproof.suites.relay.observation.transcript import FAR, Act, Transcript, kept


class Shut(Struct, frozen=True):
    """A gate, from the place in the log at which it was registered to that at which it was taken back."""

    act: Act
    since: int
    until: int
    about: frozenset[str]
    """The steps that register what it is about, whenever."""

    @property
    def rejects(self) -> bool:
        """Whether it gives a reason."""
        return self.act.step["reason"] is not None

    def is_about(self, step: Json, at: int) -> bool:
        """Tell whether it is asked of a registration at a place in the log."""
        return step.get("as") in self.about and self.since < at <= self.until


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
            found.append(Shut(act, act.done, FAR, _about(transcript, act.step)))
        elif act.step["step"] == "ungate" and act.step["of"] in transcript.by_id:
            at = there.pop(transcript.by_id[act.step["of"]].step["name"], None)
            if at is not None:
                found[at] = replace(found[at], until=act.done)
    return found


def _about(transcript: Transcript, gate: Json) -> frozenset[str]:
    """Return the steps that register globally by the name that a gate is about: the program's, or those of a plugin."""
    return frozenset(
        act.step["as"]
        for act in transcript.of_kind("register")
        if act.error is None
        and act.step["scope"] == "global"
        and act.step["family"] in gate["families"]
        and act.step["name"] == gate["target"]
        and plugin_of(transcript, act) == gate["plugin"]
    )


def is_shut(transcript: Transcript, step: Json, at: int) -> bool:
    """Tell whether a gate gives a reason against a registration at a place in the log."""
    return any(gate.rejects and gate.is_about(step, at) for gate in gates(transcript))


def is_named(transcript: Transcript, step: Json) -> bool:
    """Tell whether some gate is about a registration, whenever it was there."""
    return any(gate.is_about(step, gate.until) for gate in gates(transcript))
