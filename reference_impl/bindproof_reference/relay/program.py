"""The steps of a scenario, each handed to the chapter that it is about.

Enters: steps. Leaves: their `done` records, and all that happens in them.
"""

from __future__ import annotations

from dataclasses import replace

from bindproof_reference.relay import dialects, llm_call, manual, objects, stream_call, tool_call
from bindproof_reference.relay.callbacks import ScenarioError, fill
from bindproof_reference.relay.chains import args_chain, request_chain
from bindproof_reference.relay.emission import World
from bindproof_reference.relay.flight import CancelledError
from bindproof_reference.relay.guardrails import conditionals
from bindproof_reference.relay.levels import GLOBAL
from bindproof_reference.relay.outcomes import Outcome, whole_outcome
from bindproof_reference.relay.run import PROGRAM, FailedError, Run, failed
from bindproof_reference.relay.values import Json, PointerError, literal

RESOLVED = ("request", "args", "input", "output")
"""Members of a step in which `$get` may stand (scenario language)."""

CALLS = {"llm": llm_call.call, "llm_stream": stream_call.call, "tool": tool_call.call}
"""Kind of a call → what makes it."""


class Program:
    """Does the steps of one scenario, also those that callbacks do."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.world = World(run)
        self.registered: dict[str, tuple[str, Json]] = {}
        run.act = self.act

    def act(self, step: Json) -> None:
        """Do one step; a call in the background until one of its callbacks waits at a latch."""
        if step.get("background"):
            self.run.latches.start(step["as"], lambda: self._act(step))
        else:
            self._act(step)

    def end(self) -> None:
        """Open what is closed, and say that all is over."""
        self.run.latches.lift_all()
        self.run.record({"fact": "settled"})

    def _act(self, step: Json) -> None:
        """Do one step and record that it is done."""
        try:
            value = self._value(self._resolved(step))
        except FailedError as ended:
            self.run.record({"fact": "done", "step": step["as"], "error": ended.error})
            return
        except CancelledError:  # FLT-009
            self.run.record({"fact": "done", "step": step["as"], "error": failed("cancelled").error})
            return
        self.run.finished[step["as"]] = value
        self.run.record({"fact": "done", "step": step["as"], "value": literal(value)})

    def _value(self, step: Json) -> Json:
        match step["step"]:
            case "register" | "deregister" | "list":
                return self._registry(step)
            case "current" | "build":
                return manual.current(self.world) if step["step"] == "current" else self._build(step)
            case "start":
                return manual.start(self.world, step)
            case "end":
                self._must_have(step, "of", step["of"] in self.world.started)
                return manual.end(self.world, step)
            case "mark":
                return manual.mark(self.world, step)
            case "flush" | "open" | "cancel":
                return self._let(step)
            case "call":
                return CALLS[step["kind"]](self.world, step)
            case "read" | "close":
                self._must_have(step, "of", step["of"] in self.world.streams)
                stream = self.world.streams[step["of"]]
                return stream.read(step) if step["step"] == "read" else stream.close(step["how"])
            case "helper":
                return self._helper(step)
            case other:
                raise ScenarioError(f"step {step['as']}: {other!r} is not a kind of step")

    def _let(self, step: Json) -> None:
        """Let calls in flight go on, or cancel one: that is done when all that ran in it was told so (FLT-010)."""
        if step["step"] == "open":
            self.run.latches.lift(step["latch"])
        elif step["step"] == "cancel":
            self.run.cancelled = []
            self.run.latches.cancel(step["of"])
            for lane in self.run.cancelled:
                self.run.is_after(PROGRAM, lane)

    def _resolved(self, step: Json) -> Json:
        """Return the step with the values of finished steps that it refers to."""
        try:
            return {**step, **{key: fill(step[key], self.run.finished) for key in RESOLVED if key in step}}
        except PointerError as error:
            raise ScenarioError(f"step {step['as']}: {error}") from None

    def _must_have(self, step: Json, key: str, found: bool) -> None:
        if not found:
            raise ScenarioError(f"step {step['as']}: {step[key]!r} has not been done yet")

    def _build(self, step: Json) -> Json:
        if objects.malformed(step["object"], step["value"], self.run.rules) is not None:
            raise failed("invalid_argument")
        return objects.read_back(step["object"], step["value"], self.run.rules)

    # -- MID: registrations --------------------------------------------------------------------------------------------

    def _registry(self, step: Json) -> Json:
        if step["step"] == "list":
            return self.world.levels.listed(step["only"])
        return self._register(step) if step["step"] == "register" else self._deregister(step)

    def _register(self, step: Json) -> None:
        level = GLOBAL
        if step["scope"] != GLOBAL:
            self._must_have(step, "scope", step["scope"] in self.world.started)
            level = self.world.started[step["scope"]]["span"].identity
        if level not in self.world.levels.registries or not self.world.levels.put(level, step):
            raise failed("invalid_argument")  # MID-005, MID-006
        self.registered[step["as"]] = (level, step)
        if step["family"] == "subscriber":
            self.run.lanes.setdefault(step["as"], [])

    def _deregister(self, step: Json) -> bool:
        self._must_have(step, "of", step["of"] in self.registered)
        level, of = self.registered[step["of"]]
        if level not in self.world.levels.registries:
            raise failed("invalid_argument")
        return self.world.levels.take(level, of)

    # -- HLP -----------------------------------------------------------------------------------------------------------

    def _helper(self, step: Json) -> Json:
        world = self.world
        match step["kind"]:
            case "tool.request":
                return args_chain(self.run, world.chain("tool.request"), step["name"], step["args"])
            case "tool.conditional":
                given = {"name": step["name"], "args": step["args"]}
                return conditionals(world, step, step["kind"], given, tool_call.conditional(step["name"]))
            case "llm.conditional":
                return conditionals(world, step, step["kind"], {"request": step["request"]}, llm_call.CONDITIONAL)
        chain = world.chain("llm.request")
        outcome = request_chain(self.run, chain, step["name"], Outcome(step["request"]), codec=False)
        outcome = replace(outcome, request=llm_call.given_on(world, outcome.request))
        return dialects.spell_outcome(whole_outcome(outcome, self.run.rules), self.run.dialect)  # OUT-009
