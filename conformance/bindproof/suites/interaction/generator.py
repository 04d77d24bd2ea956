"""Generated scenarios of `interaction`: runs of a few steps, with what may go wrong at each of them.

Enters: choices. Leaves: a scenario in the language.
"""

from __future__ import annotations

from typing import Final, get_args

from bindproof.suite_api import Choices, Json
from bindproof.suites.interaction.language import Failure, Policy

MODELS: Final = ("m1", "m2", "m3")
CHAIN: Final = ("m2", "m3", "m1", " m2", "m2 ", "", "  ", "m4")
TEXTS: Final = ("done", "a", "ж", "x\ny", '"\\')
TOKENS: Final = (None, None, "a", "b", "")
POLICIES: Final = get_args(Policy)
ERRORS: Final = get_args(Failure)


def scenario(choices: Choices) -> Json:
    """Return a scenario."""
    count = choices.integer(1, 4)
    chain = [choices.pick(CHAIN) for _ in range(choices.integer(0, 4))] if choices.chance(60) else []
    streams = choices.chance(15)
    run = {
        "model": choices.pick(MODELS),
        "fallbacks": chain,
        "streams": streams,
        "on_failure": choices.pick(POLICIES),
        "on_refusal": choices.pick(POLICIES),
        "steps": [_step(choices, number == count, streams) for number in range(1, count + 1)],
    }
    if not run["streams"] and choices.chance(40):
        run |= {"idempotent": True, "retries": choices.integer(0, 3)}
        run |= {"base": choices.pick((0, 50, 500)), "jitter": choices.pick((0, 0, 3, 20))}
    if choices.chance(15):
        run["most_steps"] = choices.integer(1, count + 1)
    if choices.chance(15):
        run["most_calls"] = choices.integer(0, count + 1)
    if choices.chance(25):
        run["most_cost"] = choices.integer(0, 6)
    if choices.chance(5):
        run["stop"] = choices.pick(("cancel", "interrupt"))
    return run


def _step(choices: Choices, last: bool, streams: bool) -> Json:
    step: Json = {"text": choices.pick(TEXTS), "cost": choices.integer(0, 3), "tool": not last or choices.chance(20)}
    step["session"], step["checkpoint"] = choices.pick(TOKENS), choices.pick(TOKENS)
    if choices.chance(40):
        step |= _gate(choices)
    if choices.chance(50):
        step["fails"] = [name for name in (*MODELS, "m4") if choices.chance(60)]
        if not streams and choices.chance(60):
            step["error"] = choices.pick(ERRORS)
            step["times"] = choices.pick((None, 1, 2, 3, 4))
    if choices.chance(12):
        step["stop"] = choices.pick(("cancel", "interrupt"))
    return step


def _gate(choices: Choices) -> Json:
    gate: Json = {"gate": choices.pick(("approval", "input", "deny")), "later": choices.chance(40)}
    gate["answer"] = choices.pick(("allow", "allow", "deny", "none") if gate["later"] else ("allow", "allow", "deny"))
    gate["says"] = choices.pick(("go", "ж", ""))
    return gate
