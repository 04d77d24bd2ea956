"""Generated programs that mix chapters: LLM and tool calls, families of middleware, scopes, manual calls, marks.

Enters: a source of choices. Leaves: a scenario in canonical spelling, most of them short, some of many steps.

What is left open is not drawn (docs/findings.md tells of the second):

- where something is registered that runs when an event is published, a subscriber listens: without one it is open
  whether it runs;
- a codec, or an annotation, where LLM requests are sanitized: the packages run the decode again when the event is
  published, and drop an annotation that they cannot make again.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.parts import Parts, may_be_undefined
from bindproof.suites.relay.scenario.families import AROUND, QUEUED
from bindproof.suites.relay.scenario.rules.program import ATTRIBUTES

NAMES = ("a", "b", "c")
VALUES: tuple[Json, ...] = ({"k": 1}, None, [], "text", 1.5, {"n": {"m": None}})
METADATA: tuple[Json, ...] = (None, {"a": 1}, {"b": [1]}, {"a": {"c": 2}})
TIMES = (1_577_880_000_000_001, 0, 3_786_955_200_000_000, 2**53 - 1)
"""In microseconds since 1970: behind and ahead of any present."""

HELPERS = ("tool.request", "tool.conditional", "llm.conditional", "llm.request")
TYPES = ("function", "agent", "custom", "tool", "retriever")
FAMILIES = (
    "tool.request", "tool.execution", "tool.conditional", "llm.request", "llm.execution", "llm.conditional", *QUEUED,
    "subscriber",
)  # fmt: skip

INTERCEPTS = ("tool.request", "tool.execution", "llm.request", "llm.execution")
UNSANITIZED = tuple(family for family in FAMILIES if family != "llm.sanitize_request")

KINDS = (
    "call", "call", "call", "register", "register", "register", "register", "scope", "end", "mark", "helper",
    "deregister", "manual", "finish", "flush",
)  # fmt: skip
"""What a step is; some of them stand for another where nothing is there that they could be about."""

UNKNOWN = "/bogus"
"""A key that no reply has."""

SHORT, LONG = 9, 30
"""So many steps at most, in most programs and in a few."""


def mixed_scenario(choices: Choices, dialect: str | None) -> Json:
    """Return one scenario. dialect: what the binding can say, None: anything."""
    annotates = dialect in (None, "python", "rust")
    return {"steps": _Drawer(choices, undefined=may_be_undefined(dialect), annotates=annotates).steps()}


class _Drawer(Parts):
    """Draws the steps of one scenario. It keeps what is registered, which scopes are open, which calls are begun."""

    def __init__(self, choices: Choices, *, undefined: bool, annotates: bool) -> None:
        super().__init__(choices, undefined=undefined)
        self.annotates = annotates  # whether a program can say at the end of a call what its answer says
        self.registered: list[str] = []
        self.open: list[str] = []
        self.begun: list[tuple[str, str]] = []
        self.named = 0
        self.sanitizes = choices.chance(50)

    def steps(self) -> list[Json]:
        found: list[Json] = [{"step": "register", "as": "s", "family": "subscriber", "name": "s"}]
        count = self.choices.integer(SHORT, LONG) if self.choices.chance(10) else self.choices.integer(1, SHORT)
        for _ in range(count):
            found.append(self.step())
        return found

    def name(self, letter: str) -> str:
        self.named += 1
        return f"{letter}{self.named}"

    def step(self) -> Json:
        match self.choices.pick(KINDS):
            case "register":
                return self.registration()
            case "scope":
                return self.scope()
            case "end" if self.open:
                return {"step": "end", "as": self.name("e"), "of": self.open.pop(), **self.output(), **self.time()}
            case "deregister" if self.registered:
                return {"step": "deregister", "as": self.name("d"), "of": self.choices.pick(self.registered)}
            case "mark":
                return self.own_mark()
            case "helper":
                return self.helper()
            case "manual":
                return self.manual()
            case "finish" if self.begun:
                return self.finish()
            case "flush":
                return {"step": "flush"}
        return self.call()

    def scope(self) -> Json:
        name = self.name("S")
        scope = {"step": "start", "as": name, "name": self.choices.pick(NAMES), "type": self.choices.pick(TYPES)}
        scope |= self.metadata()
        if self.choices.chance(50):
            scope["input"] = self.choices.pick(VALUES)
        self.open.append(name)
        return scope | self.said("scope") | self.time()

    def own_mark(self) -> Json:
        mark = {"step": "mark", "as": self.name("m"), "name": self.choices.pick(NAMES)} | self.metadata()
        if self.choices.chance(40):
            mark["data"] = self.choices.pick(VALUES)
        if self.choices.chance(20):
            mark["severity"] = self.choices.pick(("info", "error", "trace"))
        return mark | self.parent() | self.time()

    def helper(self) -> Json:
        kind = self.choices.pick(HELPERS)
        helper = {"step": "helper", "as": self.name("h"), "kind": kind, "name": "t"}
        if self.choices.chance(30):
            helper |= {"args": self.choices.pick(VALUES)} if kind.startswith("tool") else {"request": self.request()}
        return helper

    def manual(self) -> Json:
        name, kind = self.name("M"), self.choices.pick(("llm", "tool"))
        self.begun.append((name, kind))
        step: Json = {"step": "start", "as": name, "kind": kind, "name": "t"} | self.metadata() | self.parent()
        return step | self.argument(kind) | self.said(kind) | self.time()

    def finish(self) -> Json:
        name, kind = self.begun.pop()
        step = {"step": "end", "as": self.name("e"), "of": name, **self.output()}
        if kind == "tool" and self.choices.chance(30):
            step["annotation"] = self.choices.pick(VALUES)
        if kind == "llm" and self.annotates and self.choices.chance(5):
            step["annotation"] = {"id": "i", "message": "said"}
        if self.choices.chance(20):
            step["data"] = self.choices.pick(VALUES)
        return step | self.time()

    def call(self) -> Json:
        kind = self.choices.pick(("tool", "llm"))
        call: Json = {"step": "call", "as": self.name("c"), "kind": kind, "name": self.choices.pick(("t", "u"))}
        call |= self.argument(kind) | self.metadata() | self.parent() | self.said(kind)
        if self.choices.chance(40):
            call["provider"] = [self.provided(kind)]
        if kind == "llm" and not self.sanitizes and self.choices.chance(15):
            call["codec"] = self.codec()
        if self.choices.chance(15):
            call["data"] = self.choices.pick(VALUES)
        return call

    def argument(self, kind: str) -> Json:
        if kind == "llm":
            return {"request": self.request()} if self.choices.chance(40) else {}
        found: Json = {"args": self.choices.pick(VALUES)} if self.choices.chance(50) else {}
        return found | ({"tool_call_id": "id"} if self.choices.chance(30) else {})

    def provided(self, kind: str) -> Json:
        if self.choices.chance(25):
            return self.raising()
        where = self.choices.pick(("/result", "/annotation", UNKNOWN)) if kind == "tool" else ""
        return {"op": "edit", "set": {where: self.choices.pick(VALUES)}}

    def metadata(self) -> Json:
        return {"metadata": self.choices.pick(METADATA)} if self.choices.chance(30) else {}

    def output(self) -> Json:
        return ({"output": self.choices.pick(VALUES)} if self.choices.chance(50) else {}) | self.metadata()

    def said(self, kind: str) -> Json:
        """Draw attributes."""
        chosen = [name for name in ATTRIBUTES[kind] if self.choices.chance(50)] if self.choices.chance(15) else []
        return {"attributes": chosen} if chosen else {}

    def time(self) -> Json:
        return {"timestamp": self.choices.pick(TIMES)} if self.choices.chance(8) else {}

    def parent(self) -> Json:
        return {"parent": self.choices.pick(self.open)} if self.open and self.choices.chance(15) else {}

    def registration(self) -> Json:
        family, name = self.choices.pick(FAMILIES if self.sanitizes else UNSANITIZED), self.name("r")
        step: Json = {"step": "register", "as": name, "family": family, "name": name}
        if self.choices.chance(20):
            step["name"] = "taken"
        else:
            self.registered.append(name)
        if self.open and self.choices.chance(30):
            step["scope"] = self.choices.pick(self.open)
        if family == "subscriber":
            return step
        if self.choices.chance(50):
            step["priority"] = self.choices.integer(-1, 1)
        if family in ("tool.request", "llm.request") and self.choices.chance(20):
            step["break_chain"] = True
        return step | {"do": self.script(family)}

    def script(self, family: str) -> list[Json]:
        ops: list[Json] = []
        if family in AROUND:
            edits = [self.change(family) for _ in range(self.choices.integer(0, 2))]
            ops.append({"op": "next", "edits": edits, "catch": self.choices.chance(40)})
        if self.choices.chance(60):
            ops.append(self.decision(family))
        if family in INTERCEPTS and self.choices.chance(10):
            ops.append(self.inner_step())
        if self.choices.chance(12):
            ops.append(self.raising())
        return ops

    def change(self, family: str) -> Json:
        if self.choices.chance(50):
            return {}
        return {"set": {"": self.choices.pick(VALUES)} if family == "tool.execution" else {"/headers/x": "1"}}

    def inner_step(self) -> Json:
        """Draw an op that does a step inside a callback."""
        kind = self.choices.pick(("mark", "register", "deregister"))
        step: Json = {"step": "mark", "as": self.name("m"), "name": self.choices.pick(NAMES)}
        if kind == "deregister" and self.registered:
            step = {"step": "deregister", "as": self.name("d"), "of": self.choices.pick(self.registered)}
        if kind == "register":
            name = self.name("r")
            step = {
                "step": "register",
                "as": name,
                "family": self.choices.pick(("subscriber", "tool.request")),
                "name": name,
            }
        return {"op": "step", "step": step}

    def decision(self, family: str) -> Json:
        if family == "llm.request":
            return self.request_decision(annotated=not self.sanitizes)
        value = self.choices.pick(VALUES)
        if family.endswith(".conditional"):
            value = self.choices.pick((None, "no", ""))
        where = {
            "tool.execution": self.choices.pick(("/annotation", "/result", "/pending_marks", UNKNOWN)),
            "llm.sanitize_request": "/headers/h",
            "event.metadata": "/inj",
            "mark.sanitize": "/data",
            "start.sanitize": "/data",
            "end.sanitize": "/data",
        }.get(family, "")
        if where == "/pending_marks":
            unknown = {"uuid": "u"} if self.choices.chance(20) else {}
            return {"op": "edit", "append": {where: [{"name": self.choices.pick(NAMES), **unknown}]}}
        if where == "/headers/h":
            value = "1"
        if where == "/inj":
            value = self.choices.pick((1, "x", [1, 2]))
        return {"op": "edit", "set": {where: value}}
