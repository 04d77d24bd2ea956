"""The steps of the scenario language that are about gates.

Enters: the families. Leaves: structs, for `language`. Must not know the other steps.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from bindproof.suites.relay.scenario.boundaries import Text
from bindproof.suites.relay.scenario.families import Family
from bindproof.suites.relay.scenario.installing import Name


class Gate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag="gate", rename={"as_": "as"}):
    """Register a gate: it is asked whether what is registered globally as `target`, in one of these families, may take
    part, and says `reason` why not, or with null that it may. `raises`: it raises an error with this text instead.
    `plugin`: it is about what that plugin has registered as `target`, and not about what the program has."""

    name: str
    families: Annotated[list[Family], msgspec.Meta(min_length=1)]
    target: str
    plugin: Name | None = None
    as_: Text | None = None
    reason: Text | None = None
    raises: Text | None = None


class Ungate(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag="ungate", rename={"as_": "as"}
):
    """Take back the gate that the step `of` registered, by its name; answers whether it was there, and what it was
    given so far."""

    of: Text
    as_: Text | None = None
