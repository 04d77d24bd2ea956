"""Generated scenarios of `interceptors`: small stacks of every kind of layer, short scripts, times that meet.

Enters: choices. Leaves: a scenario in the language, with its defaults left out where that is a choice. Must not know
adapters.
"""

from __future__ import annotations

from typing import Final

from bindproof.core.model import Json
from bindproof.suite_api import Choices
from bindproof.suites.interceptors.language import MOST_RUNS

TIMES: Final = (0, 1, 2, 3, 5, 10, 25, 100)
WAITS: Final = (0.0, 1.0, 2.0, 10.0, 100.0, 500.0, 0.5, 1.5, 7.25, 0.001, 30_000.0, 1e9)
FACTORS: Final = (2.0, 1.0, 1.5, 0.5, 3.0, 1.1, 10.0, 1.5, 0.0, 1e300, -2.0, -0.5, "NaN", "Infinity", "-Infinity")
TEXTS: Final = ("ok", "no", "", "ж", "a\nb")
ARGUMENTS: Final[tuple[Json, ...]] = ({}, {"n": 1}, {"n": 2, "x": []}, [], None, "text", {"n": "1"}, {"$any": True})
SCHEMAS: Final[tuple[Json, ...]] = (
    {},
    {"type": "object"},
    {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}},
)
NAMES: Final = ("t", "u")
PLAIN_ERRORS: Final = (
    "auth", "invalid_request", "response_format", "schema_validation", "tool_execution", "retry_exhausted",
)  # fmt: skip


def scenario(choices: Choices, dialect: str) -> Json:
    """Return a scenario; the dialect has no part in it."""
    return _Generator(choices).scenario()


class _Generator:
    """Draws one scenario."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.shares: list[str] = []
        self.named = 0

    def scenario(self) -> Json:
        self.shares = ["m1", "m2"][: self.choices.integer(0, 2)] if self.choices.chance(30) else []
        steps: list[Json] = [{"step": "share", "as": name} for name in self.shares]
        for index in range(2 if self.choices.chance(20) else 1):
            domain = self.choices.pick(("llm", "llm", "tool", "registry"))
            name = f"s{index}"
            steps.append(self.registry(name) if domain == "registry" else self.stack(name, domain))
            for _ in range(self.choices.integer(1, 2)):
                steps.append(self.call(name, domain, steps[-1] if steps[-1]["as"] == name else None))
            if self.choices.chance(20):
                steps += self.derived(name, domain)
        return {"steps": steps}

    def stack(self, name: str, domain: str) -> Json:
        return {"step": "stack", "as": name, "domain": domain, "layers": self.layers(domain, MOST_RUNS, timeouts=True)}

    def registry(self, name: str) -> Json:
        tools = [self.tool(one) for one in NAMES[: self.choices.integer(1, 2)]]
        jitter = any(tool.get("retry") is not None and tool["retry"].get("jitter") != 0 for tool in tools)
        layers = self.layers("tool", MOST_RUNS // 8, timeouts=not jitter)
        return {"step": "registry", "as": name, "layers": layers, "tools": tools}

    def derived(self, name: str, domain: str) -> list[Json]:
        step: Json = {"step": "derive", "as": f"{name}d", "of": name}
        if domain == "registry" and self.choices.chance(70):
            step[self.choices.pick(("only", "without"))] = [self.choices.pick(NAMES)]
        return [step, self.call(f"{name}d", domain, None)]

    def call(self, on: str, domain: str, fresh: Json) -> Json:
        self.named += 1
        name = f"c{self.named}"
        if domain == "registry":
            several = fresh is not None and self.choices.chance(30)
            if several and _told_apart(fresh["layers"]):
                inputs = [self.tool_request() for _ in range(self.choices.integer(1, 3))]
                return {"step": "all", "as": name, "on": on, "inputs": inputs, "parallel": self.choices.chance(60)}
            return {"step": "call", "as": name, "on": on, "input": self.tool_request()}
        call: Json = {"step": "call", "as": name, "on": on, "does": self.script(domain)}
        if self.choices.chance(50):
            call["input"] = self.tool_request() if domain == "tool" else self.llm_request()
        return call

    def layers(self, domain: str, most: int, *, timeouts: bool) -> list[Json]:
        found: list[Json] = []
        shares = list(self.shares)
        for _ in range(self.choices.integer(0, 4)):
            if self.choices.chance(65):
                found.append(self.record())
            layer = self.layer(domain, shares, timeouts=timeouts)
            if layer is not None and _runs(layer) <= most:
                most //= _runs(layer)
                found.append(layer)
        if self.choices.chance(65):
            found.append(self.record())
        return found

    def layer(self, domain: str, shares: list[str], *, timeouts: bool) -> Json:
        match self.choices.pick(("retry", "timeout", "noop", "logging", "approval", "shared", "record")):
            case "retry":
                return self.retry()
            case "timeout" if timeouts:
                return {"layer": "timeout", "duration": float(self.choices.pick((*TIMES, 0.5, 1.5, 99.999)))}
            case "logging":
                return {"layer": "logging", "level": self.choices.pick((None, "info", "debug", "trace"))}
            case "approval" if domain == "tool":
                return self.approval()
            case "shared" if shares:
                return {"layer": "shared", "of": shares.pop()}
            case "record":
                return self.busy_record(domain)
            case "noop":
                return {"layer": "noop"}
        return None

    def record(self) -> Json:
        self.named += 1
        return {"layer": "record", "as": f"r{self.named}"}

    def busy_record(self, domain: str) -> Json:
        layer = self.record()
        what = self.choices.pick(("times", "input", "gives", "stops"))
        if what == "times":
            layer["times"] = self.choices.integer(2, 3)
        elif what == "input":
            layer["input"] = {"arguments": self.choices.pick(ARGUMENTS)} if domain == "tool" else self.llm_request()
        else:
            layer["gives"] = self.outcome(domain)
            layer["times"] = 0 if what == "stops" else 1
        return layer

    def retry(self) -> Json:
        if self.choices.chance(20):
            return {"layer": "retry"}
        return {
            "layer": "retry",
            "max_attempts": self.choices.integer(1, 5),
            "initial_delay": self.choices.pick(WAITS),
            "max_delay": self.choices.pick((30_000.0, *WAITS)),
            "multiplier": self.choices.pick(FACTORS),
        }

    def approval(self) -> Json:
        self.named += 1
        decisions = [self.decision() for _ in range(self.choices.integer(1, 2))]
        return {"layer": "approval", "as": f"a{self.named}", "decisions": decisions}

    def decision(self) -> Json:
        kind = self.choices.pick(("allow", "allow", "deny", "modify"))
        if kind == "deny":
            return {"deny": self.choices.pick(TEXTS)}
        return kind if kind == "allow" else {"modify": self.choices.pick(ARGUMENTS)}

    def tool(self, name: str) -> Json:
        tool: Json = {"name": name, "schema": self.choices.pick(SCHEMAS), "does": self.script("tool")}
        if self.choices.chance(40):
            tool["retry"] = self.tool_retry()
        return tool

    def tool_retry(self) -> Json:
        retry: Json = {}
        if self.choices.chance(80):
            retry = {
                "max_retries": self.choices.integer(0, 4),
                "initial_backoff": self.choices.pick(WAITS),
                "max_backoff": self.choices.pick((5_000.0, *WAITS)),
                "backoff_multiplier": self.choices.pick((2.0, 1.0, 0.0, 0.5, 1.5, 3.0, 1.1)),
                "jitter": self.choices.pick((0.0, 0.0, 0.5, 1.0, 0.1)),
            }
        if self.choices.chance(30):
            retry["only_if"] = self.choices.pick(("no", ""))
        return retry

    def script(self, domain: str) -> list[Json]:
        return [
            {"after": self.choices.pick(TIMES), "gives": self.outcome(domain)}
            for _ in range(self.choices.integer(1, 3))
        ]

    def outcome(self, domain: str) -> Json:
        if domain == "tool":
            return {"content": self.choices.pick(TEXTS), "is_error": self.choices.chance(60)}
        kind = self.choices.pick(("text", "http", "http", "provider", "timeout", "plain", "max_depth_exceeded"))
        if kind == "text":
            return {"text": self.choices.pick(TEXTS)}
        if kind == "timeout":
            return {"error": {"kind": kind, "elapsed_ms": self.choices.pick(TIMES)}}
        if kind == "max_depth_exceeded":
            return {"error": {"kind": kind, "current": self.choices.integer(0, 2), "limit": self.choices.integer(0, 2)}}
        if kind == "plain":
            return {"error": {"kind": self.choices.pick(PLAIN_ERRORS), "message": self.choices.pick(TEXTS)}}
        return {"error": {"kind": kind, "message": self.choices.pick(TEXTS), "retryable": not self.choices.chance(15)}}

    def llm_request(self) -> Json:
        messages = [self.choices.pick(TEXTS) for _ in range(self.choices.integer(0, 2))]
        return {"messages": messages, "tools": list(NAMES[: self.choices.integer(0, 2)])}

    def tool_request(self) -> Json:
        return {"name": self.choices.pick(("t", "t", "u", "v")), "arguments": self.choices.pick(ARGUMENTS)}


def _runs(layer: Json) -> int:
    """Return how often a layer may run the rest."""
    runs = {"retry": layer.get("max_attempts", 3), "record": layer.get("times", 1)}
    return int(runs.get(layer["layer"], 1)) or 1


def _told_apart(layers: list[Json]) -> bool:
    """Tell whether several calls through these layers can be told apart."""
    kinds = [layer["layer"] for layer in layers]
    return kinds[:1] in (["record"], ["shared"]) and "logging" not in kinds
