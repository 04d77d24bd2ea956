"""Runs whose process dies and that another one takes up: their language, what is due of them, and their logs, read.

Enters: a scenario that is `of` a resume, a log. Leaves: the complete scenario, a Resumed. Must not know the
requirements, nor the reference.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Struct

from bindproof.suite_api import Json
from bindproof.suites.interaction.language import Plain, Token

Dies = Literal["pre_llm", "called", "runtime_state", "tool", "run_terminal"]
KEPT: Final = ("runtime_state", "tool")
"""Where a process dies with the answer of its step kept, and the run not over."""


class Answered(Struct, frozen=True, forbid_unknown_fields=True):
    """What the model answers in a step. All answers but the last call the tool."""

    text: Plain = "done"
    session: Token | None = None
    checkpoint: Token | None = None


class Resume(Struct, frozen=True, forbid_unknown_fields=True):
    """One run. dies: the checkpoint after which the process dies, or while what is done; step: in which step."""

    of: Literal["resume"]
    steps: Annotated[list[Answered], msgspec.Meta(min_length=1, max_length=6)]
    dies: Dies
    step: Annotated[int, msgspec.Meta(ge=1, le=6)] = 1


class Resumed(Struct, frozen=True):
    """A log of such a run, read. before, after: the places of calls, before the process died and after."""

    scenario: Json
    log: list[Json]
    before: list[int]
    after: list[int]
    due_before: list[int]
    """The numbers of the steps that are to call the model before."""
    due_after: list[int]

    @property
    def end(self) -> Json:
        """The record of what came of the run, or None."""
        return next((record for record in self.log if record["fact"] == "ended"), None)

    @property
    def kept(self) -> bool:
        """Tell whether the calls are those that are due, as far as their number says."""
        return len(self.before) == len(self.due_before) and len(self.after) == len(self.due_after)

    @property
    def again(self) -> list[Json]:
        """The records of the second process that are of the step whose answer was kept."""
        died = next((at for at, record in enumerate(self.log) if record["fact"] == "died"), len(self.log))
        return [record for record in self.log[died:] if record.get("step") == self.scenario["step"]]

    def calls(self) -> list[tuple[int, int]]:
        """Return the number of each step that is to call, and where it does."""
        return list(zip([*self.due_before, *self.due_after], [*self.before, *self.after], strict=False))


def problem(scenario: Json) -> str | None:
    """Say what of a resume breaks the language, or None."""
    last = len(scenario["steps"])
    if scenario["step"] > last:
        return f"the process dies in step {scenario['step']}, and there are {last}"
    if scenario["dies"] == "tool" and scenario["step"] == last:
        return "the last step calls no tool in which the process could die"
    if scenario["dies"] == "run_terminal" and scenario["step"] != last:
        return "a run is over in its last step; say its number in `step`"
    return None


def resumed(scenario: Json, log: list[Json]) -> Resumed:
    """Read a log."""
    died = next((at for at, record in enumerate(log) if record["fact"] == "died"), len(log))
    calls = [at for at, record in enumerate(log) if record["fact"] == "called"]
    number, last = scenario["step"], len(scenario["steps"])
    before = number - (scenario["dies"] == "pre_llm")
    after = number + (scenario["dies"] in (*KEPT, "run_terminal"))
    return Resumed(
        scenario,
        log,
        [at for at in calls if at < died],
        [at for at in calls if at > died],
        list(range(1, before + 1)),
        list(range(after, last + 1)),
    )
