"""What a scenario has to keep that cancels calls in flight, so that what may be seen of it is known.

A binding lets go of a cancelled call some time later: its end is told then, in the scopes that are open then. So until
a flush the program opens and closes none, and nothing rewrites events, which would show when that was.

Enters: the steps of a complete scenario, those inside callbacks last. Leaves: the rules that they break, in words.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import inner_steps
from bindproof.suites.relay.scenario.families import CONDITIONALS

SETTLED = ("start", "end", "register", "deregister", "install", "uninstall")
"""Kinds of step that change what an end is told of."""

REWRITING = ("end.sanitize", "event.metadata")
"""Families whose callbacks run for the end of a cancelled call."""


def cancel_misfits(steps: list[Json]) -> Iterator[str]:
    """Say in words which rules the steps break."""
    if any(map(does_steps, steps)):
        yield "where a call is cancelled, callbacks do no step but `mark`: the end is told of the scopes of its moment"
    calls = {step["as"]: step for step in steps if step["step"] == "call"}
    yield from _misfit_sanitizers(steps, calls)
    of_plugins = {inner["as"] for step in steps if step["step"] == "install" for inner in inner_steps(step)}
    made: set[str] = set()
    names: set[str] = set()
    pending = ""
    for step in steps:
        made.add(step["as"])
        if step["step"] == "flush":
            pending = ""
        elif step["step"] == "call" and pending and step["name"] in names:
            yield f"step {step['as']!r}: flush first, for the end of a cancelled call of this name may still be told"
        elif step["step"] == "cancel" and step["of"] in calls:
            pending = step["as"]
            names.add(calls[step["of"]]["name"])
            if not calls[step["of"]].get("background") or step["of"] not in made:
                yield f"step {pending!r}: {step['of']!r} is in the background no call that was made before"
        elif step["step"] in SETTLED and pending and step["as"] not in of_plugins:
            yield f"step {step['as']!r}: flush first, for the end of what {pending!r} cancelled may still be told"
        if step["step"] == "register" and step["family"] in REWRITING:
            yield f"step {step['as']!r}: {step['family']} would be given the end of a cancelled call, at any time"
    yield from _namesakes(calls, names)
    yield from _misfit_guardrails(steps)


def _namesakes(calls: dict[str, Json], names: set[str]) -> Iterator[str]:
    in_flight = [step["name"] for step in calls.values() if step.get("background")]
    for name in sorted(names):
        if in_flight.count(name) > 1:
            yield f"two calls in flight are called {name!r}, and one is cancelled: their ends could not be told apart"


def _misfit_sanitizers(steps: list[Json], calls: dict[str, Json]) -> Iterator[str]:
    """What a cancelled LLM call has as its data is sanitized as its response is, some time later."""
    cancelled = [calls[step["of"]] for step in steps if step["step"] == "cancel" and step["of"] in calls]
    shown = [step["as"] for step in cancelled if step["kind"] != "tool" and step.get("data") is not None]
    for step in steps:
        if shown and step.get("family") == "llm.sanitize_response":
            yield f"step {step['as']!r} would be given the data of {shown[0]!r}, which is cancelled, at any time"


def _misfit_guardrails(steps: list[Json]) -> Iterator[str]:
    """The end of a guardrail that is cancelled is told at any time until the flush, and is known by its name alone."""
    waiting = [step for step in steps if is_guard_that_waits(step)]
    cancelled = {step["of"] for step in steps if step["step"] == "cancel"}
    if waiting and len(cancelled) > 1:
        yield "where a conditional waits one call is cancelled: the ends of its guardrails could not be told apart"
    names = {step["name"] for step in steps if step["step"] == "call"}
    for step in waiting:
        if step["name"] in names:
            yield f"step {step['as']!r}: a call is called {step['name']!r} too; name the conditional otherwise"


def is_guard_that_waits(step: Json) -> bool:
    """Tell whether a step registers a conditional that waits at a latch."""
    return step.get("family") in CONDITIONALS and any(op["op"] == "wait" for op in ops_of(step))


def does_steps(step: Json) -> bool:
    """Tell whether a callback of a step does one that no callback may where a call is cancelled.

    What a plugin registers it registers when it is installed, which is a step of the program's own.
    """
    return step["step"] != "install" and any(op["op"] == "step" and op["step"]["step"] != "mark" for op in ops_of(step))


def ops_of(step: Json) -> list[Json]:
    """Return the ops of the callback that a step brings, one that may wait: a registration's, or a call's provider."""
    ops: list[Json] = step.get("do") or step.get("provider") or []
    return ops
