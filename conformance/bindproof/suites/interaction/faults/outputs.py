"""Faults of the chapter *Structured output* (STC)."""

from __future__ import annotations

from bindproof.suite_api import Fault, Json
from bindproof.suites.interaction.faults.planting import planting
from bindproof.suites.interaction.faults.spoiled import PLANTED
from bindproof.suites.interaction.outputs import Asked, asked, output

FAULTS: dict[str, Fault] = {}


plant = planting(
    FAULTS, "output", asked, due=lambda found: found.end is not None and len(found.places) == found.fate.calls
)


def _ends(found: Asked, **told: Json) -> bool:
    found.log[found.log.index(found.end)] = {"fact": "ended", **told}
    return True


def _request(found: Asked, nth: int, **members: Json) -> bool:
    """Have the nth request say something else."""
    at = found.places[nth - 1]
    found.log[at] = {**found.log[at], **members}
    return True


def _another(found: Asked) -> bool:
    """Have a request made after the last one."""
    at = found.places[-1]
    found.log.insert(at + 1, found.log[at])
    return True


def _comes_out(found: Asked, *says: str) -> bool:
    return found.fate.kind == "output" and found.says(found.fate.calls) in says


@plant("other_payload", "another output comes of a payload", "STC-001")
def _(found: Asked) -> bool:
    return _comes_out(found, "payload") and _ends(found, value={"output": output(9)})


@plant("other_text", "another output comes of a text", "STC-002")
def _(found: Asked) -> bool:
    return _comes_out(found, "text", "fenced") and _ends(found, value={"output": output(9)})


@plant("no_repair", "no repair is asked for", "STC-003")
def _(found: Asked) -> bool:
    return found.fate.calls > 1 and bool(found.log.pop(found.places[-1]))


@plant("one_repair_more", "a repair is asked for that may not be", "STC-004")
def _(found: Asked) -> bool:
    return found.fate.kind == "invalid" and _another(found)


@plant("repairs_what_is_whole", "a repair is asked for although there is an output", "STC-005")
def _(found: Asked) -> bool:
    return found.fate.kind == "output" and found.fate.calls <= found.scenario["repairs"] and _another(found)


@plant("invalid_otherwise", "a call whose repairs are used up fails for another reason", "STC-006")
def _(found: Asked) -> bool:
    return found.fate.kind == "invalid" and _ends(found, error=PLANTED)


@plant("takes_the_text", "the text beside a payload that is no output is taken for one", "STC-007")
def _(found: Asked) -> bool:
    bad = next((nth for nth in range(1, found.fate.calls) if found.says(nth) == "bad payload"), None)
    if bad is None:
        return False
    found.log[found.places[bad] :] = []
    found.log.append({"fact": "ended", "value": {"output": output(bad)}})
    return True


@plant("repairs_everything", "a repair has an earlier answer too", "STC-008")
def _(found: Asked) -> bool:
    if found.fate.calls < 3:
        return False
    messages = found.log[found.places[2]]["messages"]
    return _request(found, 3, messages=[*messages[:-1], {**messages[-1], "text": f"{messages[-1]['text']} [1]"}])


@plant("repairs_with_tools", "a repair has tools", "STC-009")
def _(found: Asked) -> bool:
    return found.fate.calls > 1 and _request(found, 2, tools=True)


@plant("repair_of_its_own", "a repair has a key of its own", "STC-010")
def _(found: Asked) -> bool:
    return found.fate.calls > 1 and _request(found, 2, key="planted")


@plant("silent_otherwise", "a request without an answer fails for another reason", "STC-011")
def _(found: Asked) -> bool:
    return found.fate.kind == "silent" and _ends(found, error=PLANTED)
