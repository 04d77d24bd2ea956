"""What callbacks stated that becomes marks: pending marks of outcomes, their contributions, and rejections.

Enters: a step as it went. Leaves: marks. It states facts and judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.observation.transcript import NOTHING, Act, Entry
from bindproof.suites.relay.scenario.families import CONDITIONALS


def lets_pass(run: Entry) -> bool:
    """Tell whether a conditional answered with nothing, by which it lets a call or helper pass."""
    return run.replied and run.reply in NOTHING


def marks_of(outcome: Json) -> list[Json]:
    """Return the pending marks that a reply states, or none when it states no list of objects."""
    marks = outcome.get("pending_marks") if isinstance(outcome, dict) else None
    return [mark for mark in marks if isinstance(mark, dict)] if isinstance(marks, list) else []


def contributions_of(outcome: Json) -> list[Json]:
    """Return the contributions that a reply states, or none when it states no list of objects."""
    stated = outcome.get("optimization_contributions") if isinstance(outcome, dict) else None
    return [one for one in stated if isinstance(one, dict)] if isinstance(stated, list) else []


def contributions(act: Act) -> list[Json]:
    """Return what all request intercepts of a call that replied say that they saved, in order."""
    return [one for run in intercepts(act) if run.replied for one in contributions_of(run.reply)]


def names_of_marks(outcome: Json) -> list[Json]:
    """Return the names of the pending marks that a reply states, in order."""
    return [mark.get("name") for mark in marks_of(outcome)]


def intercepts(act: Act) -> list[Entry]:
    """Return the request intercepts of an LLM call or helper that ran, in order."""
    return [run for run in act.runs if run.part == "llm.request"]


def accepted_marks(act: Act) -> Iterator[Json]:
    """Yield the marks that are due for a managed call: those of all outcomes that were accepted, in order.

    Without those whose name is an object or a list: no event can be told by it.
    """
    if not act.started:
        return
    if act.step["kind"] == "tool":
        found = list(_tool_marks(act.runs)) if act.error is None else []
    else:
        found = [mark for one in intercepts(act) if one.replied for mark in marks_of(one.reply)]
    for mark in found:
        if not isinstance(mark.get("name"), dict | list):
            yield mark


def _tool_marks(runs: list[Entry]) -> Iterator[Json]:
    """Yield the marks of what ran: of every continuation that did not fail, then the intercept's own."""
    for run in runs:
        if run.part != "tool.execution" or not run.replied:
            continue
        for asked in run.asked:
            if asked.error is None:
                yield from _tool_marks(asked.inside)
        yield from marks_of(run.reply)


def rejection(act: Act) -> str | None:
    """Return the reason with which a conditional rejected a call, or None."""
    texts = [run.reply for run in act.runs if run.part in CONDITIONALS and run.replied and isinstance(run.reply, str)]
    return texts[0] if texts else None
