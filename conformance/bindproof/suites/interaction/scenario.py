"""A scenario of `interaction` in its complete form, and what the language's model alone cannot refuse.

Enters: a scenario as a vector or a generator states it. Leaves: the complete scenario, or what breaks the language.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from bindproof.suite_api import Json
from bindproof.suites.interaction import budgets, names, policies, requests, resuming, stops, streams
from bindproof.suites.interaction.breakers import OpenQuestionError
from bindproof.suites.interaction.budgets import Budget, Spending
from bindproof.suites.interaction.defaults import Defaults
from bindproof.suites.interaction.fates import fates
from bindproof.suites.interaction.language import Scenario, Step
from bindproof.suites.interaction.names import Names
from bindproof.suites.interaction.outputs import Answer, Output
from bindproof.suites.interaction.policies import Policy, Rule
from bindproof.suites.interaction.requests import Request, Requests
from bindproof.suites.interaction.resuming import Answered, Resume
from bindproof.suites.interaction.states import Changes
from bindproof.suites.interaction.stops import Said, Stopping
from bindproof.suites.interaction.streams import Stream


class ScenarioError(ValueError):
    """A scenario breaks its language; the message says where and what to do."""


FORMS: Final[dict[str, type]] = {
    "run": Scenario, "output": Output, "stream": Stream, "resume": Resume, "request": Requests,
    "policy": Policy,
    "names": Names, "budget": Budget, "stop": Stopping,
    "states": Changes, "defaults": Defaults,
}  # fmt: skip
"""What a scenario may be `of`."""

PROBLEMS: Final[dict[str, Callable[[Json], str | None]]] = {
    "stream": streams.problem, "resume": resuming.problem, "request": requests.problem,
    "policy": policies.problem,
    "names": names.problem, "budget": budgets.problem, "stop": stops.problem,
}  # fmt: skip
"""What its model alone cannot refuse of a form."""

_WHOLE: Final[Json] = {
    "run": msgspec.to_builtins(Scenario(steps=[])),
    "output": {**msgspec.to_builtins(Output(of="output", steps=[])), "of": None},
    "stream": {**msgspec.to_builtins(Stream(of="stream", steps=[])), "of": None},
    "resume": {**msgspec.to_builtins(Resume(of="resume", steps=[], dies="tool")), "of": None, "dies": None},
    "request": {**msgspec.to_builtins(Requests(of="request", steps=[])), "of": None},
    "policy": {**msgspec.to_builtins(Policy(of="policy", steps=[])), "of": None},
    "names": {**msgspec.to_builtins(Names(of="names", steps=[])), "of": None},
    "budget": {**msgspec.to_builtins(Budget(of="budget", steps=[])), "of": None},
    "states": {**msgspec.to_builtins(Changes(of="states", steps=[])), "of": None},
    "defaults": {**msgspec.to_builtins(Defaults(of="defaults", steps=[])), "of": None},
    "stop": {
        **msgspec.to_builtins(Stopping(of="stop", steps=[], how="cancel", at="called")),
        "of": None,
        "how": None,
        "at": None,
    },
}
_PART: Final[Json] = {
    "run": msgspec.to_builtins(Step()),
    "output": msgspec.to_builtins(Answer()),
    "stream": {"does": None, "text": "a"},
    "resume": msgspec.to_builtins(Answered()),
    "request": msgspec.to_builtins(Request()),
    "policy": {**msgspec.to_builtins(Rule(id="a", action="allow")), "id": None, "action": None},
    "names": {"name": None},
    "budget": msgspec.to_builtins(Spending()),
    "states": {"from": None, "to": None},
    "defaults": {"of": None},
    "stop": msgspec.to_builtins(Said()),
}
"""The members of each form, and of its steps, that need not be written."""


def complete(scenario: Json) -> Json:
    """Return a scenario in full form. Raises ScenarioError when it breaks its language, with the offending part."""
    of = scenario.get("of", "run") if isinstance(scenario, dict) else "run"
    try:
        full: Json = msgspec.to_builtins(msgspec.convert(scenario, FORMS.get(str(of), Scenario)))
    except msgspec.ValidationError as error:
        raise ScenarioError(f"not a scenario: {error}; spec/interaction/scenarios.md has the language") from None
    if full["of"] == "run":
        _complete_run(full)
    problem = PROBLEMS.get(full["of"])
    said = None if problem is None else problem(full)
    if said is not None:
        raise ScenarioError(said)
    return full


def _complete_run(full: Json) -> None:
    """Refuse a run that breaks what its model alone cannot refuse."""
    for number, step in enumerate(full["steps"], 1):
        if step["answer"] == "none" and not step["later"]:
            raise ScenarioError(f"step {number}: what is never answered has to be put off; say `later`")
        if step["begun"] and not full["streams"]:
            raise ScenarioError(f"step {number}: it is a stream that has `begun`; say `streams`")
        if step["begun"] and step["error"] == "slow":
            raise ScenarioError(f"step {number}: nobody ends the wait for a stream that has `begun`; no `slow` there")
        if step["rests"] and not step["tool"]:
            raise ScenarioError(f"step {number}: it is the tool that `rests`; say `tool`")
        if not step["tool"] and number < len(full["steps"]):
            raise ScenarioError(f"step {number}: the run ends by an answer without a tool; say `tool`, or make it last")
        if step["tool"] and full["bare"]:
            raise ScenarioError(f"step {number}: an agent that is `bare` has no tool to call")
    try:
        fates(full)
    except OpenQuestionError as question:
        raise ScenarioError(str(question)) from None


def brief(full: Json) -> Json:
    """Return a complete scenario as one would write it. Raises ScenarioError for what is no scenario."""
    full = complete(full)
    whole, part = _WHOLE[full["of"]], _PART[full["of"]]
    short = {name: value for name, value in full.items() if name == "steps" or value != whole[name]}
    short["steps"] = [{name: value for name, value in step.items() if value != part[name]} for step in full["steps"]]
    return short
