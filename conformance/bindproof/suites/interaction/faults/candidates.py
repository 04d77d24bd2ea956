"""Faults of the chapter *Candidates* (CND)."""

from __future__ import annotations

from bindproof.suite_api import Fault, Json
from bindproof.suites.interaction.faults.spoiled import Spoiled, plant

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "request_of_its_own", "a fallback has a request id of its own", "CND-001")
def _(spoiled: Spoiled) -> bool:
    found = (places for _, places in spoiled.calls() if len(places) > 1)
    return any(spoiled.edit(places[1], request=f"{spoiled.log[places[1]]['request']}:1") for places in found)


@plant(FAULTS, "key_of_its_own", "a request has a key that is of no step", "CND-002")
def _(spoiled: Spoiled) -> bool:
    return any(spoiled.edit(places[0], key="planted") for _, places in spoiled.calls())


@plant(
    FAULTS, "stays_with_the_fallback", "a step begins with the model that answered last", "CND-003", also=("CND-007",)
)
def _(spoiled: Spoiled) -> bool:
    before = spoiled.full["model"]
    for part, places in spoiled.calls():
        plain = len(places) == 1 and not part.fate.breakers and before not in part.fate.step["fails"]
        if plain and before != spoiled.full["model"]:
            return spoiled.edit(places[0], model=before)
        before = spoiled.log[places[-1]]["model"]
    return False


@plant(FAULTS, "chain_backwards", "the chain is tried from its end", "CND-004")
def _(spoiled: Spoiled) -> bool:
    for part, places in spoiled.calls():
        names = [spoiled.log[at]["model"] for at in places]
        if len(places) > 3 and {names[1], names[2]} <= set(part.fate.step["fails"]):
            return spoiled.edit(places[1], model=names[2]) and spoiled.edit(places[2], model=names[1])
    return False


@plant(FAULTS, "comes_back", "a model that fails is called again after another one", "CND-005")
def _(spoiled: Spoiled) -> bool:
    for part, places in spoiled.calls():
        if len(part.taken) > 1 and part.fate.kind == "failed":
            return spoiled.put(places[-1] + 1, spoiled.log[places[0]])
    return False


@plant(FAULTS, "asks_another", "a model is called after one that answered", "CND-006")
def _(spoiled: Spoiled) -> bool:
    for part, places in spoiled.calls():
        rest = [
            name.strip() for name in spoiled.full["fallbacks"] if name.strip() and name.strip() not in part.fate.models
        ]
        if part.fate.answered and rest:
            return spoiled.put(places[-1] + 1, {**spoiled.log[places[-1]], "model": rest[0]})
    return False


@plant(FAULTS, "skips_a_model", "a model of the chain is left out", "CND-007")
def _(spoiled: Spoiled) -> bool:
    found = (part.taken for part, _ in spoiled.calls() if len(part.taken) > 2)
    return any(spoiled.drop(taken[1][1]) for taken in found)


@plant(FAULTS, "forgets_the_beginning", "a request lacks what was said first", "CND-008")
def _(spoiled: Spoiled) -> bool:
    for _, places in spoiled.calls():
        messages = spoiled.log[places[0]]["messages"]
        if len(messages) > 2:
            return spoiled.edit(places[0], messages=messages[1:])
    return False


@plant(FAULTS, "no_choice", "a request has tools, but no choice among them", "CND-009")
def _(spoiled: Spoiled) -> bool:
    return not spoiled.full["bare"] and any(spoiled.edit(places[0], choice=None) for _, places in spoiled.calls())


@plant(FAULTS, "tools_of_nobody", "a request of an agent without tools has some", "CND-019")
def _(spoiled: Spoiled) -> bool:
    return spoiled.full["bare"] and any(spoiled.edit(places[0], tools=True) for _, places in spoiled.calls())


@plant(FAULTS, "forgets_a_token", "a request lacks the last token", "CND-010")
def _(spoiled: Spoiled) -> bool:
    for _, places in spoiled.calls():
        if spoiled.log[places[0]]["session"]:
            return spoiled.edit(places[0], session=None)
    return False


@plant(FAULTS, "first_error", "a run fails with the error of the first model", "CND-011")
def _(spoiled: Spoiled) -> bool:
    return spoiled.last("failed") and spoiled.fails("on_failure") and spoiled.comes_to()


@plant(FAULTS, "fails_all_the_same", "a run fails that its policy spares", "CND-012")
def _(spoiled: Spoiled) -> bool:
    return spoiled.last("failed") and not spoiled.fails("on_failure") and spoiled.comes_to()


@plant(FAULTS, "no_warning", "nothing warns that no model answered", "CND-013")
def _(spoiled: Spoiled) -> bool:
    return spoiled.drop(spoiled.reading.of("event", "warning"))


def _metadata(spoiled: Spoiled, **members: Json) -> bool:
    """Have the metadata of a call say something else."""
    for _, places in spoiled.calls():
        about = spoiled.log[places[-1]].get("metadata")
        if about is not None:
            return spoiled.edit(places[-1], metadata={**about, **members})
    return False


@plant(FAULTS, "another_thread", "a request is of another thread", "CND-014")
def _(spoiled: Spoiled) -> bool:
    return len(spoiled.reading.of("called")) > 1 and _metadata(spoiled, thread="planted")


@plant(FAULTS, "nobodys_request", "a request is of no agent", "CND-015")
def _(spoiled: Spoiled) -> bool:
    return _metadata(spoiled, agent=None)


@plant(FAULTS, "trusts_all", "a request marks what tools gave as it marks what the system says", "CND-016")
def _(spoiled: Spoiled) -> bool:
    return _metadata(spoiled, channels={"system": "trusted", "tool": "trusted"})


@plant(FAULTS, "calls_it_sanitized", "a request says otherwise whether what tools give is sanitized", "CND-018")
def _(spoiled: Spoiled) -> bool:
    return _metadata(spoiled, sanitized=not spoiled.full["sanitizes"])


@plant(FAULTS, "error_of_the_model", "a run fails by an error that is not the runner's own", "CND-017")
def _(spoiled: Spoiled) -> bool:
    at = spoiled.reading.end
    if not spoiled.last("failed") or not spoiled.fails("on_failure") or at is None:
        return False
    error = spoiled.log[at].get("error")
    return error is not None and spoiled.edit(at, error={**error, "type": "RuntimeError"})
