"""Generated programs of streams: calls that are drained, read in steps, closed early; intercepts; failures everywhere.

Enters: a source of choices. Leaves: a scenario in canonical spelling.

No chunk is null (a binding tells it from no end: docs/findings.md), and beside what may change a chunk all are objects.
What ends the process in a binding is not drawn for it.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.parts import Parts, may_be_undefined

CHUNKS: tuple[Json, ...] = (0, "a", "ж✓", [1], {"k": {"n": None}}, 1.5, True, "")
FINALS: tuple[Json, ...] = ({"k": 1}, None, [], "text", 1.5)
AHEAD = (1, 2, 3, 40)
"""How many chunks a stream has that is closed early; the last is more than what is read ahead."""


def stream_scenario(choices: Choices, dialect: str | None) -> Json:
    """Return one scenario. dialect: what the binding can say, None: anything."""
    return {"steps": _Drawer(choices, dialect).steps()}


class _Drawer(Parts):
    """Draws the steps of one scenario. fails: what throws in a stream's own callbacks fails it, and no more."""

    def __init__(self, choices: Choices, dialect: str | None) -> None:
        super().__init__(choices, undefined=may_be_undefined(dialect))
        self.fails = dialect != "node"
        self.drained = choices.chance(70)
        self.changes = choices.chance(40)

    def steps(self) -> list[Json]:
        found: list[Json] = []
        for name in ("s", "t")[: self.choices.pick((1, 1, 2, 0))]:
            found.append({"step": "register", "as": name, "family": "subscriber", "name": name})
        if self.choices.chance(30):
            found.append(self.marking())
        if self.choices.chance(15):
            found.append(self.middleware())
        scoped = self.choices.chance(15)
        if scoped:
            found.append({"step": "start", "as": "S", "name": "S", "type": self.choices.pick(("function", "agent"))})
        found += self.wrappers()
        for number in range(self.choices.pick((1, 1, 2))):
            found += self.drained_call(f"c{number}") if self.drained else self.opened_call(f"c{number}")
        if self.choices.chance(15):
            found.append({"step": "call", "as": "p", "name": "gpt"})
        if scoped:
            found.append({"step": "end", "of": "S"})
        return found

    def marking(self) -> Json:
        names = [{"name": name} for name in ("m1", "m2")[: self.choices.integer(1, 2)]]
        ops = [{"op": "edit", "append": {"/pending_marks": names}}]
        return {"step": "register", "as": "i", "family": "llm.request", "name": "i", "do": ops}

    def middleware(self) -> Json:
        family = self.choices.pick(("llm.execution", "llm.sanitize_response", "mark.sanitize", "end.sanitize"))
        return {"step": "register", "as": "x", "family": family, "name": "x"}

    # -- intercepts ----------------------------------------------------------------------------------------------------

    def wrappers(self) -> list[Json]:
        count = self.choices.pick((0, 0, 1, 1, 2))
        if count == 1 and self.drained and self.choices.chance(20):
            return [self.wrapper("w0", [self.chunks(0), self.going_on()])]
        return [self.wrapper(f"w{number}", self.script()) for number in range(count)]

    def wrapper(self, name: str, ops: list[Json]) -> Json:
        step: Json = {"step": "register", "as": name, "family": "llm.stream", "name": name}
        if self.choices.chance(40):
            step["priority"] = self.choices.integer(-1, 1)
        if self.changes and self.choices.chance(60):
            ops = [{"op": "edit", "set": {f"/{name}": 1}}, *ops]
        return step | {"do": ops}

    def script(self) -> list[Json]:
        if not self.drained:
            return []
        match self.choices.pick(("nothing", "nothing", "add", "replace", "fail late", "fail")):
            case "add":
                return [self.going_on(), self.chunks(1)]
            case "replace":
                return [{"op": "next", "edits": []}, self.chunks(2)]
            case "fail late":
                return [self.going_on(), self.chunks(self.choices.integer(0, 1)), self.raising()]
            case "fail":
                return [{"op": "next", "edits": []}, self.raising()]
        return []

    def going_on(self) -> Json:
        edit: Json = {"set": {"/headers/x": "1"}} if self.choices.chance(40) else {}
        return {"op": "next", "edits": [edit], "catch": self.choices.chance(30)}

    # -- calls ---------------------------------------------------------------------------------------------------------

    def call(self, name: str) -> Json:
        step: Json = {"step": "call", "as": name, "kind": "llm_stream", "name": self.choices.pick(("gpt", "other"))}
        if self.choices.chance(15):
            step["model"] = "m"
        if self.choices.chance(15):
            step["codec"] = {}
        if self.choices.chance(15):
            step["metadata"] = {"a": 1}
        if self.choices.chance(15):
            step["data"] = self.choices.pick(FINALS)
        if self.choices.chance(30):
            step["finalizer"] = [{"op": "edit", "set": {"": self.choices.pick(FINALS)}}]
        if self.fails and self.choices.chance(10):
            step["finalizer"] = [self.raising()]
        elif self.choices.chance(10):
            read = self.read_answer()
            step |= {"response_codec": read["response_codec"], "finalizer": read["provider"]}
        return step

    def drained_call(self, name: str) -> list[Json]:
        step, count = self.call(name), self.choices.integer(0, 4)
        ops = [self.chunks(count)] if self.choices.chance(80) else []
        if self.fails and self.choices.chance(15):
            ops.append(self.raising())
        if self.fails and self.choices.chance(15):
            taken: list[list[Json]] = [[] for _ in range(self.choices.integer(0, 3))]
            step["collector"] = [{"op": "each", "ops": [*taken, [self.raising()]]}]
        return [step | ({"provider": ops} if ops else {})]

    def opened_call(self, name: str) -> list[Json]:
        step = {**self.call(name), "drain": False}
        if self.choices.chance(50):
            reads = [self.read(name, 1)] if self.choices.chance(50) else []
            end = self.read(name, None)
            return [{**step, "provider": [self.chunks(self.choices.integer(0, 3))]}, *reads, end, self.close(name)]
        count = self.choices.pick(AHEAD)
        step["provider"] = [self.chunks(count), {"op": "hang"}]
        wanted = self.choices.integer(1, min(count, 3))
        reads = [self.read(name, 1) for _ in range(wanted)] if self.choices.chance(30) else [self.read(name, wanted)]
        return [step, *reads, self.close(name)]

    def read(self, name: str, n: int | None) -> Json:
        return {"step": "read", "of": name} | ({} if n is None else {"n": n})

    def close(self, name: str) -> Json:
        how = {"how": "drop"} if self.fails and self.choices.chance(20) else {}
        return {"step": "close", "of": name} | how

    def chunks(self, count: int) -> Json:
        if self.changes:
            return {"op": "yield", "chunks": [{"n": number} for number in range(count)]}
        return {"op": "yield", "chunks": [self.choices.pick(CHUNKS) for _ in range(count)]}
