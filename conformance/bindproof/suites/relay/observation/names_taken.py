"""Which names were taken when something was registered or deregistered, as the answers say.

Enters: a Transcript. Leaves: each such step with what was so before it. It states facts and judges nothing.
"""

from __future__ import annotations

from msgspec import Struct

from bindproof.suites.relay.observation.transcript import Act, Transcript, kept


class NameUse(Struct, frozen=True):
    """A register or deregister step."""

    act: Act
    taken: bool
    """Its family had the name on its level."""
    is_open: bool
    """The level was open."""
    of_plugin: bool
    """A plugin registers it, or a plugin has the name and the program has not."""


@kept
def name_uses(transcript: Transcript) -> list[NameUse]:
    """Return each register or deregister step of a program in order, those inside callbacks and plugins too."""
    found: list[NameUse] = []
    taken: set[tuple[str, int, str, str, str]] = set()
    made = {act.step["as"]: act for act in transcript.acts if act.step["step"] == "register"}
    closed: set[str] = set()
    for act in transcript.acts:
        kind = act.step["step"]
        if kind == "end" and act.error is None:
            closed.add(act.step["of"])
        of = made.get(act.step["of"]) if kind == "deregister" else act
        if kind not in ("register", "deregister") or of is None:
            continue
        key = *of.registry, of.step["family"], of.step["name"]
        by_plugin = bool(of.plugin) or (key not in taken and any(one[0] and one[2:] == key[2:] for one in taken))
        found.append(NameUse(act, key in taken, of.step["scope"] not in closed, by_plugin))
        if act.error is None:
            (taken.add if kind == "register" else taken.discard)(key)
    return found
