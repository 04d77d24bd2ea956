"""Chapter *Middleware* (MID), chains: conditionals, request intercepts and execution intercepts, one after the other.

Enters: a family's effective chain and what it is about. Leaves: what the chain came to, and the records of it.
"""

from __future__ import annotations

from collections.abc import Callable

from bindproof_reference.relay import authority, callbacks, dialects
from bindproof_reference.relay.callbacks import Raised
from bindproof_reference.relay.flight import CancelledError
from bindproof_reference.relay.outcomes import Outcome, read_leniently, read_outcome
from bindproof_reference.relay.run import FailedError, Run, failed
from bindproof_reference.relay.values import Json, copy, literal

AS_GIVEN: Json = {"edits": [{}], "catch": False}
"""What an execution intercept does that does not say how it goes on (scenario language)."""


def request_chain(run: Run, chain: list[Json], name: str, outcome: Outcome, *, codec: bool) -> Outcome:
    """Return the outcome of the LLM request intercepts (OUT)."""
    marks: tuple[Json, ...] = ()
    contributions: tuple[Json, ...] = ()
    for step in chain:
        accepted = _intercept(run, step, name, outcome)
        refused = authority.refusal(outcome.request, accepted) if codec else None
        if refused is not None:
            raise failed(refused)  # AUT-006
        marks += accepted.pending_marks  # MRK-002
        contributions += accepted.contributions  # CTR-001
        outcome = Outcome(accepted.request, accepted.annotated_request, marks, contributions)  # OUT-004
        if step["break_chain"]:  # OUT-006, MRK-009
            break
    return outcome


def _intercept(run: Run, step: Json, name: str, outcome: Outcome) -> Outcome:
    run.must_be_callable(step)
    seen = {"request": outcome.request, "annotated_request": outcome.annotated_request}
    argument = dialects.spell(seen, dialects.own_names(run.dialect, "outcome", "argument"))
    natural = dialects.spell(seen | {"pending_marks": []}, dialects.own_names(run.dialect, "outcome", "reply"))
    reply = run.play(step["as"], step["do"], {"name": name, **argument}, natural)
    if isinstance(reply, Raised):
        raise run.raised(step["as"], reply)
    undefined = dialects.holds_undefined(reply.reply)  # DLC-007
    canonical = dialects.read_outcome(reply.reply, run.dialect)
    decided = "an undefined" if undefined else read_outcome(canonical, run.rules)
    if isinstance(decided, str) and f"{run.doing[-1]}/{step['as']}" in run.accepted:
        decided = read_leniently(canonical, run.rules)
    if isinstance(decided, str):
        run.may_be_refused()
        raise failed("outcome_malformed")  # OUT-008
    return decided


def args_chain(run: Run, chain: list[Json], name: str, args: Json) -> Json:
    """Return a tool's arguments as its request intercepts leave them (MID-010)."""
    for step in chain:
        run.must_be_callable(step)
        reply = run.play(step["as"], step["do"], {"name": name, "args": args}, args)
        if isinstance(reply, Raised):
            raise run.raised(step["as"], reply)
        args = reply.reply
        if step["break_chain"]:
            break
    return args


def verdict(run: Run, step: Json, given: Json) -> str | None:
    """Return why a conditional rejects, or None where it lets pass (MID-008); raises what it raises."""
    run.must_be_callable(step)
    reply = run.play(step["as"], step["do"], given, None)
    if isinstance(reply, Raised):
        raise run.raised(step["as"], reply)
    reason = None if reply.reply == {"$none": True} else reply.reply
    if not isinstance(reason, str | None):
        raise failed("outcome_malformed")
    return reason


def around(
    run: Run,
    step: Json,
    given: Json,
    argument: Json,
    form: Callable[[Json], Json],
    proceed: Callable[[Json], Json],
) -> Json:
    """Return what an execution intercept replies (MID-011, MID-012); raises what it raises or lets pass.

    form: makes a reply of an answer. proceed: goes on with an argument and returns the answer.
    """
    callback = step["as"]
    count = run.enter(callback, given)
    run.lent[callback] = lambda: proceed(copy(argument))
    answers: list[Json] = []
    names = {**run.finished, "given": given, "next": answers}

    def ask(op: Json, reply: Json) -> Json:
        for change in op["edits"]:
            edited = callbacks.edit(copy(argument), change, names)
            run.record({"fact": "next", "callback": callback, "k": count, "given": literal(edited)})
            try:
                answer = proceed(edited)
            except FailedError as ended:
                run.record({"fact": "answer", "callback": callback, "k": count, "error": ended.error})
                answers.append(None)
                if not op["catch"]:
                    raise
            else:
                run.record({"fact": "answer", "callback": callback, "k": count, "value": literal(answer)})
                answers.append(answer)
                reply = form(copy(answer))
        return reply

    try:
        ops = callbacks.of_entry(step["do"], count)
        explicit = any(op["op"] == "next" for op in ops)
        reply = form(None) if explicit else ask(AS_GIVEN, form(None))
        ended = callbacks.go(callback, ops, reply, names, run.act, ask, run.waiter(callback, count))
    except FailedError as error:
        run.record({"fact": "leave", "callback": callback, "k": count, "raised": words(error.error["message"])})
        raise
    except CancelledError:
        run.cancel(callback, count)
        raise
    run.leave(callback, count, ended)
    if isinstance(ended, Raised):
        raise run.raised(callback, ended)
    return ended.reply


def words(message: Json) -> Json:
    """Return what is known of an error's text, as a matcher that only a text satisfies."""
    return message if "$text" in message else {"$text": ""}
