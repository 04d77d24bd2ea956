"""Checks of the chapter *Runs that are taken up again* (TKU)."""

from __future__ import annotations

from bindproof.suite_api import Evidence, Json
from bindproof.suites.interaction.checks.common import Check, Found, astray, differs, goes, register
from bindproof.suites.interaction.observation import RUN
from bindproof.suites.interaction.resuming import KEPT, Resumed

CHECKS: dict[str, Check] = {}


@register(CHECKS, "TKU-001", Resumed)
def not_again(seen: Resumed) -> Found:
    """What was answered and kept is not asked again."""
    if seen.scenario["dies"] not in KEPT:
        return None
    count = len(seen.after)
    text = "what was answered before the process died is not asked again"
    return [] if count <= len(seen.due_after) else [astray(text, len(seen.due_after), count)]


@register(CHECKS, "TKU-002", Resumed)
def goes_on(seen: Resumed) -> Found:
    """What was not answered is asked."""
    if not seen.due_after:
        return None
    count = len(seen.after)
    text = "the run goes on where it was"
    return [] if count >= len(seen.due_after) else [astray(text, len(seen.due_after), count)]


@register(CHECKS, "TKU-003", Resumed)
def same_requests(seen: Resumed) -> Found:
    """A request after it has the id and the key of its step in the same run."""
    if not seen.kept or not seen.after:
        return None
    due = [f"{RUN}:step:{number}" for number in seen.due_after for _ in ("request", "key")]
    found = [seen.log[at][name] for at in seen.after for name in ("request", "key")]
    return goes("requests are of their steps in the same run", due, found)


@register(CHECKS, "TKU-004", Resumed)
def all_that_was_said(seen: Resumed) -> Found:
    """A request after it has all that was said before."""
    if not seen.kept or not seen.after:
        return None
    found: list[Evidence] = []
    for number, at in seen.calls()[len(seen.before) :]:
        said: list[Json] = [{"role": "user", "text": "hello"}]
        for step in seen.scenario["steps"][: number - 1]:
            said += [{"role": "assistant", "text": step["text"]}] if step["text"] else []
            said.append({"role": "tool"})
        found += differs(at, "/messages", "a request has all that was said", said, seen.log[at]["messages"])
    return found


@register(CHECKS, "TKU-005", Resumed)
def last_tokens(seen: Resumed) -> Found:
    """A request after it has the last tokens of the run."""
    if not seen.kept or not seen.after:
        return None
    found: list[Evidence] = []
    judged = False
    for number, at in seen.calls()[len(seen.before) :]:
        for name in ("session", "checkpoint"):
            had = [step[name] for step in seen.scenario["steps"][: number - 1] if step[name]]
            judged = judged or bool(had)
            if had:
                found += differs(at, f"/{name}", "the last token goes with a request", had[-1], seen.log[at][name])
    return found if judged else None


@register(CHECKS, "TKU-006", Resumed)
def ends(seen: Resumed) -> Found:
    """A run that is taken up ends with its last answer."""
    if seen.scenario["dies"] == "run_terminal" or not seen.kept:
        return None
    return _returns(seen, "a run that is taken up returns its last answer")


@register(CHECKS, "TKU-007", Resumed)
def stays_over(seen: Resumed) -> Found:
    """A run that is over is not run again."""
    if seen.scenario["dies"] != "run_terminal":
        return None
    if seen.after:
        return [astray("a run that is over calls no model", 0, len(seen.after))]
    return _returns(seen, "a run that is over returns what it did")


def _not_again(seen: Resumed, text: str, fact: str) -> Found:
    """Judge that the step whose answer was kept does not do something again that comes before its call."""
    if seen.scenario["dies"] not in KEPT or not seen.kept:
        return None
    return goes(text, 0, len([record for record in seen.again if record["fact"] == fact]))


@register(CHECKS, "TKU-008", Resumed)
def not_kept_again(seen: Resumed) -> Found:
    """The checkpoint before the call is not kept again where the answer is."""
    return _not_again(seen, "the checkpoint before the call is not kept again", "checkpoint")


@register(CHECKS, "TKU-009", Resumed)
def not_decided_again(seen: Resumed) -> Found:
    """The policy does not decide again on a call whose answer is kept."""
    return _not_again(seen, "the policy does not decide again on a call that was answered", "event")


def _returns(seen: Resumed, text: str) -> Found:
    due = {"state": "completed", "text": seen.scenario["steps"][-1]["text"]}
    told = "nothing" if seen.end is None else seen.end.get("value", seen.end.get("error"))
    return goes(text, due, told)
