"""Chapter *Managed LLM lifecycle* (LIF), the manual API: scopes, calls and marks that a program starts and ends itself.

Enters: `start`, `end`, `handle`, `current` and `mark` steps. Leaves: events, and what is answered; raises
FailedError where the binding has to refuse.
"""

from __future__ import annotations

from bindproof_reference.relay import dialects, events, metrics
from bindproof_reference.relay.emission import World
from bindproof_reference.relay.events import Span, merged
from bindproof_reference.relay.llm_call import llm_end, llm_start, model_profile
from bindproof_reference.relay.marks import mark_fields
from bindproof_reference.relay.run import failed
from bindproof_reference.relay.tool_call import tool_end, tool_profile, tool_start
from bindproof_reference.relay.tools import Result
from bindproof_reference.relay.values import ANY, Json, Opaque


def start(world: World, step: Json) -> None:
    """Start a scope or a manual call."""
    around = world.around(step)
    identity = world.identity(step["as"])
    if step["kind"] == "scope":
        scope = world.stack.push(identity, step, around)
        world.levels.open(identity)
        span = Span(identity, step["type"], step["name"], around.identity, scope.root, tuple(step["attributes"]))
        world.started[step["as"]] = {"step": step, "span": span, "scope": scope, "ends": 0}
        world.emit(span.start(step["input"], None, step["metadata"], step["timestamp"]))
        return
    span = Span(identity, step["kind"], step["name"], around.identity, around.root, tuple(step["attributes"]))
    world.started[step["as"]] = {"step": step, "span": span, "ends": 0}
    if step["kind"] == "llm":
        profile = model_profile(step["model"])
        begun = llm_start(world, span, step["request"], profile, profile, step["metadata"], begun=step["timestamp"])
        world.emit(begun)
    else:
        profile = tool_profile(step["tool_call_id"])
        world.emit(tool_start(world, span, step["args"], profile, step["metadata"], step["timestamp"]))


def end(world: World, step: Json) -> None:
    """End what was started; a scope has to be the innermost open one (LIF-019)."""
    started = world.started[step["of"]]
    begun, span = started["step"], started["span"]
    metadata = merged(begun["metadata"], step["metadata"])
    if begun["kind"] == "scope":
        if world.stack.top() is not started["scope"]:
            raise failed("invalid_argument")
        if begun["block"]:
            metadata = merged(metadata, _of_block(step["raises"]))
        world.emit(span.end(step["output"], None, metadata, given=step["timestamp"]))
        world.stack.scopes.pop()
        world.levels.close(span.identity)
        return
    again = f"~{started['ends']}" if started["ends"] else ""
    started["ends"] += 1
    span = span.at(world.stack.top().root)
    if begun["kind"] == "llm":
        profile = model_profile(begun["model"])
        stays = world.run.rules.stated_errors_stay and _says_error(step["metadata"])
        metadata = metadata if stays else merged(metadata, events.OK)  # EVT-033, EVT-034
        reads = step["response_codec"]
        world.emit(llm_end(world, span, step["output"], step["data"], profile, metadata, again, reads, by_hand=step))
    else:
        result = Result(step["output"], step["annotation"])
        profile = tool_profile(begun["tool_call_id"])
        world.emit(tool_end(world, span, result, step["data"], profile, metadata, again, step["timestamp"]))


def _of_block(raised: str | None) -> Json:
    """Return how a block says that it went (EVT-044)."""
    if raised is None:
        return events.OK
    return Opaque({"$contains": {events.STATUS: "ERROR", "otel.status_description": {"$text": raised}}})


def _says_error(metadata: Json) -> bool:
    return isinstance(metadata, dict) and metadata.get(events.STATUS) == "ERROR"


def current(world: World) -> Json:
    """Say which scope is the current one (LIF-024, LIF-025); what stands around all has any name."""
    top = world.stack.top()
    return {"uuid": Opaque({"$id": top.identity}), "name": top.name if world.stack.scopes else Opaque(ANY)}


def capture(world: World, step: Json) -> Json:
    """Say what is told of this place to another process (PRP-001, PRP-002), or its trace header (PRP-006)."""
    top, trace = world.stack.top(), world.stack.trace()
    named = None if trace is None else Opaque({"$trace": {"trace": trace, "span": top.identity}})
    if step["what"] == "traceparent":
        if named is None or not world.run.rules.runtime_traceparent:
            raise failed("invalid_argument")
        return named
    usual = top.root if world.run.rules.captured_roots else None
    named_root = step["root"] and world.started[step["root"]]["span"].identity
    root = {"usual": usual, "rootless": None, "rooted": named_root}
    traced = step["what"] == "usual" and world.run.rules.captured_trace
    found = world.captured[step["as"]] = world.stack.capture(root[step["what"]], traced=traced)
    said = {"version": 1, "parent_uuid": Opaque({"$id": found.parent})}
    if found.root is not None:
        said["root_uuid"] = Opaque({"$id": found.root})
    return said | ({"traceparent": named} if traced and named is not None else {})


def handle(world: World, step: Json) -> Json:
    """Say what the handle of what was started says (LIF-028), as far as the binding's handles of its kind say it."""
    begun, span = world.started[step["of"]]["step"], world.started[step["of"]]["span"]
    said = {
        "uuid": Opaque({"$id": span.identity}),
        "parent_uuid": Opaque({"$id": span.parent}),
        "name": begun["name"],
        "attributes": sorted(begun["attributes"]),
        "data": begun["data"],
        "metadata": begun["metadata"],
    }
    if begun["kind"] == "scope":
        said["type"] = begun["type"]
    return dialects.told(world.run.dialect, f"handle {begun['kind']}", said)


def mark(world: World, step: Json) -> None:
    """Emit a mark."""
    if step["severity"] is not None and not isinstance(step["metadata"], dict | None):
        raise failed("invalid_argument")  # EVT-008
    measured = metrics.measured(step)
    if measured is None:
        raise failed("invalid_argument")  # MTR-002
    step = measured
    around = world.around(step)
    identity = world.identity(step["as"])
    fields = mark_fields({**step, "category": None, "category_profile": None})
    time = events.moment(identity, step["timestamp"])
    world.emit(events.mark(identity, fields, around.identity, around.root, time))
