"""What the contract allows to be seen of a scenario: lanes of records, with their instants in virtual time.

Enters: a complete scenario, an edition's name, the dialect as plain data. Leaves: a prediction
`{"lanes": {lane: [record]}, "after": [[lane, position, lane, position]], "belongs": {lane: [[name]]}}`;
`belongs` has the step that each record belongs to, and its part in it. The lane `program` holds
steps, and what happens in those that make one call; each of several calls has a lane, which is named by its call_id.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bindproof_reference.interceptors.editions import known
from bindproof_reference.interceptors.layers import InvalidConfigurationError, check, through
from bindproof_reference.interceptors.tools import Registry, operate
from bindproof_reference.interceptors.values import ANY, Json
from bindproof_reference.interceptors.world import PROGRAM, World

INVALID = {"kind": "invalid_configuration", "type": ANY, "message": ANY}


def predict(scenario: Json, edition: str, dialect: Json) -> Json:
    """Return the prediction of one scenario; raises ValueError for what cannot be acted out."""
    known(edition)
    program = act(scenario, World())
    world = program.world
    return {"lanes": world.lanes, "after": program.after, "belongs": world.belongs}


@dataclass
class Program:
    """The steps of one run, and what they have made so far."""

    world: World
    after: list[Json] = field(default_factory=list)
    stacks: dict[str, Json] = field(default_factory=dict)
    registries: dict[str, Registry] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    """What could not be built."""

    def act(self, step: Json) -> None:
        """Do one step and record that it is done."""
        self.world.doing = step["as"]
        _STEPS[step["step"]](self, step)
        self.world.doing = ""

    def share(self, step: Json) -> None:
        """Make a shared layer."""
        self.world.shared[step["as"]] = 0
        self.done(step, {"value": None})

    def stack(self, step: Json) -> None:
        """Build a stack."""
        self._build(step, lambda: self.stacks.__setitem__(step["as"], step))

    def registry(self, step: Json) -> None:
        """Build a registry."""
        tools = {tool["name"]: tool for tool in step["tools"]}
        made = Registry(step["as"], step["layers"], tools)
        self._build(step, lambda: self.registries.__setitem__(step["as"], made))

    def _build(self, step: Json, keep: Callable[[], None]) -> None:
        try:
            for layer in step["layers"]:
                check(layer)
        except InvalidConfigurationError:
            self.refused.add(step["as"])
            made = {"fact": "done", "step": step["as"], "value": None}
            refused = {"fact": "done", "step": step["as"], "error": INVALID}
            at = {"at": self.world.instant()}
            self.world.put(PROGRAM, {"$one_of": [made | at, refused | at]})  # RTY-011: here, or when it is called
            return
        keep()
        self.done(step, {"value": None})

    def derive(self, step: Json) -> None:
        """Make another stack or registry of one: it holds the same layers (STK-007, REG-008)."""
        if step["of"] in self.refused:
            self.refused.add(step["as"])
        elif step["of"] in self.stacks:
            self.stacks[step["as"]] = self.stacks[step["of"]]
        else:
            parent = self.registries[step["of"]]
            kept = {name: tool for name, tool in parent.tools.items() if _chosen(name, step)}
            self.registries[step["as"]] = Registry(parent.owner, parent.layers, kept)
        self.done(step, {"value": None})

    def call(self, step: Json) -> None:
        """Make one call."""
        if step["on"] in self.refused:
            self.done(step, {"error": INVALID})
            return
        self.world.entered = {}
        if step["on"] in self.registries:
            self.done(step, {"value": self.registries[step["on"]].call(step["input"], self.world)})
            return
        stack = self.stacks[step["on"]]
        operation = f"{step['as']}.operation"
        run = through(
            stack["layers"],
            stack["domain"],
            self.world,
            lambda given: operate(operation, step["does"], given, self.world),
        )
        self.done(step, {"value": run(step["input"])})

    def all(self, step: Json) -> None:
        """Make several calls: in parallel each begins at the same instant (REG-007)."""
        if step["on"] in self.refused:
            self.done(step, {"error": INVALID})
            return
        world, registry = self.world, self.registries[step["on"]]
        start = end = world.now
        placed = len(world.lanes[PROGRAM])
        before: list[Json] = [PROGRAM, placed - 1]
        before_order, results, last = len(world.order), [], before
        for request in step["inputs"]:
            world.call, world.entered = request["call_id"], {}
            world.now = start if step["parallel"] else end
            in_turn = not step["parallel"] and last[0] != PROGRAM and request["call_id"] not in world.since
            world.origin = world.since.get(last[0] if in_turn else PROGRAM)
            world.since.pop(request["call_id"], None)
            results.append(registry.call(request, world))
            end = max(end, world.now)
            written = len(world.lanes.get(request["call_id"], ()))
            if written:
                self.after.append([request["call_id"], 0, *(before if step["parallel"] else last)])
                self.after.append([PROGRAM, placed, request["call_id"], written - 1])
                last = [request["call_id"], written - 1]
        world.call, world.now = None, end
        if step["parallel"]:
            world.together.append((before_order, len(world.order)))
        self.done(step, {"value": results})

    def done(self, step: Json, end: Json) -> None:
        """Record how a step came back."""
        self.world.put(PROGRAM, {"fact": "done", "step": step["as"], **end, "at": self.world.instant()})


def _chosen(name: str, step: Json) -> bool:
    if step["only"] is not None:
        return name in step["only"]
    return step["without"] is None or name not in step["without"]


_STEPS = {
    "share": Program.share,
    "stack": Program.stack,
    "registry": Program.registry,
    "derive": Program.derive,
    "call": Program.call,
    "all": Program.all,
}


def act(scenario: Json, world: World) -> Program:
    """Do all steps of a scenario in a world; return what came of it."""
    program = Program(world)
    for step in scenario["steps"]:
        program.act(step)
    for name, count in world.shared.items():
        world.put(PROGRAM, {"fact": "measure", "name": name, "value": {"entered": count}})  # STK-007
    world.put(PROGRAM, {"fact": "settled"})
    return program
