"""The steps of the scenario language with which a program goes on in another context, and comes back.

Enters: nothing. Leaves: structs, for `language`. Must not know the other steps.
"""

from __future__ import annotations

import msgspec

from bindproof.suites.relay.scenario.boundaries import Text


class Context(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag="context", rename={"as_": "as"}
):
    """Go on in a new context, which has a scope stack of its own, until a step `back`."""

    as_: Text | None = None


class Back(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag="back", rename={"as_": "as"}):
    """Leave the context that the step `of` began, for good, and go on in the one around it."""

    of: Text
    as_: Text | None = None
