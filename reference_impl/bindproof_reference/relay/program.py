"""The steps of a scenario, each handed to the chapter that it is about.

Enters: steps. Leaves: their `done` records, and all that happens in them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bindproof_reference.relay import coding, dialects, llm_call, manual, objects, stream_call, tool_call
from bindproof_reference.relay.callbacks import Raised, ScenarioError, fill
from bindproof_reference.relay.chains import args_chain, request_chain
from bindproof_reference.relay.emission import World
from bindproof_reference.relay.flight import CancelledError
from bindproof_reference.relay.guardrails import conditionals
from bindproof_reference.relay.levels import GLOBAL
from bindproof_reference.relay.outcomes import Outcome, whole_outcome
from bindproof_reference.relay.run import PROGRAM, PUBLICATION, FailedError, Run, failed
from bindproof_reference.relay.scopes import ROOT, Stack
from bindproof_reference.relay.values import Json, Opaque, PointerError, literal

RESOLVED = ("request", "args", "input", "output")
"""Members of a step in which `$get` may stand (scenario language)."""

HANDED = (*RESOLVED, "data", "metadata")
"""Members of a step that are handed over as JSON (DLC-012)."""

CARRIED_ON = ("read", "close", "end", "cancel")
"""Steps that go on with what another step began: what happens in them belongs to that step too."""

CALLS = {"llm": llm_call.call, "llm_stream": stream_call.call, "tool": tool_call.call}
"""Kind of a call → what makes it."""


class Program:
    """Does the steps of one scenario, also those that callbacks do."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.world = World(run)
        self.around: list[Stack] = []
        """The stacks of the contexts that the program comes back to, the first one first."""
        self.registered: dict[str, tuple[str, Json]] = {}
        self.gates: dict[str, Json] = {}
        self.installing: str | None = None
        run.act = self.act

    def act(self, step: Json) -> None:
        """Do one step; a call in the background until one of its callbacks waits at a latch."""
        outer = self.run.doing
        self.run.doing = own = (*outer, *([step["of"]] if step["step"] in CARRIED_ON else ()), step["as"])
        if step.get("background"):
            self.run.latches.start(step["as"], lambda: self._act(step, own))
        else:
            self._act(step, own)
        self.run.doing = outer

    def end(self) -> None:
        """Open what is closed, and say that all is over."""
        self.run.latches.lift_all()
        self.run.record({"fact": "settled"})

    def _act(self, step: Json, own: tuple[str, ...]) -> None:
        """Do one step and record that it is done. own: the steps that it belongs to."""
        try:
            value = self._value(self._resolved(step))
            self.run.finished[step["as"]] = value
            how = {"value": literal(value)}
        except FailedError as ended:
            how = {"error": ended.error}
        except CancelledError:  # FLT-009
            how = {"error": failed("cancelled").error}
        self.run.doing = own  # another flight may have run meanwhile
        record = {"fact": "done", "step": step["as"], **how}
        if self.run.in_hand is None:
            self.run.record(record)
        else:
            self.run.put(PUBLICATION, record)

    def _value(self, step: Json) -> Json:
        if step["step"] not in KINDS:
            raise ScenarioError(f"step {step['as']}: {step['step']!r} is not a kind of step")
        lacking = [member for member in HANDED if step.get(member) and dialects.lacks_json(step[member])]
        if lacking and f"{step['as']}/no_json" not in self.run.accepted:
            raise failed("invalid_argument")  # DLC-012
        step = step | {member: dialects.as_null(step[member]) for member in lacking}
        return KINDS[step["step"]](self, step)

    def _resolved(self, step: Json) -> Json:
        """Return the step with the values of finished steps that it refers to."""
        try:
            return {**step, **{key: fill(step[key], self.run.finished) for key in RESOLVED if key in step}}
        except PointerError as error:
            raise ScenarioError(f"step {step['as']}: {error}") from None

    def _must_have(self, step: Json, key: str, found: bool) -> None:
        if not found:
            raise ScenarioError(f"step {step['as']}: {step[key]!r} has not been done yet")

    def _end(self, step: Json) -> None:
        self._must_have(step, "of", step["of"] in self.world.started)
        manual.end(self.world, step)

    def _context(self, step: Json) -> None:
        """Go on in a context whose scope stack is its own (LIF-029)."""
        self.around.append(self.world.stack)
        if step["from"] is None:
            self.world.stack = Stack(f"{ROOT} {step['as']}")
            return
        self._must_have(step, "from", step["from"] in self.world.captured)
        received = self.world.captured[step["from"]]
        self.world.stack = Stack(received.parent, received=received)

    def _back(self, step: Json) -> None:
        self.world.stack = self.around.pop()

    def _handle(self, step: Json) -> Json:
        self._must_have(step, "of", step["of"] in self.world.started)
        return manual.handle(self.world, step)

    def _go_on(self, step: Json) -> Json:
        """Refuse what an intercept was lent that has answered (MID-030); there is nothing where it never ran."""
        lent = self.run.lent.get(step["of"])
        if lent is not None and self.run.rules.next_ends:
            raise failed("invalid_argument")
        return None if lent is None else lent()

    def _cancel(self, step: Json) -> None:
        """Cancel a call in flight: that is done when all that ran in it was told so (FLT-010)."""
        self.run.cancelled = []
        self.run.latches.cancel(step["of"])
        for lane in self.run.cancelled:
            self.run.is_after(PROGRAM, lane)

    def _stream(self, step: Json) -> stream_call.Stream:
        self._must_have(step, "of", step["of"] in self.world.streams)
        stream: stream_call.Stream = self.world.streams[step["of"]]
        return stream

    def _build(self, step: Json) -> Json:
        if objects.malformed(step["object"], step["value"], self.run.rules) is not None:
            raise failed("invalid_argument")
        return objects.read_back(step["object"], step["value"], self.run.rules)

    # -- MID: registrations --------------------------------------------------------------------------------------------

    def _register(self, step: Json) -> None:
        level = GLOBAL if self.installing is None else self.installing
        if step["scope"] != GLOBAL:
            self._must_have(step, "scope", step["scope"] in self.world.started)
            level = self.world.started[step["scope"]]["span"].identity
        if level not in self.world.levels.registries or not self.world.levels.put(level, step):
            raise failed("invalid_argument")  # MID-005, MID-006
        self.registered[step["as"]] = (level, step)
        if step["family"] == "subscriber":
            self.run.lanes.setdefault(step["as"], [])
            self.run.standing[step["as"]] = [op["latch"] for op in step["do"] if op["op"] == "wait"]

    def _deregister(self, step: Json) -> bool:
        self._must_have(step, "of", step["of"] in self.registered)
        level, of = self.registered[step["of"]]
        if level not in self.world.levels.registries:
            raise failed("invalid_argument")
        return self.world.levels.take(level, of)

    def _install(self, step: Json) -> None:
        """Let plugins register under names of their own, one after the other (MID-031).

        Where one raises nothing of any of them stays (MID-023).
        """
        for plugin in step["plugins"]:
            self.installing = self.world.levels.open_plugin(plugin)
            reply = self.run.play(step["as"], step["do"], {"plugin": plugin}, None)
            self.installing = None
            if isinstance(reply, Raised):
                self.world.levels.close_plugins()
                raise failed("callback_raised", message={"$text": reply.text})

    def _uninstall(self, _step: Json) -> None:
        self.world.levels.close_plugins()  # MID-024

    # -- GAT: gates ----------------------------------------------------------------------------------------------------

    def _gate(self, step: Json) -> None:
        if not self.world.levels.shut(step):
            raise failed("invalid_argument")  # GAT-005
        self.gates[step["as"]] = step

    def _ungate(self, step: Json) -> Json:
        """Take a gate back, which may have been asked (GAT-003, GAT-004): how often it was is open."""
        self._must_have(step, "of", step["of"] in self.gates)
        gate = self.gates[step["of"]]
        whose = {} if gate["plugin"] is None else {"plugin": gate["plugin"]}
        given = {"families": sorted(gate["families"]), "name": gate["target"], **whose}
        asked = Opaque({"$one_of": [[], [literal(given)]]})
        return {"was": self.world.levels.reopen(gate["name"]), "given": asked}

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


KINDS: dict[str, Callable[[Program, Json], Json]] = {
    "register": Program._register,
    "deregister": Program._deregister,
    "install": Program._install,
    "uninstall": Program._uninstall,
    "gate": Program._gate,
    "ungate": Program._ungate,
    "list": lambda program, step: program.world.levels.listed(step["only"]),
    "current": lambda program, _: manual.current(program.world),
    "context": Program._context,
    "back": Program._back,
    "capture": lambda program, step: manual.capture(program.world, step),
    "handle": Program._handle,
    "build": Program._build,
    "decode": lambda program, step: coding.decode(program.run, step),
    "encode": lambda program, step: coding.encode(program.run, step),
    "start": lambda program, step: manual.start(program.world, step),
    "end": Program._end,
    "mark": lambda program, step: manual.mark(program.world, step),
    "flush": lambda program, _: program.run.flush(),
    "open": lambda program, step: program.run.lift(step["latch"]),
    "go_on": Program._go_on,
    "cancel": Program._cancel,
    "call": lambda program, step: CALLS[step["kind"]](program.world, step),
    "read": lambda program, step: program._stream(step).read(step),
    "close": lambda program, step: program._stream(step).close(step["how"]),
    "helper": Program._helper,
}
"""Kind of a step → what does it, and returns its value."""
