"""What happened, call by call: the log ordered into visits of the layers, nested as they ran.

Enters: a complete scenario and its log. Leaves: a Reading with the calls, their visits and what was logged in them. It
states facts and judges nothing; the reference is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct, field

from bindproof.core.model import Json
from bindproof.suites.interceptors.arguments import satisfies
from bindproof.suites.interceptors.scenario import origin

PROBES = ("record", "shared", "operation")
"""The kinds of layer that are the scenario's own, so that what passes them is seen."""


class Visit(Struct, eq=False):
    """One time that something of the scenario's own was entered."""

    callback: str
    place: int | None
    """Index of its layer in the call, None for a layer that the call does not have."""
    given: Json
    entered: int
    began: int
    left: int | None = None
    """Index of the record at its end, None where it has none."""
    ended: int | None = None
    reply: Json = None
    dropped: bool = False
    """It was cut short."""
    inside: list[Visit] = field(default_factory=list)
    """The visits that began before it ended."""

    @property
    def finished(self) -> bool:
        """True when it came to its end with a reply."""
        return self.left is not None and not self.dropped

    def all(self) -> Iterator[Visit]:
        """Yield this visit and all inside it, in the order in which they began."""
        yield self
        for one in self.inside:
            yield from one.all()

    def entries(self) -> tuple[int, ...]:
        """Return where this visit and all inside it begin: what it was given goes on to them."""
        return tuple(one.entered for one in self.all())

    def records(self) -> tuple[int, ...]:
        """Return the records of this visit and of all inside it."""
        return tuple(at for one in self.all() for at in (one.entered, one.left) if at is not None)


class Invocation(Struct, eq=False):
    """One call."""

    step: Json
    domain: str
    lane: str
    """Of its records."""
    place: Json
    """The stack or registry as it was built."""
    layers: list[Json]
    """Those of its stack, then a tool's own retry if it has one, then the operation."""
    given: Json
    tool: Json
    """Of a registry, None for an unknown one."""
    valid: bool
    began: int
    """The instant at which it began."""
    root: Visit
    """A visit that stands for the whole call."""
    logs: list[tuple[int, Json]] = field(default_factory=list)
    done: int | None = None
    """Index of the record of its step."""
    ended: int | None = None
    value: Json = None
    error: Json = None

    @property
    def in_registry(self) -> bool:
        """True for a call on a registry."""
        return bool(self.place["step"] == "registry")

    @property
    def accepted(self) -> bool:
        """True when the call gets as far as the layers: a registry knows its tool, and takes its arguments."""
        return not self.in_registry or (self.tool is not None and self.valid)

    @property
    def astray(self) -> bool:
        """True when a layer replaces a tool's arguments by ones that the tool's schema refuses: REG-005 is about it."""
        return self.in_registry and self.tool is not None and any(map(self._misleads, self.layers))

    def _misleads(self, layer: Json) -> bool:
        if layer["layer"] == "approval":
            changed = [one["modify"] for one in layer["decisions"] if one != "allow" and "modify" in one]
        else:
            changed = [layer["input"]["arguments"]] if layer.get("input") else []
        return not all(satisfies(self.tool["schema"], one) for one in changed)

    def ends(self, visit: Visit) -> tuple[int, ...]:
        """Return where this visit, all around it and the call end: what it gave goes on to them."""
        around = [one for one in (self.root, *self.visits()) if any(visit is inner for inner in one.all())]
        return tuple(at for at in (*(one.left for one in around), self.done) if at is not None)

    def records(self) -> tuple[int, ...]:
        """Return all records of the call but the end of its step."""
        return (*(at for one in self.root.inside for at in one.records()), *(at for at, _ in self.logs))

    def logged(self, visit: Visit) -> tuple[int, ...]:
        """Return the records of what was logged inside a visit."""
        return tuple(at for at, _ in self.logs if visit.entered < at and (visit.left is None or at < visit.left))

    def part(self, place: int) -> str:
        """Return what the prediction calls the visits of the layer at this place in this call."""
        return f"{self.step['as']}/{self.callback(place)}"

    def callback(self, place: int) -> str:
        """Return what the layer at this place is entered as; empty for one of the library's own."""
        if place == len(self.layers) - 1:
            return f"{self.place['as']}.{self.given['name']}" if self.in_registry else f"{self.step['as']}.operation"
        layer = self.layers[place]
        return str(layer.get("as") or layer.get("of") or "")

    @property
    def came_back(self) -> bool:
        """True when the call has a result."""
        return self.done is not None and self.error is None

    def visits(self) -> Iterator[Visit]:
        """Yield all visits of the call."""
        for one in self.root.inside:
            yield from one.all()

    def is_probe(self, place: int) -> bool:
        """Tell whether the layer at this place is the scenario's own."""
        return 0 <= place < len(self.layers) and self.layers[place]["layer"] in PROBES

    def handed(self, place: int, request: Json) -> Json:
        """Return what the layer at this place is given of a request: a registry's handler gets the arguments alone."""
        return request["arguments"] if self.in_registry and place == len(self.layers) - 1 else request

    def next_probe(self, place: int) -> int | None:
        """Return the first place behind this one whose visits are seen; an approval's are checks, not passages."""
        return next((n for n in range(place + 1, len(self.layers)) if self.is_probe(n)), None)


class Passage(Struct, frozen=True, eq=False):
    """One time that a layer of the library was passed, seen from both sides."""

    call: Invocation
    place: int
    layer: Json
    """What it is, at this place."""
    outer: Visit
    """The visit around it, or the call's root."""
    inner: list[Visit]
    """The visits right inside it."""
    checks: list[Visit]
    """The visits of its own check, where it has one."""


class Reading(Struct, eq=False):
    """One observation, ready to be judged."""

    full: Json
    """The scenario."""
    log: list[Json]
    calls: list[Invocation]
    measures: dict[str, tuple[int, Json]]
    failed: dict[str, tuple[int, Json]]
    """`measures` and `failed`: the value of a measure, the error of a step, with the record's index."""

    def passages(self, kind: str) -> list[Passage]:
        """Return every passage of a kind of layer that has the scenario's own on both sides."""
        calls = [call for call in self.calls if call.accepted and not call.astray]
        return [one for call in calls for place in range(len(call.layers)) for one in _passages(call, place, kind)]

    def complete(self, kind: str) -> list[Passage]:
        """Return the passages that came to their end."""
        return [one for one in self.passages(kind) if one.outer.finished]


def reading(full: Json, log: list[Json]) -> Reading:
    """Order a log of the right form into calls and visits."""
    return _Reader(full).read(log)


def _passages(call: Invocation, place: int, kind: str) -> Iterator[Passage]:
    layer = call.layers[place]
    if layer["layer"] != kind or not call.is_probe(place + 1) or (place and not _passes_once(call, place - 1)):
        return
    outers = [call.root] if place == 0 else [one for one in call.visits() if one.place == place - 1]
    for outer in outers:
        inner = [one for one in outer.inside if one.place == place + 1]
        yield Passage(call, place, layer, outer, inner, [one for one in outer.inside if one.place == place])


def _passes_once(call: Invocation, place: int) -> bool:
    layer = call.layers[place]
    plain = layer["layer"] == "record" and layer["times"] == 1 and layer["input"] is None and layer["gives"] is None
    return plain or layer["layer"] == "shared"


class _Reader:
    """Reads the records in order, a lane at a time."""

    def __init__(self, full: Json) -> None:
        self.full = full
        self.steps = {step["as"]: step for step in full["steps"]}
        self.calls: dict[str, list[Invocation]] = {}
        self.open: dict[str, list[Visit]] = {}
        self.now = 0

    def read(self, log: list[Json]) -> Reading:
        """Return the reading of a log."""
        queue = list(self.full["steps"])
        self._begin(queue)
        measures: dict[str, tuple[int, Json]] = {}
        failed: dict[str, tuple[int, Json]] = {}
        for index, record in enumerate(log):
            match record["fact"]:
                case "done":
                    self._done(index, record, failed)
                    queue = queue[1:]
                    self._begin(queue)
                case "measure":
                    measures[record["name"]] = (index, record["value"])
                case "settled":
                    pass
                case _:
                    self._inside(index, record)
        return Reading(self.full, log, [call for each in self.calls.values() for call in each], measures, failed)

    def _begin(self, queue: list[Json]) -> None:
        step = queue[0] if queue else None
        self.current = step
        if step is None or step["step"] not in ("call", "all"):
            return
        inputs = [step["input"]] if step["step"] == "call" else step["inputs"]
        self.calls[step["as"]] = [self._call(step, given) for given in inputs]

    def _call(self, step: Json, given: Json) -> Invocation:
        place = origin(self.steps[step["on"]], self.steps)
        registry = place["step"] == "registry"
        tool = self._tools(step["on"]).get(given["name"]) if registry else None
        layers = [*place["layers"]]
        if tool is not None and tool["retry"] is not None:
            layers.append({"layer": "tool_retry", **tool["retry"]})
        layers.append({"layer": "operation"})
        domain = "tool" if registry else place["domain"]
        lane = given["call_id"] if step["step"] == "all" else "program"
        valid = tool is None or satisfies(tool["schema"], given["arguments"])
        root = Visit("", -1, given, -1, self.now)
        return Invocation(step, domain, lane, place, layers, given, tool, valid, self.now, root)

    def _tools(self, name: str) -> dict[str, Json]:
        step = self.steps[name]
        if step["step"] != "derive":
            return {tool["name"]: tool for tool in step["tools"]}
        tools = self._tools(step["of"])
        if step["only"] is not None:
            return {name: tool for name, tool in tools.items() if name in step["only"]}
        return {name: tool for name, tool in tools.items() if name not in (step["without"] or ())}

    def _of(self, record: Json) -> Invocation | None:
        if self.current is None:
            return None
        calls = self.calls.get(self.current["as"], [])
        lane = record.get("call", "program")
        return next((call for call in calls if call.lane == lane), None)

    def _inside(self, index: int, record: Json) -> None:
        call = self._of(record)
        if call is None:
            return
        stack = self.open.setdefault(f"{call.step['as']} {call.lane}", [call.root])
        if record["fact"] == "log":
            call.logs.append((index, record))
        elif record["fact"] == "enter":
            place = _place(call, record["callback"])
            visit = Visit(record["callback"], place, record["given"], index, record["at"])
            stack[-1].inside.append(visit)
            stack.append(visit)
        else:
            self._left(index, record, stack)

    def _left(self, index: int, record: Json, stack: list[Visit]) -> None:
        names = [visit.callback for visit in stack]
        if record["callback"] not in names[1:]:
            return
        position = len(names) - 1 - names[::-1].index(record["callback"])
        visit = stack[position]
        del stack[position:]
        visit.left, visit.ended = index, record["at"]
        visit.dropped, visit.reply = record["fact"] == "dropped", record.get("reply")

    def _done(self, index: int, record: Json, failed: dict[str, tuple[int, Json]]) -> None:
        if "error" in record:
            failed[record["step"]] = (index, record["error"])
        self.now = record["at"]
        step = self.current
        if step is None or step["as"] != record["step"]:
            return
        for number, call in enumerate(self.calls.get(step["as"], [])):
            call.done, call.ended, call.error = index, record["at"], record.get("error")
            value = record.get("value")
            if step["step"] == "all":
                value = value[number] if isinstance(value, list) and number < len(value) else None
            call.value = value
            if call.error is None:
                _close(call, index)


def _close(call: Invocation, index: int) -> None:
    """Let the call's root tell what a layer at its place would have: the result of the stack, not of the registry."""
    reply = call.value
    if call.in_registry and isinstance(reply, dict):
        reply = {key: reply.get(key) for key in ("content", "is_error")}
    call.root.left, call.root.ended, call.root.reply = index, call.ended, reply
    if call.step["step"] == "all":  # the step's end is not the call's: several calls end before it
        ends = [visit.ended for visit in call.root.inside if visit.ended is not None]
        call.root.ended = max(ends, default=None)
        call.root.began = call.root.inside[0].began if call.root.inside else call.began


def _place(call: Invocation, callback: str) -> int | None:
    last = len(call.layers) - 1
    places = (last, *range(last))
    names = [call.callback(place) for place in places]
    return places[names.index(callback)] if callback and callback in names else None


def gaps(visits: list[Visit]) -> list[tuple[Visit, Visit, int]]:
    """Return each pair of visits that follow one another, with the time between them, of those that ended."""
    return [(one, after, after.began - one.ended) for one, after in pairwise(visits) if one.ended is not None]
