"""Faults of the chapter *Runs that are taken up again* (TKU)."""

from __future__ import annotations

from bindproof.suite_api import Fault, Json
from bindproof.suites.interaction.faults.planting import planting
from bindproof.suites.interaction.resuming import KEPT, Resumed, resumed

FAULTS: dict[str, Fault] = {}


plant = planting(FAULTS, "resume", resumed, due=lambda found: bool(found.kept) and found.end is not None)


def _call(found: Resumed, **members: Json) -> bool:
    """Have the last call say something else."""
    if not found.after:
        return False
    found.log[found.after[-1]] = {**found.log[found.after[-1]], **members}
    return True


def _again(found: Resumed) -> bool:
    """Have the model called once more, as soon as the run is taken up."""
    died = next(at for at, record in enumerate(found.log) if record["fact"] == "died")
    found.log.insert(died + 1, found.log[found.before[-1]])
    return True


def _returns(found: Resumed) -> bool:
    at = found.log.index(found.end)
    found.log[at] = {"fact": "ended", "value": {"state": "completed", "text": "planted"}}
    return True


@plant("asks_again", "what was answered is asked again", "TKU-001")
def _(found: Resumed) -> bool:
    return found.scenario["dies"] in KEPT and _again(found)


@plant("leaves_it", "a run that is taken up leaves a step out", "TKU-002")
def _(found: Resumed) -> bool:
    return bool(found.after) and bool(found.log.pop(found.after[-1]))


@plant("another_request", "a request after it is one of its own", "TKU-003")
def _(found: Resumed) -> bool:
    return _call(found, key="planted")


@plant("remembers_nothing", "a request after it has the first message alone", "TKU-004")
def _(found: Resumed) -> bool:
    messages = found.log[found.after[-1]]["messages"] if found.after else []
    return len(messages) > 1 and _call(found, messages=messages[:1])


@plant("forgets_the_session", "a request after it has no token", "TKU-005")
def _(found: Resumed) -> bool:
    return bool(found.after) and bool(found.log[found.after[-1]]["session"]) and _call(found, session=None)


@plant("returns_otherwise", "a run that is taken up returns another text", "TKU-006")
def _(found: Resumed) -> bool:
    return found.scenario["dies"] != "run_terminal" and _returns(found)


@plant("runs_again", "a run that is over is run again", "TKU-007")
def _(found: Resumed) -> bool:
    return found.scenario["dies"] == "run_terminal" and _again(found)


def _once_more(found: Resumed, fact: str) -> bool:
    """Have the step whose answer was kept tell or keep something that comes before its call."""
    if found.scenario["dies"] not in KEPT:
        return False
    number = found.scenario["step"]
    record = next(one for one in found.log if one["fact"] == fact and one.get("step") == number)
    found.log.insert(found.log.index({"fact": "died"}) + 1, record)
    return True


@plant("kept_again", "the checkpoint before a call is kept again whose answer is kept", "TKU-008")
def _(found: Resumed) -> bool:
    return _once_more(found, "checkpoint")


@plant("decides_again", "the policy decides again on a call whose answer is kept", "TKU-009")
def _(found: Resumed) -> bool:
    return _once_more(found, "event")
