"""Chapter *Managed LLM lifecycle* (LIF): a managed call from its conditionals to its end.

Enters: the call's step. Leaves: the answer, or a failure; records and events on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from bindproof_reference.relay import authority, builtin, builtin_response, contributions, dialects, events
from bindproof_reference.relay.callbacks import Raised, Replied
from bindproof_reference.relay.chains import around, request_chain
from bindproof_reference.relay.emission import World
from bindproof_reference.relay.events import Emitted, Span, merged
from bindproof_reference.relay.flight import CancelledError
from bindproof_reference.relay.guardrails import RejectedError, conditionals, rejection_mark
from bindproof_reference.relay.marks import MARK_OFFSET_NS, mark_fields
from bindproof_reference.relay.outcomes import Outcome, malformed_request
from bindproof_reference.relay.publication import sanitized
from bindproof_reference.relay.run import PUBLICATION, FailedError, failed
from bindproof_reference.relay.values import Json, Opaque, strictly_equal

CONDITIONAL: Json = {"kind": "llm_conditional_execution"}


@dataclass(frozen=True, slots=True)
class Begun:
    """A managed call that has started: what wraps its execution, what the outermost of it is given, what was saved."""

    span: Span
    audience: tuple[str, ...] | None
    profile: dict[str, Json]
    executions: list[Json]
    sent: Json
    saved: tuple[Json, ...] = ()

    def fail(self, world: World, step: Json, error: Json) -> None:
        """Emit the end of a call that failed: it shows the call's own data (EVT-032), sanitized (EVT-047)."""
        span = self.span.at(world.stack.top().root)
        annotation = contributions.with_summary(span, self.saved, None)
        profile = _with_response(self.profile, annotation)
        metadata = world.run.failure(step["metadata"], error)
        data = step["data"]
        if data is not None and world.run.rules.stand_ins_sanitized:
            data, _ = _sanitized_response(world, data, step["response_codec"])
        world.emit_failed(span.end(data, profile, metadata), self.audience)

    def cancel(self, world: World, step: Json) -> None:
        """Emit the end of a call that the program cancelled."""
        span = self.span.at(world.stack.top().root)
        end = span.end(step["data"], self.profile, merged(step["metadata"], events.CANCELLED))
        world.emit_failed(end, self.audience)


def call(world: World, step: Json) -> Json:
    """Make a managed LLM call; raises FailedError."""
    begun = begin(world, step, "llm.execution")
    try:
        answer = _execute(world, step, begun.executions, begun.sent)
    except FailedError as ended:
        begun.fail(world, step, ended.error)
        raise
    except CancelledError:
        begun.cancel(world, step)
        raise
    span = begun.span.at(world.stack.top().root)
    reads = step["response_codec"]
    metadata = merged(step["metadata"], events.OK)
    end = llm_end(world, span, answer, step["data"], begun.profile, metadata, reads=reads, saved=begun.saved)
    world.emit(end, begun.audience)
    return answer


def begin(world: World, step: Json, family: str) -> Begun:
    """Take a call up to its start and marks; raises FailedError. family: what wraps its execution."""
    scope, trace = world.around(step), world.stack.trace()
    try:
        conditionals(world, step, "llm.conditional", {"request": step["request"]}, CONDITIONAL)
    except RejectedError as rejected:
        world.emit(rejection_mark(world, scope, step, rejected.reason))
        raise
    request, outcome = _resolve(world, step)
    request = _in_session(world, request)
    identity = world.identity(step["as"])
    root = world.stack.top().root
    span = Span(identity, "llm", step["name"], scope.identity, root, tuple(step["attributes"]))
    audience = world.settled()  # LIF-008: one snapshot, after interception
    profile = model_profile(step["model"])
    executions = world.chain(family)
    annotated = with_annotation(profile, outcome.annotated_request)
    again = partial(_decoded_again, world, step, profile) if step["codec"] != "none" else None
    start = llm_start(world, span, request, annotated, profile, step["metadata"], again, step["codec"])
    world.emit(start, audience)
    for mark in mark_events(span, outcome.pending_marks):
        world.emit(mark, audience)
    for mark in contributions.marks(span, outcome.contributions):
        world.emit(mark, audience)
    sent = _sent(world, request, identity, trace, world.stack.trace())
    return Begun(span, audience, profile, executions, sent, outcome.contributions)


def model_profile(model: str | None) -> dict[str, Json]:
    """Return the profile of a call's events (LIF-012)."""
    return {} if model is None else {"model_name": model}


def with_annotation(profile: dict[str, Json], annotation: Json) -> dict[str, Json]:
    """Return a start's profile, with the annotation where there is one (LIF-013)."""
    return profile if annotation is None else {**profile, "annotated_request": annotation}


def _with_response(profile: dict[str, Json], annotation: Json) -> dict[str, Json]:
    """Return an end's profile, with what is said of the answer where there is something."""
    return profile if annotation is None else {**profile, "annotated_response": annotation}


def mark_events(span: Span, pending: Sequence[Json]) -> list[Emitted]:
    """Return the events of a call's pending marks (MRK-001 to MRK-005)."""
    time = {"of": f"{span.identity}/start", "equal": MARK_OFFSET_NS}
    return [
        events.mark(f"{span.identity}/mark/{number}", mark_fields(mark), span.identity, span.root, time)
        for number, mark in enumerate(pending)
    ]


def llm_start(
    world: World,
    span: Span,
    request: Json,
    profile: Json,
    bare: Json,
    metadata: Json,
    again: Callable[[Json], Json] | None = None,
    codec: Json = "none",
    begun: int | None = None,
) -> Emitted:
    """Return the start event, its data as the sanitizers leave it.

    bare: the profile where they give it up. again: makes the profile of a request that they changed (EVT-027). codec:
    the one that they are told (AUT-017). begun: the time that a program gives it.
    """
    request = authority.shown(request, world.run.rules)
    given = _for_sanitizers(world, {"request": request}, codec)
    data, given_up = sanitized(world.run, world.chain("llm.sanitize_request"), given, "request", codec)
    if given_up:
        profile = bare
    elif again is not None and not strictly_equal(data, request):
        profile = again(data)
    return span.start(data, profile, metadata, begun)


def _for_sanitizers(world: World, payload: dict[str, Json], codec: Json) -> dict[str, Json]:
    """Return what sanitizers are given: a payload and, where the edition has it, which codec the call has (AUT-017)."""
    if not world.run.rules.codec_context:
        return payload
    return {**payload, "codec": _codec_told(world, codec)}


def _codec_told(world: World, codec: Json) -> Json:
    return authority.codec_told(codec, by_name=not world.run.policy("codecs_are_functions"))


def _decoded_again(world: World, step: Json, bare: Json, request: Json) -> Json:
    """Return the profile of a start whose request sanitizers changed: its annotation is decoded anew (EVT-027)."""
    if isinstance(step["codec"], str):
        try:
            return with_annotation(bare, builtin.decode(step["codec"], request["content"]))
        except builtin.UnreadableError:
            return bare
    ops, natural = step["codec"]["decode"], authority.natural_decode(request)
    callback = f"{step['as']}.decode"
    reply = world.run.played_and_read(callback, ops, {"request": request}, natural, None, PUBLICATION)
    if isinstance(reply, Raised) or not isinstance(reply.reply, dict):
        return bare
    return with_annotation(bare, reply.reply)


def llm_end(
    world: World,
    span: Span,
    answer: Json,
    beside: Json,
    profile: Json,
    metadata: Json,
    time: str = "",
    reads: str | None = None,
    finished: Json = None,
    by_hand: Json = None,
    saved: Sequence[Json] = (),
) -> Emitted:
    """Return the end event of a call that was answered, its data as the sanitizers leave it.

    beside: the data that stand in for a null answer (EVT-036, EVT-056).
    reads: the response codec, which is given that data (AUT-015) and which they are told (AUT-017).
    finished: the metadata instead where it reads an answer that was finished (STR-019); None: the same.
    by_hand: the step, where a program ends the call itself (EVT-037 to EVT-039).
    saved: what its intercepts contributed (CTR-005).
    """
    stated = by_hand or {}
    payload = beside if answer is None and world.run.rules.stand_ins_sanitized else answer  # EVT-047
    data, given_up = _sanitized_response(world, payload, reads)
    data = beside if data is None and not given_up else data
    as_it_was = data is not None and strictly_equal(data, beside if answer is None else answer)
    goes = given_up or (world.run.rules.annotations_go_with_answers and not as_it_was)
    annotation = None if goes else stated.get("annotation")  # EVT-045, EVT-046
    if annotation is None and reads is not None:
        annotation = builtin_response.annotation(reads, data)
    if annotation is not None and finished is not None and builtin_response.is_finished(annotation):
        metadata = finished
    if data is not None or not world.run.rules.annotations_go_with_answers:
        annotation = contributions.with_summary(span, saved, annotation)
    return span.end(data, _with_response(profile, annotation), metadata, time, stated.get("timestamp"))


def _sanitized_response(world: World, payload: Json, reads: str | None) -> tuple[Json, bool]:
    given = _for_sanitizers(world, {"response": payload}, reads)
    return sanitized(world.run, world.chain("llm.sanitize_response"), given, "response", reads)


# -- OUT, AUT: the request -----------------------------------------------------------------------------------------


def _resolve(world: World, step: Json) -> tuple[Json, Outcome]:
    codec = step["codec"] != "none"
    annotation = _decode(world, step) if codec else None
    chain = world.chain("llm.request")
    outcome = request_chain(world.run, chain, step["name"], Outcome(step["request"], annotation), codec=codec)
    return (_encode(world, step, outcome) if codec else outcome.request), outcome


def _decode(world: World, step: Json) -> Json:
    request = step["request"]
    if isinstance(step["codec"], str):
        try:
            return builtin.decode(step["codec"], request["content"])
        except builtin.UnreadableError:
            raise failed("codec_failed") from None  # AUT-014
    natural = authority.natural_decode(request)
    callback = f"{step['as']}.decode"
    reply = world.run.played_and_read(callback, step["codec"]["decode"], {"request": request}, natural)
    if isinstance(reply, Raised) or not isinstance(reply.reply, dict):
        raise _codec_failed(world, reply)
    return reply.reply


def _in_session(world: World, request: Json) -> Json:
    """Return a request with the headers that name the agents around it; an encode is given them already."""
    if not world.run.rules.agents_named:
        return request
    return {**request, "headers": world.stack.with_session(request["headers"])}


def _encode(world: World, step: Json, outcome: Outcome) -> Json:
    original = _in_session(world, outcome.request)
    if isinstance(step["codec"], str):
        try:
            content = builtin.encode(step["codec"], outcome.annotated_request, original["content"])
        except builtin.UnreadableError:
            raise failed("codec_failed") from None  # AUT-013
        return authority.resolved(outcome.request, {"headers": original["headers"], "content": content})
    given = {"annotated_request": outcome.annotated_request, "original": original}
    argument = dialects.spell(given, dialects.own_names(world.run.dialect, "encode", "argument"))
    natural = authority.natural_encode(outcome.annotated_request, original)
    reply = world.run.played_and_read(f"{step['as']}.encode", step["codec"]["encode"], argument, natural)
    if isinstance(reply, Raised) or malformed_request(reply.reply) is not None:
        raise _codec_failed(world, reply)
    return authority.resolved(outcome.request, reply.reply)


def _codec_failed(world: World, reply: Replied | Raised) -> FailedError:
    if isinstance(reply, Replied):
        world.run.may_be_refused()
    return failed("codec_failed")  # AUT-009


# -- the execution -------------------------------------------------------------------------------------------------


def _sent(world: World, request: Json, identity: str, *own: str | None) -> Json:
    """Return the request that names a span in its trace headers (LIF-010, LIF-011, LIF-015).

    own: the trace when the call was made and when it starts, None outside any; which of the two counts is open
    (FLT-005).
    """
    headers = authority.provider_headers(request["headers"], world.run.rules)
    if world.run.rules.runtime_traceparent:
        traces = {trace or identity for trace in own}
        named = {"trace": traces.pop(), "span": identity} if len(traces) == 1 else {"span": identity}
        headers[authority.TRACEPARENT] = Opaque({"$trace": named})
    return {"headers": headers, "content": request["content"]}


def given_on(world: World, request: Json) -> Json:
    """Return a helper's request with the headers of the scopes that are open (HLP-008 to HLP-012)."""
    trace = world.stack.trace()
    if trace is None:
        return request
    return _sent(world, _in_session(world, request), world.stack.top().identity, trace)


def for_execution(world: World, step: Json, family: str, given: dict[str, Json]) -> Json:
    """Return what an intercept that wraps an execution is given, and of which codecs it is told (AUT-026)."""
    if world.run.rules.execution_codecs:
        response = None if family == "llm.stream" else _codec_told(world, step["response_codec"])
        given = {**given, "codecs": {"request": _codec_told(world, step["codec"]), "response": response}}
    return dialects.told(world.run.dialect, family, given)


def _execute(world: World, step: Json, chain: list[Json], request: Json) -> Json:
    if not chain:
        return _provide(world, step, request)
    given = for_execution(world, step, "llm.execution", {"name": step["name"], "request": request})
    return around(world.run, chain[0], given, request, lambda answer: answer, partial(_execute, world, step, chain[1:]))


def _provide(world: World, step: Json, request: Json) -> Json:
    callback = f"{step['as']}.provider"
    reply = world.run.provide(step["as"], step["provider"], {"request": request}, {"ok": True})
    if isinstance(reply, Raised):
        raise world.run.raised(callback, reply)
    return None if reply.reply == {"$none": True} else world.run.in_json(callback, reply.reply)
