"""A scenario of `interaction` in its complete form, and what the language's model alone cannot refuse.

Enters: a scenario as a vector or a generator states it. Leaves: the complete scenario, or what breaks the language.
"""

from __future__ import annotations

import msgspec

from bindproof.suite_api import Json
from bindproof.suites.interaction.breakers import OpenQuestionError
from bindproof.suites.interaction.fates import fates
from bindproof.suites.interaction.language import Scenario, Step


class ScenarioError(ValueError):
    """A scenario breaks its language; the message says where and what to do."""


_RUN: Json = msgspec.to_builtins(Scenario(steps=[]))
_STEP: Json = msgspec.to_builtins(Step())


def complete(scenario: Json) -> Json:
    """Return a scenario in full form. Raises ScenarioError when it breaks its language, with the offending part."""
    try:
        full: Json = msgspec.to_builtins(msgspec.convert(scenario, Scenario))
    except msgspec.ValidationError as error:
        raise ScenarioError(f"not a scenario: {error}; spec/interaction/scenarios.md has the language") from None
    for number, step in enumerate(full["steps"], 1):
        if step["answer"] == "none" and not step["later"]:
            raise ScenarioError(f"step {number}: what is never answered has to be put off; say `later`")
        if full["streams"] and step["error"] == "slow":
            raise ScenarioError(f"step {number}: nobody ends the wait for a stream; no `slow` where models stream")
        if step["rests"] and not step["tool"]:
            raise ScenarioError(f"step {number}: it is the tool that `rests`; say `tool`")
        if not step["tool"] and number < len(full["steps"]):
            raise ScenarioError(f"step {number}: the run ends by an answer without a tool; say `tool`, or make it last")
    if full["streams"] and full["idempotent"]:
        raise ScenarioError("what of a stream is tried again is told by no chapter; no `idempotent` beside `streams`")
    try:
        fates(full)
    except OpenQuestionError as question:
        raise ScenarioError(str(question)) from None
    return full


def brief(full: Json) -> Json:
    """Return a complete scenario as one would write it. Raises ScenarioError for what is no scenario."""
    full = complete(full)
    short = {name: value for name, value in full.items() if name == "steps" or value != _RUN[name]}
    short["steps"] = [{name: value for name, value in step.items() if value != _STEP[name]} for step in full["steps"]]
    return short
