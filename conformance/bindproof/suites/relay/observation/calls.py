"""An LLM call, or the helper of its intercepts, as the chapters speak of it: its callbacks, its outcome, its lives.

Enters: a step of a transcript. Leaves: facts in canonical names. Must not know checks or the reference.
"""

from __future__ import annotations

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites.relay.observation.cached import cached
from bindproof.suites.relay.observation.deliveries import Life, lives
from bindproof.suites.relay.observation.outcomes import contributions, intercepts, marks_of, names_of_marks
from bindproof.suites.relay.observation.scopes import audience, subscribers
from bindproof.suites.relay.observation.transcript import Act, Entry, Event, Transcript
from bindproof.suites.relay.scenario.spelling import Spelling

__all__ = ["Event", "Life", "LlmCall", "calls", "marks_of", "names_of_marks"]

LLM = ("llm", "llm_stream", "llm.request")
"""Kinds of the steps that run request intercepts of LLMs."""


class LlmCall(Struct, eq=False, dict=True):
    """One managed LLM call (`helper` false), a stream too, or a standalone helper of request intercepts."""

    act: Act
    transcript: Transcript
    helper: bool
    codec: bool
    value: Json
    """In canonical names."""
    raw_value: Json
    """As it came."""

    @property
    def step(self) -> Json:
        """The step, complete."""
        return self.act.step

    @property
    def done(self) -> int | None:
        """Where in the log it came back."""
        return self.act.done

    @property
    def error(self) -> Json:
        """What it failed with."""
        return self.act.error

    @cached
    def intercepts(self) -> list[Entry]:
        """The request intercepts that ran, in order."""
        return intercepts(self.act)

    @cached
    def decodes(self) -> list[Entry]:
        """The entries of its codec's decode, for the call itself."""
        return [run for run in self.act.runs if run.part == "decode"]

    @cached
    def encodes(self) -> list[Entry]:
        """The entries of its codec's encode."""
        return [run for run in self.act.runs if run.part == "encode"]

    @cached
    def executions(self) -> list[Entry]:
        """The outermost callbacks of its execution."""
        return self.act.executions

    @cached
    def providers(self) -> list[Entry]:
        """The entries of its provider, also behind what wraps it."""
        return [run for run in self.act.everything if run.part in ("provider", "source")]

    @cached
    def wrapped(self) -> bool:
        """Whether an execution intercept ran around its provider."""
        return any(run.part not in ("provider", "source") for run in self.executions)

    @cached
    def streamed(self) -> bool:
        """Whether it is a stream."""
        return bool(self.step["kind"] == "llm_stream")

    @cached
    def lives(self) -> dict[str, Life]:
        """What each subscriber was told of it."""
        return {} if self.helper else lives(self.transcript, self.act)

    @cached
    def audience(self) -> list[str]:
        """The subscribers that were there when interception had ended."""
        return sorted(audience(self.transcript, self.act))

    @cached
    def latecomers(self) -> list[str]:
        """The subscribers of the program that were not."""
        return [name for name, there in subscribers(self.transcript, self.act) if not there]

    @cached
    def intercepted(self) -> bool:
        """True when the interception succeeded: the execution was reached, or the step has a value."""
        return bool(self.executions) or (self.done is not None and self.error is None)

    @cached
    def final(self) -> Json:
        """The last accepted outcome as the intercept gave it, or one made of the call's own request."""
        if self.intercepts:
            return self.intercepts[-1].reply
        annotation = self.decodes[-1].reply if self.decodes else None
        return {"request": self.requested, "annotated_request": annotation, "pending_marks": []}

    @cached
    def requested(self) -> Json:
        """The request that the caller handed in; None where the step takes it from another's value."""
        request = self.step["request"]
        return None if "$get" in str(request) else request

    @cached
    def pending_marks(self) -> list[Json]:
        """The marks of all intercepts of this call that replied with a list of them, in order.

        Without those whose name is an object or a list: no event can be told by it.
        """
        found = [mark for one in self.intercepts if one.replied for mark in marks_of(one.reply)]
        return [mark for mark in found if not isinstance(mark.get("name"), dict | list)]

    @cached
    def contributions(self) -> list[Json]:
        """What all intercepts of this call that replied with a list of contributions say that they saved, in order."""
        return contributions(self.act)


def calls(transcript: Transcript, spelling: Spelling) -> list[LlmCall]:
    """Return the managed LLM calls and the helpers of their request intercepts, as they came back."""
    found = []
    for act in transcript.acts:
        step = act.step
        if step["step"] not in ("call", "helper") or step["kind"] not in LLM:
            continue
        helper = step["step"] == "helper"
        value = spelling.canonical_helper(act.value) if helper else act.value
        codec = not helper and step["codec"] != "none"
        found.append(LlmCall(act, transcript, helper, codec, value, act.value))
    return found
