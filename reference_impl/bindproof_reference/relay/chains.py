"""Chapter *Middleware* (MID), chains: conditionals, request intercepts and execution intercepts, one after the other.

Enters: a family's effective chain and what it is about. Leaves: what the chain came to, and the records of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

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
    canonical = dialects.read_outcome(run.in_json(step["as"], reply.reply), run.dialect)
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
        args = run.in_json(step["as"], reply.reply)
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
    asking = _Asking(run, callback, count, argument, form, proceed, {**run.finished, "given": given})
    try:
        ops = callbacks.of_entry(step["do"], count)
        explicit = any(op["op"] == "next" for op in ops)
        reply = form(None) if explicit else asking.ask(AS_GIVEN, form(None))
        ended = callbacks.go(callback, ops, reply, asking.names, run.act, asking.ask, run.waiter(callback, count))
    except FailedError as error:
        run.record({"fact": "leave", "callback": callback, "k": count, "raised": words(error.error["message"])})
        raise
    except CancelledError:
        run.cancel(callback, count)
        raise
    run.leave(callback, count, ended)
    if isinstance(ended, Raised):
        raise run.raised(callback, ended)
    return run.in_json(callback, ended.reply)


@dataclass
class _Asking:
    """One entry of an execution intercept, as it goes on. form, proceed: see `around`."""

    run: Run
    callback: str
    count: int
    argument: Json
    form: Callable[[Json], Json]
    proceed: Callable[[Json], Json]
    names: dict[str, Json]

    def __post_init__(self) -> None:
        self.answers: list[Json] = []
        self.names["next"] = self.answers

    def ask(self, op: Json, reply: Json) -> Json:
        """Do the op `next`: go on once for each edit; return the reply that the last answer makes."""
        if op.get("at_once"):
            return self._ask_at_once([self._edited(change) for change in op["edits"]], reply)
        for change in op["edits"]:
            edited = self._edited(change)
            self._record("next", given=literal(edited))
            try:
                answer = self.proceed(edited)
            except FailedError as ended:
                self._record("answer", error=ended.error)
                self.answers.append(None)
                if not op["catch"]:
                    raise
            else:
                reply = self._answered(answer)
        return reply

    def _ask_at_once(self, arguments: list[Json], reply: Json) -> Json:
        """Go on with all arguments before there is an answer: what is gone on with does not fail."""
        for argument in arguments:
            self._record("next", given=literal(argument))
        for answer in self.run.in_any_order([partial(self.proceed, argument) for argument in arguments]):
            reply = self._answered(answer)
        return reply

    def _edited(self, change: Json) -> Json:
        return callbacks.edit(copy(self.argument), change, self.names)

    def _answered(self, answer: Json) -> Json:
        self._record("answer", value=literal(answer))
        self.answers.append(answer)
        return self.form(copy(answer))

    def _record(self, fact: str, **more: Json) -> None:
        self.run.record({"fact": fact, "callback": self.callback, "k": self.count, **more})


def words(message: Json) -> Json:
    """Return what is known of an error's text, as a matcher that only a text satisfies."""
    return message if "$text" in message else {"$text": ""}
