"""Generated scenarios of `interaction`: runs of a few steps, with what may go wrong at each of them.

Enters: choices. Leaves: a scenario in the language.
"""

from __future__ import annotations

from typing import Final, get_args

from bindproof.suite_api import Choices, Json
from bindproof.suites.interaction.defaults import LIMITS, SETTINGS
from bindproof.suites.interaction.language import Failure, Policy
from bindproof.suites.interaction.outputs import Says
from bindproof.suites.interaction.policies import Action, Role, When
from bindproof.suites.interaction.requests import Ability
from bindproof.suites.interaction.scenario import ScenarioError, complete
from bindproof.suites.interaction.states import STATES
from bindproof.suites.interaction.stops import PLACES
from bindproof.suites.interaction.streams import MOST_WAITERS, OVER
from bindproof.suites.interaction.trying import PASSING

MODELS: Final = ("m1", "m2", "m3")
CHAIN: Final = ("m2", "m3", "m1", " m2", "m2 ", "", "  ", "m4")
TEXTS: Final = ("done", "a", "ж", "x\ny", '"\\')
TOKENS: Final = (None, None, "a", "b", "")
POLICIES: Final = get_args(Policy)
ERRORS: Final = get_args(Failure)
PREFIXES: Final = (
    "", "", "openai/", "OpenAI/", "anthropic/", "claude/", "litellm/", "ollama/", "ollama_chat/", "mine/", "gemini/",
)  # fmt: skip
NAMED: Final = ("gpt-4", "claude-x", "m1", "llama3:8b")
ROLES: Final = ("allow", "allow", *get_args(Role))
ABILITIES: Final = get_args(Ability)
SENT: Final = ("hello", "жжж", "more than ten", "exactly 10")
ASKED: Final[Json] = {
    "model": ("m1", "m2", "", " "), "messages": ([],), "id": ("b", None, "", " "), "key": ("b", None, "", " "),
    "most_tokens": (1, 0, -1), "timeout": (1, 0, -1), "temperature": (0.0, 0.5, 2.0, 2.5, -0.5),
    "top_p": (0.5, 1.0, 0.0, 1.5, -0.5),
}  # fmt: skip
"""What a request may say, and what is wrong with some of it."""

SAID: Final = ("payload", "payload", *get_args(Says))


def scenario(choices: Choices) -> Json:
    """Return a scenario."""
    if choices.chance(50):
        return choices.pick(FORMS)(choices)
    return _failing(choices) if choices.chance(12) else _run(choices)


def _output(choices: Choices) -> Json:
    """Return a call for structured output, which is seldom answered well at once."""
    odd = ("bad payload", "bad text", "words")
    answers = [{"says": choices.pick(odd if choices.chance(50) else SAID)} for _ in range(choices.integer(1, 4))]
    return {"of": "output", "repairs": choices.integer(0, 3), "steps": answers}


def _stream(choices: Choices) -> Json:
    """Return a handle of a stream, of which most are read or waited for."""
    acts: list[Json] = []
    over = False
    for _ in range(choices.integer(1, 8)):
        sent = ("delta", "completes", "completes", "completes", "warns", "ends", "breaks")
        caller = ("reads", "waits", "waits", "cancels", "interrupts")
        does = choices.pick(caller if over or choices.chance(40) else sent)
        over = over or does in OVER
        if does == "waits" and sum(act["does"] == "waits" for act in acts) == MOST_WAITERS:
            continue
        acts.append({"does": does, "text": choices.pick(("a", "ж", ""))})
    return {"of": "stream", "interrupts": choices.chance(70), "steps": acts or [{"does": "reads"}]}


def _resume(choices: Choices) -> Json:
    """Return a run whose process dies."""
    count = choices.integer(1, 5)
    number = choices.integer(1, count)
    dies = ["pre_llm", "called", "runtime_state", "run_terminal" if number == count else "tool"]
    names = (("text", TEXTS), ("session", TOKENS), ("checkpoint", TOKENS))
    steps = [{name: choices.pick(known) for name, known in names} for _ in range(count)]
    return {"of": "resume", "dies": choices.pick(dies), "step": number, "steps": steps}


def _requests(choices: Choices) -> Json:
    """Return requests of the model layer; what nobody could tell of one is left out of it."""
    lacks = [name for name in ABILITIES if choices.chance(20)] if choices.chance(40) else []
    asked: Json = {"of": "request", "lacks": lacks, "steps": []}
    if choices.chance(40):
        asked |= {"idempotent": choices.chance(80), "retries": choices.integer(0, 3)}
        asked["through"] = choices.pick(("layer", "layer", "client", "bare client"))
        asked["lacks"] = [] if asked["through"] == "bare client" else lacks
    if choices.chance(70):
        asked["ceiling"] = choices.pick((8, 10, 11))
    for _ in range(choices.integer(2, 6)):
        step = {name: choices.pick(values) for name, values in ASKED.items() if choices.chance(12)}
        if "through" in asked and choices.chance(80):
            step |= {"fails": choices.pick((*ERRORS, *PASSING)), "times": choices.pick((None, 1, 2, 3, 4))}
        step |= {name: True for name in ("tools", "output", "streams") if choices.chance(20)}
        step |= {"messages": [choices.pick(SENT) for _ in range(choices.pick((1, 1, 2)))]} if choices.chance(50) else {}
        if _is_told({**asked, "steps": [step]}):
            asked["steps"].append(step)
    return asked if asked["steps"] else {**asked, "steps": [{}]}


def _policy(choices: Choices) -> Json:
    """Return a call that rules and roles decide on."""
    names = ("a", "b", "c", "a1", "d")
    first = choices.integer(0, 4)
    rules = [{"id": names[(first + at) % 5], **_rule(choices)} for at in range(choices.integer(0, 4))]
    return {"of": "policy", "roles": [choices.pick(ROLES) for _ in range(choices.integer(0, 3))], "steps": rules}


def _rule(choices: Choices) -> Json:
    rule: Json = {"action": choices.pick(("allow", *get_args(Action))), "priority": choices.pick((100, 100, 50, 200))}
    rule |= {"enabled": choices.chance(85), "subject": choices.pick(("any", "any", "call", "tool"))}
    return {**rule, "when": choices.pick(("always", "always", *get_args(When)))}


def _names(choices: Choices) -> Json:
    """Return names of models, of which some lead to the same."""
    prefixes = [choices.pick(PREFIXES) for _ in range(2)]
    default = choices.pick((None, None, "openai", "mine", "litellm"))
    models = NAMED if default is None else [name for name in NAMED if not name.startswith(("gpt", "claude"))]
    pick = [f"{choices.pick(prefixes)}{choices.pick(models)}" for _ in range(choices.integer(1, 5))]
    names = [f" {name}" if choices.chance(10) else name for name in pick]
    steps = [{"name": name} for name in names]
    threshold = 1 if choices.chance(30) else 5
    resolver = choices.chance(10)
    return {"of": "names", "default": default, "resolver": resolver, "threshold": threshold, "steps": steps}


def _budget(choices: Choices) -> Json:
    """Return a run with budgets of tools and of time; it is cut before an open question."""
    budget: Json = {"of": "budget", "steps": []}
    if choices.chance(60):
        budget["most_tools"] = choices.integer(0, 5)
    if choices.chance(70):
        budget["most_time"] = choices.pick((5, 20, 40, 70, 100))
    for _ in range(choices.integer(1, 4)):
        step = {"silent": choices.pick((0, 0, 1, 2)), "tools": choices.pick((1, 1, 2, 3))}
        step |= {"rests": choices.pick((0, 0, 4, 17, 33)), "text": choices.pick(TEXTS)}
        if not _is_told({**budget, "steps": [*budget["steps"], step]}):
            break
        budget["steps"].append(step)
    if budget["steps"] and choices.chance(70):
        budget["steps"][-1] |= {"tools": 0, "rests": 0}
    return budget if budget["steps"] else {**budget, "steps": [{}]}


def _stop(choices: Choices) -> Json:
    """Return a run that is stopped somewhere."""
    count = choices.integer(1, 3)
    number = choices.integer(1, count)
    at = choices.pick([place for place in PLACES if place != "tool" or number < count])
    steps = [{"text": choices.pick(TEXTS)} for _ in range(count)]
    return {"of": "stop", "how": choices.pick(("cancel", "interrupt")), "at": at, "step": number, "steps": steps}


def _states(choices: Choices) -> Json:
    """Return changes of state that are asked for."""
    steps = [{"from": choices.pick(STATES), "to": choices.pick(STATES)} for _ in range(choices.integer(1, 8))]
    return {"of": "states", "steps": steps}


def _defaults(choices: Choices) -> Json:
    """Return settings that are asked for."""
    names = (*LIMITS, *SETTINGS)
    return {"of": "defaults", "steps": [{"of": choices.pick(names)} for _ in range(choices.integer(1, 5))]}


def _failing(choices: Choices) -> Json:
    """Return a run whose primary fails in a row, so that its breaker opens; it is cut before an open question."""
    threshold = choices.integer(1, 3)
    run: Json = {"threshold": threshold, "cooldown": choices.pick((20, 30)), "steps": []}
    run["fallbacks"] = ["m2", "m3", *([] if choices.chance(50) else ["m1"])]
    for number in range(choices.integer(threshold + 1, 7)):
        fails = ["m1"] if number < threshold or choices.chance(30) else []
        fails += ["m2"] if choices.chance(25) else []
        step = {"tool": True, "fails": fails, "rests": choices.pick((0, 0, 7, 17, 33)), "text": choices.pick(TEXTS)}
        if not _is_told({**run, "steps": [*run["steps"], step]}):
            break
        run["steps"].append(step)
    return run


def _is_told(run: Json) -> bool:
    """Tell whether documents say what such a run does."""
    try:
        complete(run)
    except ScenarioError:
        return False
    return True


def _run(choices: Choices) -> Json:
    count = choices.integer(1, 4)
    chain = [choices.pick(CHAIN) for _ in range(choices.integer(0, 4))] if choices.chance(60) else []
    streams = choices.chance(20)
    run = {
        "model": choices.pick(MODELS),
        "fallbacks": chain,
        "streams": streams,
        "on_failure": choices.pick(POLICIES),
        "on_refusal": choices.pick(POLICIES),
        "steps": [_step(choices, number == count, streams) for number in range(1, count + 1)],
    }
    if choices.chance(40):
        run |= {"idempotent": True, "retries": choices.integer(0, 3)}
        run |= {"base": choices.pick((0, 50, 500)), "jitter": choices.pick((0, 0, 3, 20))}
    if choices.chance(20):
        run["most_steps"] = choices.integer(1, count + 1)
    if choices.chance(15):
        run["most_calls"] = choices.integer(0, count + 1)
    if choices.chance(25):
        run["most_cost"] = choices.integer(0, 6)
    if choices.chance(5):
        run["stop"] = choices.pick(("cancel", "interrupt"))
    if choices.chance(15):
        run["sanitizes"] = False
    if choices.chance(30) and _is_told({**run, "bare": True}):
        run["bare"] = True
    return run


def _step(choices: Choices, last: bool, streams: bool) -> Json:
    step: Json = {"text": choices.pick(TEXTS), "cost": choices.integer(0, 3), "tool": not last or choices.chance(20)}
    step["session"], step["checkpoint"] = choices.pick(TOKENS), choices.pick(TOKENS)
    if choices.chance(40):
        step |= _gate(choices)
    if choices.chance(50):
        step["fails"] = [name for name in (*MODELS, "m4") if choices.chance(60)]
        if choices.chance(60):
            step["begun"] = streams and choices.chance(40)
            step["error"] = choices.pick([error for error in ERRORS if error != "slow" or not step["begun"]])
            step["times"] = choices.pick((None, 1, 2, 3, 4))
    if choices.chance(12):
        step["stop"] = choices.pick(("cancel", "interrupt"))
    return step


def _gate(choices: Choices) -> Json:
    gate: Json = {"gate": choices.pick(("approval", "input", "deny")), "later": choices.chance(40)}
    gate["answer"] = choices.pick(("allow", "allow", "deny", "none") if gate["later"] else ("allow", "allow", "deny"))
    gate["says"] = choices.pick(("go", "ж", ""))
    return gate


FORMS: Final = (
    _output, _stream, _stream, _resume, _resume, _requests, _requests, _requests, _policy, _names, _names, _budget,
    _budget, _stop, _stop, _states, _defaults,
)  # fmt: skip
"""Scenarios that are no plain runs, each as often as it stands here."""
