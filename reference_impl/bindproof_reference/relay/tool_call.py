"""Chapter *Tool execution outcomes* (TOL): a managed tool call from its conditionals to its marks.

Enters: the call's step. Leaves: the result, or a failure; records and events on the way.
"""

from __future__ import annotations

from collections.abc import Callable

from bindproof_reference.relay import dialects, events
from bindproof_reference.relay.callbacks import Raised
from bindproof_reference.relay.chains import args_chain, around
from bindproof_reference.relay.emission import World
from bindproof_reference.relay.events import Emitted, Span, merged
from bindproof_reference.relay.flight import CancelledError
from bindproof_reference.relay.guardrails import RejectedError, conditionals, rejection_mark
from bindproof_reference.relay.marks import MARK_OFFSET_NS, mark_fields
from bindproof_reference.relay.publication import sanitized
from bindproof_reference.relay.run import FailedError, failed
from bindproof_reference.relay.tools import (
    OUTCOME_FIELDS,
    RESULT_FIELDS,
    Result,
    read_leniently,
    read_result,
    says_failed,
)
from bindproof_reference.relay.values import Json

NATURAL: Json = {"result": {"ok": True}, "annotation": None}
"""What a tool's callback replies by itself (scenario language)."""


def conditional(name: str) -> Json:
    """Return what the start of a conditional's scope says of a tool call."""
    return {"kind": "tool_conditional_execution", "target_name": name}


def call(world: World, step: Json) -> Json:
    """Make a managed tool call; raises FailedError."""
    name, scope = step["name"], world.around(step)
    try:
        conditionals(world, step, "tool.conditional", {"name": name, "args": step["args"]}, conditional(name))
    except RejectedError as rejected:
        world.emit(rejection_mark(world, scope, step, rejected.reason))
        raise
    args = args_chain(world.run, world.chain("tool.request"), name, step["args"])
    identity = world.identity(step["as"])
    span = Span(identity, "tool", name, scope.identity, world.stack.top().root, tuple(step["attributes"]))
    audience = world.settled()
    profile = tool_profile(step["tool_call_id"])
    executions = world.chain("tool.execution")
    world.emit(tool_start(world, span, args, profile, step["metadata"]), audience)
    try:
        result = _execute(world, step, executions, args)
    except FailedError as ended:
        span = span.at(world.stack.top().root)
        metadata = world.run.failure(step["metadata"], ended.error)
        world.emit_failed(span.end(step["data"], profile, metadata), audience)  # TOL-011, EVT-032
        raise
    except CancelledError:
        span = span.at(world.stack.top().root)
        world.emit_failed(span.end(step["data"], profile, merged(step["metadata"], events.CANCELLED)), audience)
        raise
    span = span.at(world.stack.top().root)
    world.emit(tool_end(world, span, result, step["data"], profile, merged(step["metadata"], events.OK)), audience)
    before = f"{identity}/end"
    for number, mark in enumerate(result.pending_marks):  # TOL-006, TOL-007, TOL-008
        mine = f"{identity}/mark/{number}"
        time = {"as": mine, "of": before, "equal": MARK_OFFSET_NS}
        world.emit(events.mark(mine, mark_fields(mark), identity, span.root, time), audience)
        before = mine
    return result.visible()


def tool_profile(tool_call_id: str | None) -> dict[str, Json]:
    """Return the profile of a tool's events."""
    return {} if tool_call_id is None else {"tool_call_id": tool_call_id}


def tool_start(
    world: World, span: Span, args: Json, profile: Json, metadata: Json, begun: int | None = None
) -> Emitted:
    """Return the start event, its data as the sanitizers leave it. begun: the time that a program gives it."""
    given = {"name": span.name, "args": args}
    data, _ = sanitized(world.run, world.chain("tool.sanitize_request"), given, "args")
    return span.start(data, profile, metadata, begun)


def tool_end(
    world: World,
    span: Span,
    result: Result,
    beside: Json,
    profile: Json,
    metadata: Json,
    time: str = "",
    ended: int | None = None,
) -> Emitted:
    """Return the end event: the result as the sanitizers leave it, the annotation in the profile (TOL-010, TOL-011).

    beside: the data that stand in for a null result (EVT-036, EVT-056). ended: the time that a program gives it.
    """
    given = {"name": span.name, "result": result.result}
    data, given_up = sanitized(world.run, world.chain("tool.sanitize_response"), given, "result")
    data = beside if data is None and not given_up else data
    if world.run.rules.tool_results_may_fail and says_failed(result.result):
        metadata = merged(metadata, {events.STATUS: "ERROR"})  # EVT-035
    annotated = {} if result.annotation is None else {"tool_result_annotation": result.annotation}
    return span.end(data, {**profile, **annotated}, metadata, time, ended)


def _execute(world: World, step: Json, chain: list[Json], args: Json) -> Result:
    if not chain:
        return _provide(world, step, args)
    inner: list[Json] = []

    def proceed(argument: Json) -> Json:
        result = _execute(world, step, chain[1:], argument)
        inner.extend(result.pending_marks)  # TOL-005: kept apart from what the intercept sees
        return result.visible()

    given = {"name": step["name"], "args": args}
    if world.run.rules.tool_context:  # TOL-016
        given["tool_call_id"] = step["tool_call_id"]
    given = dialects.told(world.run.dialect, "tool.execution", given)
    reply = around(world.run, chain[0], given, args, _as_outcome(world), proceed)
    names = dialects.own_names(world.run.dialect, "tool_outcome", "reply")
    canonical = dialects.read_marked(reply, names, world.run.dialect)
    outcome = _read(world, chain[0]["as"], canonical, OUTCOME_FIELDS)
    return Result(outcome.result, outcome.annotation, (*inner, *outcome.pending_marks))


def _as_outcome(world: World) -> Callable[[Json], Json]:
    names = dialects.own_names(world.run.dialect, "tool_outcome", "reply")
    empty = {"result": None, "annotation": None}
    return lambda answer: dialects.spell({**(answer or empty), "pending_marks": []}, names)


def _provide(world: World, step: Json, args: Json) -> Result:
    callback = f"{step['as']}.provider"
    reply = world.run.provide(step["as"], step["provider"], {"args": args}, NATURAL)
    if isinstance(reply, Raised):
        raise world.run.raised(callback, reply)
    return _read(world, callback, world.run.in_json(callback, reply.reply), RESULT_FIELDS)


def _read(world: World, callback: str, reply: Json, fields: tuple[str, ...]) -> Result:
    run = world.run
    result = read_result(reply, fields, run.rules)
    if isinstance(result, str) and f"{run.doing[-1]}/{callback}" in run.accepted:
        return read_leniently(reply, fields, run.rules)
    if isinstance(result, str):
        run.may_be_refused()
        raise failed("outcome_malformed")
    return result
