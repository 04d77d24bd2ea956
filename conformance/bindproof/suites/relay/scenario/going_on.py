"""The step of the scenario language that goes on with what a callback was lent, when that is over.

Enters: nothing. Leaves: a struct, for `language`; the rule that it keeps. Must not know spelling.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.boundaries import Text
from bindproof.suites.relay.scenario.families import AROUND


class GoOn(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step", tag="go_on", rename={"as_": "as"}
):
    """Go on, unchanged, with what the execution intercept that the step `of` registered was lent when it was last
    entered; where it never was, nothing is done."""

    of: Text
    as_: Text | None = None


def going_on_misfits(steps: list[Json], said: frozenset[str]) -> Iterator[str]:
    """Say in words which rules the steps break that go on. said: the words of the scenario."""
    families = {step["as"]: step.get("family") for step in steps}
    for step in steps:
        if step["step"] != "go_on":
            continue
        if families.get(step["of"]) not in (None, *AROUND):
            yield f"step {step['as']!r}: {step['of']!r} wraps no execution, so nothing is there to go on with"
        if "background" in said:
            yield f"step {step['as']!r}: beside calls in the background it is open whether the intercept is over"
