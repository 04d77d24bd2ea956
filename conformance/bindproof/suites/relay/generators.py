"""Generated scenarios of `relay`, group 1: programs of subscribers, intercepts, calls and helpers.

Enters: a source of choices. Leaves: a scenario in canonical spelling. It draws every choice through `Choices`, so
that a property
test and a seeded campaign generate the same programs, and the first option of each choice is the simplest.

No conversation has more than one message: a repeated start shows only the current user turn of a longer one, which
is left open
(spec/relay/sources.toml).
"""

from __future__ import annotations

from bindproof.model import Json
from bindproof.suites import Choices

TEXTS = ("a", "", "ж✓", "two words", "\u2028\u0085", "x" * 64)
SCALARS = (None, True, False, 0, 1, -1, 2**53 - 1, 1.5, *TEXTS)
ODD_SCALARS = (
    0.1,
    -0.5,
    1e21,
    2.0**70,
    5e-324,
    1.7976931348623157e308,
    "\x00",
    "\x7f",
    "\U0001f600",
    "line\nbreak",
    'quote"',
    "back\\slash",
)
"""Values that some language is likely to have trouble with, of those that every language has.

What was found with values that are not here any more is kept in vectors, and told in docs/findings.md.
"""
KEYS = ("k", "l", "ж", "")
ODD_KEYS = ("constructor", "toJSON", "then", "length", "0", "a.b", "~/", "\U0001f600", "$ref")
CATEGORIES = (None, "llm", "tool", "custom", "agent", "weird")
HEADERS = ("h", "k", "tracestate", "TraceParent")
ODD_HEADERS = ("", "a\x00b", "H", "ж", "a b", "content-type", "traceparent", "x" * 300)
NAMES = ("gpt", "gpt", "other")
ODD_NAMES = ("", "ж", "a/b", "two words", "\U0001f600", "x" * 300, "line\nbreak")
LIMITS = (-(2**31), -2, -1, 0, 1, 2, 2**31 - 1)


def scenario(choices: Choices, dialect: str | None) -> Json:
    """Return one scenario. dialect: what the binding can say, None: anything; only `node` has an undefined."""
    drawer = _Drawer(choices, dialect in (None, "node"))
    steps: list[Json] = []
    for index in range(choices.integer(0, 2)):
        steps.append({"step": "register", "as": f"s{index}", "family": "subscriber", "name": f"s{index}"})
    for index in range(choices.integer(0, 3)):
        steps.append(drawer.intercept(f"i{index}"))
    for index in range(choices.integer(1, 3)):
        steps.append(drawer.program_step(index))
    return {"steps": steps}


class _Drawer:
    """Draws the parts of one scenario."""

    def __init__(self, choices: Choices, undefined: bool) -> None:
        self.choices = choices
        self.undefined = undefined
        self.markers = 0

    def program_step(self, index: int) -> Json:
        kind = self.choices.pick(("call", "call", "call", "helper", "flush"))
        if kind == "flush":
            return {"step": "flush"}
        name = self.choices.pick(ODD_NAMES if self.choices.chance(5) else NAMES)
        if kind == "helper":
            return {"step": "helper", "as": f"h{index}", "name": name, "request": self.request()}
        step: Json = {"step": "call", "as": f"c{index}", "name": name, "request": self.request()}
        if self.choices.chance(25):
            step["model"] = self.choices.pick(("m", "m-2"))
        if self.choices.chance(35):
            step["codec"] = self.codec()
        if self.choices.chance(25):
            step["provider"] = [self.choices.pick((self.answer(), self.raising()))]
        if self.choices.chance(10):
            step.setdefault("provider", []).insert(0, self.registering(f"late{index}"))
        return step

    def intercept(self, name: str) -> Json:
        step: Json = {"step": "register", "as": name, "family": "llm.request", "name": name}
        if self.choices.chance(40):
            step["priority"] = self.choices.pick(LIMITS)
        if self.choices.chance(20):
            step["break_chain"] = True
        step["do"] = [self.decision() for _ in range(self.choices.integer(0, 2))]
        if self.choices.chance(8):
            step["do"].append(self.raising())
        if self.choices.chance(12):
            step["do"].append(self.malformed())
        return step

    def decision(self) -> Json:
        kind = self.choices.pick(("marks", "marks", "header", "drop header", "content", "annotate", "omit"))
        if kind == "marks":
            count = self.choices.integer(1, 3)
            return {"op": "edit", "append": {"/pending_marks": [self.mark() for _ in range(count)]}}
        if kind == "header":
            value = self.value() if self.choices.chance(10) else self.choices.pick(TEXTS)
            return {"op": "edit", "set": {f"/request/headers/{self.choices.pick(HEADERS)}": value}}
        if kind == "drop header":
            return {"op": "edit", "set": {"/request/headers": {}}}
        if kind == "content":
            return {"op": "edit", "set": {"/request/content": {"messages": [], "x": self.value()}}}
        if kind == "annotate":
            return {"op": "edit", "set": {"/annotated_request": self.annotation()}}
        return {"op": "edit", "set": {"/annotated_request": None}}

    def malformed(self) -> Json:
        choices = [
            {"op": "edit", "set": {"": None}},
            {"op": "edit", "set": {"": "text"}},
            {"op": "edit", "remove": ["/request"]},
            {"op": "edit", "set": {"/request": None}},
            {"op": "edit", "set": {"/request/headers": None}},
            {"op": "edit", "set": {"/pending_marks": None}},
            {"op": "edit", "set": {"/pending_marks": [{"category": "llm"}]}},
            {"op": "edit", "set": {"/pending_marks": [{"name": 3}]}},
            {"op": "edit", "set": {"/pending_marks": [{"name": "m", "uuid": "u"}]}},
            {"op": "edit", "set": {"/pending_marks": [{"name": "m", "category_profile": "text"}]}},
            {"op": "edit", "set": {"/pending_marks": ["m"]}},
            {"op": "edit", "set": {"/pending_marks": {}}},
            {"op": "edit", "set": {"/pending_marks": [None]}},
            {"op": "edit", "set": {"/pending_marks": [{"name": "m", "data_schema": {"name": "n"}}]}},
            {"op": "edit", "set": {"/pending_marks": [{"name": "m", "category": 1}]}},
            {"op": "edit", "set": {"/pending_marks": [{"name": "m", "severity": "loud"}]}},
            {"op": "edit", "set": {"": []}},
            {"op": "edit", "set": {"": 0}},
            {"op": "edit", "set": {"/request": {}}},
            {"op": "edit", "set": {"/request": {"content": None}}},
            {"op": "edit", "set": {"/request/headers": []}},
            {"op": "edit", "set": {"/annotated_request": "text"}},
            {"op": "edit", "set": {"/annotated_request": {"messages": 1}}},
            {"op": "edit", "set": {"/bogus": None}},
        ]
        if self.undefined:
            choices.append({"op": "edit", "set": {"/pending_marks": [{"name": "m", "data": {"$none": True}}]}})
        return self.choices.pick(choices)

    def mark(self) -> Json:
        mark: Json = {"name": self.choices.pick(("m1", "m2", "m3", "", "ж", "a.b"))}
        if self.choices.chance(30):
            mark["category"] = self.choices.pick(CATEGORIES)
        if self.choices.chance(30):
            mark["category_profile"] = self.choices.pick(
                (None, {}, {"model_name": "m"}, {"subtype": "a.b", "free": [1]})
            )
        if self.choices.chance(40):
            mark["data"] = self.value()
        if self.choices.chance(20):
            mark["metadata"] = self.choices.pick((None, {"k": 1}, {"k": {"n": None}}, "text", [1]))
        if self.choices.chance(10):
            mark["data_schema"] = self.choices.pick((None, {"name": "n", "version": "1"}))
        if self.choices.chance(20) and isinstance(mark.get("metadata", {}), dict):
            mark["severity"] = self.choices.pick((None, "info", "error"))
        return mark

    def request(self) -> Json:
        headers = {self.header(): self.choices.pick(TEXTS) for _ in range(self.choices.integer(0, 2))}
        content: Json = {"messages": [self.message() for _ in range(self.choices.integer(0, 1))]}
        if self.choices.chance(40):
            content["model"] = self.choices.pick(("m", "m-2"))
        if self.choices.chance(20):
            content["free"] = self.value()
        return {"headers": headers, "content": content}

    def header(self) -> str:
        header: str = self.choices.pick(ODD_HEADERS if self.choices.chance(5) else HEADERS)
        return header

    def message(self) -> Json:
        return {"role": self.choices.pick(("user", "system")), "content": self.choices.pick(TEXTS)}

    def annotation(self) -> Json:
        annotation: Json = {"messages": [self.message() for _ in range(self.choices.integer(0, 1))]}
        if self.choices.chance(50):
            annotation["model"] = self.choices.pick(("m", "m-2"))
        if self.choices.chance(20):
            annotation["vendor"] = self.value()
        return annotation

    def codec(self) -> Json:
        codec: Json = {}
        if self.choices.chance(20):
            codec["encode"] = [{"op": "edit", "set": {"/content/encoded": self.value()}}]
        if self.choices.chance(5):
            part = self.choices.pick(("decode", "encode"))
            codec[part] = [self.choices.pick(({"op": "edit", "set": {"": None}}, self.raising()))]
        return codec

    def answer(self) -> Json:
        return {"op": "edit", "set": {"": self.value()}}

    def raising(self) -> Json:
        self.markers += 1
        return {"op": "raise", "text": f"boom-{self.markers}!"}

    def registering(self, name: str) -> Json:
        return {"op": "step", "step": {"step": "register", "as": name, "family": "subscriber", "name": name}}

    def value(self, depth: int = 2) -> Json:
        kind = self.choices.pick(("scalar", "scalar", "list", "object")) if depth else "scalar"
        if kind == "scalar":
            return self.choices.pick(ODD_SCALARS if self.choices.chance(10) else SCALARS)
        count = self.choices.integer(0, 2)
        if kind == "list":
            return [self.value(depth - 1) for _ in range(count)]
        return {self.key(): self.value(depth - 1) for _ in range(count)}

    def key(self) -> str:
        key: str = self.choices.pick(ODD_KEYS if self.choices.chance(10) else KEYS)
        return key
