"""Generated programs of LLM calls: subscribers, request intercepts, calls, helpers.

Enters: a source of choices. Leaves: a scenario in canonical spelling.

No conversation has more than one message: a repeated start shows only the current user turn of a longer one, which is
left open (spec/relay/sources.toml).
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.parts import Parts, may_be_undefined

NAMES = ("gpt", "gpt", "other")
ODD_NAMES = ("", "ж", "a/b", "two words", "\U0001f600", "x" * 300, "line\nbreak")
LIMITS = (-(2**31), -2, -1, 0, 1, 2, 2**31 - 1)


def call_scenario(choices: Choices, dialect: str | None) -> Json:
    """Return one scenario. dialect: what the binding can say, None: anything."""
    drawer = _Drawer(choices, undefined=may_be_undefined(dialect))
    steps: list[Json] = []
    for index in range(choices.integer(0, 2)):
        steps.append({"step": "register", "as": f"s{index}", "family": "subscriber", "name": f"s{index}"})
    for index in range(choices.integer(0, 3)):
        steps.append(drawer.intercept(f"i{index}"))
    for index in range(choices.integer(1, 3)):
        steps.append(drawer.program_step(index))
    return {"steps": steps}


class _Drawer(Parts):
    """Draws the steps of one scenario."""

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
        if self.choices.chance(8):
            step |= self.read_answer()
        if self.choices.chance(10):
            step.setdefault("provider", []).insert(0, self.registering(f"late{index}"))
        return step

    def intercept(self, name: str) -> Json:
        step: Json = {"step": "register", "as": name, "family": "llm.request", "name": name}
        if self.choices.chance(40):
            step["priority"] = self.choices.pick(LIMITS)
        if self.choices.chance(20):
            step["break_chain"] = True
        step["do"] = [self.request_decision() for _ in range(self.choices.integer(0, 2))]
        if self.choices.chance(8):
            step["do"].append(self.raising())
        if self.choices.chance(12):
            step["do"].append(self.malformed())
        return step
