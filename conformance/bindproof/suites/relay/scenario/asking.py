"""The steps of the scenario language that ask for scopes, and for what handles say.

Enters: nothing. Leaves: structs, for `language`. Must not know the other steps.
"""

from __future__ import annotations

import msgspec

from bindproof.suites.relay.scenario.boundaries import Text


class Current(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag="current", rename={"as_": "as"}
):
    """Ask the binding which scope is the current one."""

    as_: Text | None = None


class Handle(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag="handle", rename={"as_": "as"}
):
    """Ask the handle of what the step `of` started what it says."""

    of: Text
    as_: Text | None = None
