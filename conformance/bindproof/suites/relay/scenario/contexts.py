"""The steps of the scenario language with which a program goes on in another context, and comes back, and with which it
takes down what another process is told of where it stands.

Enters: nothing. Leaves: structs, for `language`. Must not know the other steps.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from bindproof.suites.relay.scenario.boundaries import Text


class Context(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="step",
    tag="context",
    rename={"as_": "as", "from_": "from"},
):
    """Go on in a new context, which has a scope stack of its own, until a step `back`.

    from_: the step `capture` of whose value the scope stack is made, as another process would; None: of nothing.
    """

    from_: Text | None = None
    as_: Text | None = None


class Capture(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag="capture", rename={"as_": "as"}
):
    """Take down what another process is told of where the program stands.

    what: `usual` is what the plain function gives, `rootless` is without a root, `rooted` has that of the scope that
    the step `root` started; `traceparent` is the header alone.
    """

    what: Literal["usual", "rootless", "rooted", "traceparent"] = "usual"
    root: Text | None = None
    as_: Text | None = None


class Back(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag="back", rename={"as_": "as"}):
    """Leave the context that the step `of` began, for good, and go on in the one around it."""

    of: Text
    as_: Text | None = None


Turn = Context | Capture | Back
"""A step about contexts."""
