"""What the stream calls of a scenario have to keep, so that what may be seen of them is known.

A stream runs beside the program: how far ahead of its reader it is read is nobody's promise. So a stream either is read
to its end, or hangs, and is closed.

Enters: the steps of a complete scenario. Leaves: the rules that they break, in words. Must not know spelling.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.families import QUEUED, STREAMING

RESPONSE = "llm.sanitize_response"
"""Runs for a stream as soon as it is finalized, which may be before its chunks are told of."""

WHILE_OPEN = ("read", "close", "flush")
"""Steps that a program may do while it has a stream open."""


def stream_misfits(steps: list[Json]) -> Iterator[str]:
    """Say in words which rules the steps break, those inside callbacks too."""
    calls = [step for step in steps if step["step"] == "call"]
    for step in calls:
        if step["provider"]:
            yield from _misfit_provider(step)
    yield from _stray_uses(steps)
    streams = [step for step in calls if step["kind"] == "llm_stream"]
    wrappers = [step for step in steps if step.get("family") == STREAMING]
    if streams or wrappers:
        yield from _misfit_streams(steps, streams, wrappers)


def _misfit_streams(steps: list[Json], streams: list[Json], wrappers: list[Json]) -> Iterator[str]:
    for step in wrappers:
        yield from _misfit_wrapper(step)
    for step in streams:
        if not step["drain"]:
            yield from _misfit_use(step, steps, wrappers)
    late = any(goes_on_late(step["do"]) for step in wrappers)
    if late and (len(wrappers) > 1 or not all(step["drain"] for step in streams)):
        yield "where an intercept goes on while its stream is read, it is the only one and the streams are drained"
    queued = {step["family"] for step in steps if step.get("family") in QUEUED}
    if streams and RESPONSE in queued and len(queued) > 1:
        yield f"beside {RESPONSE} a stream call has nothing else that rewrites events: they race each other"


def eager_part(ops: list[Json]) -> list[Json]:
    """Return the ops that are done when a stream's callback is called: those before the first `yield`."""
    first = next((at for at, op in enumerate(ops) if op["op"] in ("yield", "hang")), len(ops))
    return ops[:first]


def goes_on_late(ops: list[Json]) -> bool:
    """Tell whether an intercept goes on while its stream is read."""
    return any(op["op"] == "next" for op in ops[len(eager_part(ops)) :])


def _misfit_provider(step: Json) -> Iterator[str]:
    name, ops = step["as"], step["provider"]
    kinds = [op["op"] for op in ops]
    if step["kind"] != "llm_stream":
        if "yield" in kinds or "hang" in kinds:
            yield f"step {name!r}: `yield` and `hang` are for the provider of an llm_stream"
        return
    if "edit" in kinds or "step" in kinds:
        yield f"step {name!r}: the provider of a stream hands over chunks, and does neither edits nor steps"
    if "hang" in kinds[:-1] or (kinds and kinds[-1] == "hang" and step["drain"]):
        yield f"step {name!r}: `hang` comes last, and the stream is not drained"


def _misfit_wrapper(step: Json) -> Iterator[str]:
    name, ops = step["as"], step["do"]
    eager = eager_part(ops)
    late = ops[len(eager) :]
    goes_on = [op for op in ops if op["op"] == "next"]
    if len(goes_on) > 1 or any(len(op["edits"]) > 1 for op in goes_on):
        yield f"step {name!r}: an intercept goes on with one stream at the most"
    if any(op["op"] == "step" for op in late):
        yield f"step {name!r}: steps are done before the first `yield`"
    if any(op["op"] == "raise" for op in eager) and (not goes_on or any(op["edits"] for op in goes_on)):
        yield f"step {name!r}: what raises before the first `yield` goes on with nothing: `next` has no edits"
    if goes_on_late(ops):
        before = late[: [op["op"] for op in late].index("next")]
        if any(op.get("chunks") for op in before):
            yield f"step {name!r}: what comes before a late `next` hands over no chunk"


def _misfit_use(call: Json, steps: list[Json], wrappers: list[Json]) -> Iterator[str]:
    name, ops = call["as"], call["provider"]
    if call not in steps:
        return
    after = steps[steps.index(call) + 1 :]
    uses = [step for step in after if step.get("of") == name and step["step"] in ("read", "close")]
    kinds = [step["step"] for step in uses]
    if kinds.count("close") != 1 or kinds[-1] != "close":
        yield f"step {name!r}: a stream that is not drained is closed once, after the last `read` of it"
        return
    between = after[: after.index(uses[-1])]
    if any(step["step"] not in WHILE_OPEN for step in between):
        yield f"step {name!r}: while its stream is open a program reads, flushes, and closes it"
    if call["collector"] or any(op["op"] == "raise" for op in eager_part(ops)):
        yield f"step {name!r}: a stream that is not drained opens, and its collector takes every chunk"
    wanted = [step["n"] for step in uses[:-1]]
    if any(op["op"] == "hang" for op in ops):
        chunks = sum(len(op["chunks"]) for op in ops if op["op"] == "yield")
        if None in wanted or (sum(wanted) > chunks) or not wanted:
            yield f"step {name!r}: of a stream that hangs one reads a chunk, and no more than there are"
        if any(op["op"] != "edit" for step in wrappers for op in step["do"]):
            yield f"step {name!r}: an intercept around a stream that hangs changes chunks at the most"
    elif None not in wanted:
        yield f"step {name!r}: a stream that does not hang is read to its end: nobody knows where it is before"


def _stray_uses(steps: list[Json]) -> Iterator[str]:
    begun: set[str] = set()
    for step in steps:
        kind = step["step"]
        if kind == "call":
            if step["kind"] == "llm_stream" and not step["drain"]:
                begun.add(step["as"])
        elif kind in ("read", "close") and step["of"] not in begun:
            yield f"step {step['as']!r}: `of` is {step['of']!r}, which has opened no stream that is left to read"
