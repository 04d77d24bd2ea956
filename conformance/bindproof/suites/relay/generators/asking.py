"""What generated programs ask of the binding: what is registered, which scope is the current one, what handles say.

Enters: the steps of a program, a source of choices. Leaves: the same steps, and questions between them or in providers.
They are drawn last, so that a program without them is the one that it was before there were any.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.mixed import FAMILIES

ASK_PERCENT = 15
"""Of a hundred programs so many ask something."""

MOST = 3
"""So many questions at most."""

QUESTIONS = ("current", "current", "current inside", "list", "handle")
"""A listing is the rarest: it may be that the release has none."""

DATA: tuple[Json, ...] = (None, {"d": [1, None]}, "text", 0, [])
"""What a scope or a call may be started with for its handle to keep."""


def with_questions(choices: Choices, steps: list[Json]) -> list[Json]:
    """Return the steps of a program, and a few of them with questions."""
    if not choices.chance(ASK_PERCENT):
        return steps
    asking = list(steps)
    for _ in range(choices.integer(1, MOST)):
        _ask(choices, asking)
    return asking


def _ask(choices: Choices, steps: list[Json]) -> None:
    question = choices.pick(QUESTIONS)
    at = choices.integer(0, len(steps))
    if question == "current inside":
        _ask_inside(at, steps)
    elif question == "handle":
        _ask_handle(choices, at, steps)
    elif question == "list":
        steps.insert(at, {"step": "list", "only": choices.pick((None, *FAMILIES))})
    else:
        steps.insert(at, {"step": "current"})


def _ask_handle(choices: Choices, at: int, steps: list[Json]) -> None:
    """Give something that was started before a place data, and ask its handle there; where there is such a step."""
    begun = [index for index in range(at) if steps[index]["step"] == "start" and "as" in steps[index]]
    if begun:
        index = choices.pick(begun)
        steps[index] = steps[index] | {"data": choices.pick(DATA)}
        steps.insert(at, {"step": "handle", "of": steps[index]["as"]})


def _ask_inside(at: int, steps: list[Json]) -> None:
    """Let the provider of the first call from a place on ask; where a call is cancelled no callback may."""
    if any(step["step"] == "cancel" for step in steps):
        return
    index = next((index for index in range(at, len(steps)) if steps[index]["step"] == "call"), None)
    if index is not None:
        inside = {"op": "step", "step": {"step": "current"}}
        steps[index] = steps[index] | {"provider": [inside, *steps[index].get("provider", [])]}
