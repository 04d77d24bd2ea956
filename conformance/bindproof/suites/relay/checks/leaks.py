"""Check of the chapter *Pending marks* (MRK): nothing of an outcome gets to where it has no business."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, PROGRAM, Check, Found, register
from bindproof.suites.relay.observation.deliveries import lives
from bindproof.suites.relay.observation.outcomes import marks_of
from bindproof.suites.relay.observation.published import rewriting
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.callbacks import every_op
from bindproof.suites.relay.scenario.complete import all_steps

CHECKS: dict[str, Check] = {}

STATING = ("llm.request", "tool.execution")
"""Families whose replies are outcomes, which may state marks."""

MARKS = ("pending_marks", "pendingMarks", "wire:pending_marks")
ANNOTATION = ("annotated_request", "annotatedRequest", "annotated", "wire:annotated_request")
"""Members of outcomes, however a binding may spell them."""

UNANNOTATED = (
    "provider",
    "source",
    "llm.execution",
    "llm.stream",
    "llm.sanitize_request",
    "llm.sanitize_response",
)
"""What is given a request or an answer, and no annotation."""

DEEP = 5
"""So deep in what a callback is given are members looked for: an event's data may be a request, which has a content."""


@register(CHECKS, "MRK-011")
def outcomes_leak_nothing(reading: Reading) -> Found:
    """No mark shows in what a call's callbacks are given, or in the data told of it, and no annotation where it acts.

    Where a scenario itself puts a member of that name somewhere else nobody can tell, and nothing is found.
    """
    acts = [act for act in reading.transcript.working if _states(act)]
    if not acts:
        return None
    found = [evidence for act in acts for evidence in _leaks(reading, act)]
    return [] if found and _states_elsewhere(reading.full) else found


def _states(act: Act) -> bool:
    """Tell whether the outcomes of a call or a helper state marks or an annotation."""
    replies = [run.reply for run in act.everything if run.part in STATING and run.replied]
    return any(marks_of(reply) or _has(reply, ANNOTATION) for reply in replies)


def _has(reply: Json, names: tuple[str, ...]) -> bool:
    return isinstance(reply, dict) and any(reply.get(name) is not None for name in names)


def _leaks(reading: Reading, act: Act) -> Iterator[Evidence]:
    marks, annotation = "pending marks are kept apart", "an annotation is kept apart from what is sent and answered"
    runs = [(run, PROGRAM) for run in act.everything]
    runs += [(run, EVERY_LANE) for run in rewriting(reading.transcript, act)]
    for run, lane in runs:
        if _holds(run.given, MARKS, DEEP):
            yield Evidence(lane, marks, run.entered, None, run.given)
        if run.part in UNANNOTATED and _holds(run.given, ANNOTATION, 2):
            yield Evidence(lane, annotation, run.entered, None, run.given)
    for subscriber, life in lives(reading.transcript, act).items():
        for at, event in life.events():
            if _holds(event.get("data"), MARKS, DEEP) or _holds(event.get("category_profile"), MARKS, DEEP):
                yield Evidence(subscriber, marks, at, None, event)


def _holds(value: Json, names: tuple[str, ...], deep: int) -> bool:
    """Tell whether a value has a member of one of these names, in it or in objects inside it."""
    if not isinstance(value, dict) or not deep:
        return False
    return not value.keys().isdisjoint(names) or any(_holds(inner, names, deep - 1) for inner in value.values())


def _states_elsewhere(full: Json) -> bool:
    """Tell whether a scenario puts something of these names, or a helper's answer, where it is no outcome's own."""
    steps = list(all_steps(full))
    text = json.dumps([_less_outcomes(step) for step in steps])
    copied = '"$get"' in text and any(step["step"] == "helper" for step in steps)
    return copied or any(name in text for name in (*MARKS, *ANNOTATION[:2]))


def _less_outcomes(step: Json) -> Json:
    """Return a step less what its callback puts into the members of an outcome."""
    if step["step"] == "install":
        return {}
    if step["step"] != "register" or step["family"] not in STATING:
        return step
    return [op if op["op"] != "edit" else _less_members(op) for op in every_op(step["do"]) if op["op"] not in INNER]


INNER = ("each", "step")
"""Ops whose contents are looked at by themselves."""


def _less_members(op: Json) -> Json:
    """Return what an edit puts into other places, and what it puts into these members but under their names."""
    own = tuple(f"/{name}" for name in (*MARKS, *ANNOTATION))
    put: list[Json] = []
    for pointer, value in [*op["set"].items(), *op["append"].items()]:
        whole = pointer == "" and isinstance(value, dict)
        put.append(list(value.values()) if whole else value if pointer.startswith(own) else [pointer, value])
    return put
