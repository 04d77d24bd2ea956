"""Checks about registrations of what cannot be called (MID)."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, register
from bindproof.suites.relay.observation.gates import is_shut
from bindproof.suites.relay.observation.in_flight import registered
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act

CHECKS: dict[str, Check] = {}


@register(CHECKS, "MID-020")
def what_cannot_be_called_fails(reading: Reading) -> Found:
    """A call or a helper in which it is due fails."""
    found = list(_due(reading))
    return judged(
        [
            Evidence(
                EVERY_LANE, f"{name} cannot be called", act.done, {"error": "callback_raised"}, {"value": act.value}
            )
            for act, name in found
            if act.error is None
        ],
        found,
    )


def _due(reading: Reading) -> Iterator[tuple[Act, str]]:
    """Yield calls and helpers, each with what is registered globally, is due in them and cannot be called."""
    odd: dict[str, Json] = {}
    for act in reading.transcript.acts:
        kind, step = act.step["step"], act.step
        if (
            kind == "register"
            and act.within is None
            and act.error is None
            and step["odd"]
            and step["scope"] == "global"
        ):
            odd[step["as"]] = step
        elif kind == "deregister":
            odd.pop(step["of"], None)
        elif kind in ("call", "helper") and act.done is not None and not step.get("background"):
            there = [name for name, one in odd.items() if not is_shut(reading.transcript, one, act.began)]
            yield from ((act, name) for name in there if _is_due(reading, odd[name]["family"], step))


def _is_due(reading: Reading, family: str, step: Json) -> bool:
    """Tell whether all of a family have to reply in a step: none ends the chain before it."""
    if any(act.step["break_chain"] for act in registered(reading.transcript, family)):
        return False
    if step["step"] == "helper":
        return bool(step["kind"] == family)
    return family.startswith("tool." if step["kind"] == "tool" else "llm.")
