"""Generated scenarios of the C boundary: raw steps, whose arguments and replies are sometimes no texts, or not JSON.

Enters: a source of choices. Leaves: a scenario of raw steps. What ends the process of a library as it is stays to the
vectors, where it costs one scenario: null where a function is wanted, and a call or flush inside a callback.
"""

from __future__ import annotations

import json

from bindproof.core.model import Json
from bindproof.suites import Choices

LARGE = 2**21
BYTES: Json = {"bytes": "22ff22"}
NAMES = ("a", "b", "ж")
REQUESTS: tuple[Json, ...] = (
    {"headers": {}, "content": {"messages": []}},
    {"headers": {"h": "1"}, "content": {"messages": [], "model": "m"}},
    {"headers": {}, "content": 3},
)
MARKS: tuple[Json, ...] = ([], [{"name": "m"}], [{"name": "m"}, {"name": "", "data": [1]}])
ANSWERS: tuple[Json, ...] = ({"ok": True}, None, 1.5, "text", [])
NOT_JSON = ("", "{", "nul", '{"a":1}}')
MISSHAPEN = {
    "request": ("3", "[]", "{}", '{"headers":null,"content":1}', '{"headers":{}}'),
    "annotated_request": ("3", "[]", '"a"'),
    "pending_marks": ("3", "{}", "[3]", '[{"data":1}]', '[{"name":3}]'),
    "outcome": ("3", "{}", '{"request":null}', '{"request":{"headers":{}}}'),
    "decode": ("3", "null", "[]"),
}
"""JSON of another shape, by what it stands for."""

WHERE_NEEDED = {"call": ("name", "request", "out"), "helper": ("request", "out"), "outcome": ("handle", "out")}
"""Function → the arguments that are drawn as null."""


def raw_scenario(choices: Choices) -> Json:
    """Return a scenario of raw steps."""
    drawer = _Drawer(choices)
    steps = [drawer.subscriber(index) for index in range(choices.integer(0, 2))]
    steps += drawer.intercepts(choices.integer(0, 3))
    steps += [drawer.function(index) for index in range(choices.integer(1, 4))]
    return {"steps": steps}


class _Drawer:
    """Draws the steps of one scenario."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices

    def subscriber(self, index: int) -> Json:
        return _step("register_subscriber", f"s{index}", self.name())

    def intercepts(self, count: int) -> list[Json]:
        """Draw intercepts; where none of them can fail, one may call the helper, which runs them all."""
        steps = [self.intercept(index) for index in range(count)]
        if steps and not any("replies" in step for step in steps) and self.choices.chance(20):
            steps[0]["inside"] = "helper"
        return steps

    def intercept(self, index: int) -> Json:
        replies: Json = {}
        if self.choices.chance(60):
            replies["outcome"] = self.reply("outcome", self.outcome())
        if self.choices.chance(10):
            replies["status"] = self.choices.pick(("OK", "INTERNAL"))
        return _step("register_intercept", f"i{index}", self.name(), replies)

    def function(self, index: int) -> Json:
        kind = self.choices.pick(("call", "call", "helper", "outcome", "last_error"))
        draws = {"call": self.call, "helper": self.helper, "outcome": self.constructor, "last_error": self.last_error}
        return draws[kind](f"f{index}")

    def call(self, name: str) -> Json:
        given = self.name() | self.request()
        if self.choices.chance(20):
            given["model"] = self.choices.pick(("m", None, BYTES))
        replies: Json = {}
        if self.choices.chance(30):
            replies["decode"] = self.reply("decode", {"messages": []})
            if self.choices.chance(50):
                replies["encode"] = self.reply("encode", self.choices.pick(REQUESTS)["content"])
        if self.choices.chance(50):
            replies["provider"] = self.reply("provider", self.choices.pick(ANSWERS))
        return _step("call", name, self.with_null("call", given), replies)

    def helper(self, name: str) -> Json:
        given = self.name() | self.request()
        if self.choices.chance(10):
            given["name"] = None
        return _step("helper", name, self.with_null("helper", given))

    def constructor(self, name: str) -> Json:
        given: Json = {}
        if self.choices.chance(50):
            given["annotated_request"] = self.argument("annotated_request", {"messages": []})
        if self.choices.chance(50):
            given["pending_marks"] = self.argument("pending_marks", self.choices.pick(MARKS))
        return _step("outcome", name, self.with_null("outcome", given))

    def last_error(self, name: str) -> Json:
        return _step("last_error", name, {"thread": self.choices.pick(("own", "other"))})

    # -- parts --------------------------------------------------------------------------------------------------------

    def name(self) -> Json:
        if not self.choices.chance(20):
            return {}
        return {"name": self.choices.pick((*NAMES, *NAMES, None, BYTES))}

    def request(self) -> Json:
        if self.choices.chance(50):
            return {}
        if self.choices.chance(5):
            return {"request": {"text": '{"headers":{},"content":"', "pad": LARGE, "end": '"}'}}
        return {"request": self.argument("request", self.choices.pick(REQUESTS))}

    def outcome(self) -> Json:
        outcome: Json = {"request": self.choices.pick(REQUESTS)}
        if self.choices.chance(40):
            outcome["annotated_request"] = self.choices.pick((None, {"messages": []}))
        if self.choices.chance(40):
            outcome["pending_marks"] = self.choices.pick(MARKS)
        return outcome

    def argument(self, name: str, natural: Json) -> Json:
        """A JSON text; at times one that is not UTF-8, not JSON, or of another shape."""
        if not self.choices.chance(20):
            return json.dumps(natural, ensure_ascii=False)
        return self.choices.pick((*NOT_JSON, BYTES, *MISSHAPEN.get(name, ())))

    def reply(self, name: str, natural: Json) -> Json:
        """A callback's reply: as an argument, or null, or followed by so much space that it is counted."""
        if self.choices.chance(8):
            return None
        text = self.argument(name, natural)
        return {"text": text, "pad": LARGE} if isinstance(text, str) and self.choices.chance(8) else text

    def with_null(self, function: str, given: Json) -> Json:
        if not self.choices.chance(10):
            return given
        return given | {self.choices.pick(WHERE_NEEDED[function]): None}


def _step(function: str, name: str, given: Json, replies: Json = None) -> Json:
    step: Json = {"step": "raw", "as": name, "function": function}
    return step | ({"with": given} if given else {}) | ({"replies": replies} if replies else {})
