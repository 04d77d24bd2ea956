"""What the vectors about registrations are made of: families, levels, kinds of calls, and the cells of their table.

Enters: nothing. Leaves: steps, and the text of files. Which vectors there are: `registrations`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.families import Family

Level = Literal["global", "scope", "plugin"]
Calls = Literal["calls", "streams", "helpers", "in flight", "storms"]
"""Kinds of calls; streams have vectors of their own, as some bindings cannot act them out."""

LLM_CALL: Final[Json] = {"step": "call", "as": "c", "name": "gpt"}
STREAM: Final[Json] = {"step": "call", "as": "c", "name": "gpt", "kind": "llm_stream"}
TOOL_CALL: Final[Json] = {"step": "call", "as": "t", "kind": "tool", "name": "t"}
SCOPE: Final[list[Json]] = [{"step": "start", "as": "S", "name": "S"}, {"step": "end", "as": "eS", "of": "S"}]
MARK: Final[Json] = {"step": "mark", "as": "m", "name": "m"}
ANY: Final[list[Json]] = [MARK, *SCOPE, TOOL_CALL, LLM_CALL]

DUE: Final[dict[Family, dict[Calls, list[Json]]]] = {
    "subscriber": {"calls": ANY, "streams": [STREAM]},
    "llm.request": {
        "calls": [LLM_CALL],
        "streams": [STREAM],
        "helpers": [{"step": "helper", "as": "h", "name": "gpt"}],
    },
    "llm.conditional": {
        "calls": [LLM_CALL],
        "streams": [STREAM],
        "helpers": [{"step": "helper", "as": "h", "name": "gpt", "kind": "llm.conditional"}],
    },
    "llm.execution": {"calls": [LLM_CALL]},
    "llm.stream": {"streams": [STREAM]},
    "llm.sanitize_request": {"calls": [LLM_CALL], "streams": [STREAM]},
    "llm.sanitize_response": {"calls": [LLM_CALL], "streams": [STREAM]},
    "tool.request": {
        "calls": [TOOL_CALL],
        "helpers": [{"step": "helper", "as": "h", "name": "t", "kind": "tool.request"}],
    },
    "tool.conditional": {
        "calls": [TOOL_CALL],
        "helpers": [{"step": "helper", "as": "h", "name": "t", "kind": "tool.conditional"}],
    },
    "tool.execution": {"calls": [TOOL_CALL]},
    "tool.sanitize_request": {"calls": [TOOL_CALL]},
    "tool.sanitize_response": {"calls": [TOOL_CALL]},
    "mark.sanitize": {"calls": [MARK], "streams": [STREAM]},
    "start.sanitize": {"calls": [*SCOPE, TOOL_CALL, LLM_CALL], "streams": [STREAM]},
    "end.sanitize": {"calls": [*SCOPE, TOOL_CALL, LLM_CALL], "streams": [STREAM]},
    "event.metadata": {"calls": ANY, "streams": [STREAM]},
}
"""Family → the steps in which its callbacks are due. A list that is not there is empty: the family runs in no such
call."""

EDITIONS: Final[dict[Family, str]] = {
    "mark.sanitize": "0.6–",
    "start.sanitize": "0.6–",
    "end.sanitize": "0.6–",
    "event.metadata": "0.8–",
}
"""The editions that have a family, where that is not all of them."""

UNORDERED: Final = ("subscriber",)
"""Families that are registered without a priority."""

BREAKING: Final[dict[Family, str]] = {"llm.request": "OUT-006", "tool.request": "MID-013"}
"""Families that may break their chain → the rule about that."""

RUNS: Final[dict[Level, str]] = {"global": "MID-025", "scope": "MID-004", "plugin": "MID-021"}
"""Level → the rule that what is registered there runs; of global subscribers LIF-008 and EVT-006 say who is told."""

PHASES: Final[dict[Family, tuple[Family, ...]]] = {
    "llm.conditional": ("llm.request",),
    "llm.request": ("llm.conditional", "llm.execution"),
    "llm.execution": ("llm.request",),
    "llm.stream": ("llm.request",),
    "tool.conditional": ("tool.request",),
    "tool.request": ("tool.conditional", "tool.execution"),
    "tool.execution": ("tool.request",),
}
"""Families that run one after the other in a call → their neighbours, which stand beside to show the order."""

TAKEN: Final[dict[Level, list[str]]] = {"global": ["MID-005"], "scope": ["MID-005"], "plugin": ["MID-022", "MID-024"]}
"""Level → the rules that a name is taken there once, and that what a plugin has goes with it."""

UNTIL: Final[dict[Level, str]] = {"global": "", "scope": ", until it ends", "plugin": ", until that is taken back"}
"""Level → how long, in words."""

IN_WORDS: Final[dict[Level, str]] = {"global": "globally", "scope": "on a scope", "plugin": "by a plugin"}


_PLAIN: Final = str.maketrans("._ ", "---")


class Cell(Struct, frozen=True):
    """One vector: whose registrations it is about, where they are due, and what is in its file."""

    family: Family
    level: Level
    calls: Calls
    sort: str
    vector: Json

    @property
    def name(self) -> str:
        """The file's name, without the ending."""
        return f"{self.family}-{self.level}-{self.calls}-{self.sort}".translate(_PLAIN)


def runs(family: Family, level: Level, calls: Calls) -> list[str]:
    """Return the rules that what is registered so runs."""
    if (family, level) == ("subscriber", "global"):
        return ["LIF-008", "EVT-006"] if calls == "calls" else ["LIF-008"]
    return [RUNS[level], "HLP-003"] if calls == "helpers" else [RUNS[level]]


def register(family: Family, name: str, level: Level, *, priority: int = 0, scope: str = "A") -> Json:
    """Return a step that registers on a level."""
    step: Json = {"step": "register", "as": name, "family": family, "name": name}
    weight = {"priority": priority} if priority and family not in UNORDERED else {}
    return {**step, **weight, **({"scope": scope} if level == "scope" else {})}


def around(level: Level, put: list[Json], due: list[Json], *, again: bool = False) -> list[Json]:
    """Return a program that registers on a level, and what is due there.

    again: what is due is done once more behind the end of what a scope or a plugin has."""
    listener: Json = {"step": "register", "as": "s", "family": "subscriber", "name": "s"}
    if level == "plugin":
        install = {"step": "install", "as": "p", "do": [{"op": "step", "step": step} for step in put]}
        steps = [listener, install, *due, {"step": "uninstall", "as": "u", "of": "p"}]
    elif level == "scope":
        steps = [
            listener,
            {"step": "start", "as": "A", "name": "A"},
            *put,
            *due,
            {"step": "end", "as": "eA", "of": "A"},
        ]
    else:
        return [listener, *put, *due]
    return [*steps, {"step": "flush", "as": "f"}, *renamed(due)] if again else steps


def together(plugins: list[str], lists: list[list[Json]], due: list[Json]) -> list[Json]:
    """Return a program whose plugins register what their lists say, and what is due there, and once more behind."""
    ops = [[{"op": "step", "step": step} for step in own] for own in lists]
    install = {"step": "install", "as": "p", "plugins": plugins, "do": [{"op": "each", "ops": ops}]}
    listener: Json = {"step": "register", "as": "s", "family": "subscriber", "name": "s"}
    gone = [{"step": "uninstall", "as": "u", "of": "p"}, {"step": "flush", "as": "f"}]
    return [listener, install, *due, *gone, *renamed(due)]


def renamed(due: list[Json], by: str = "2") -> list[Json]:
    """Return what is due with other ids and names, less what ends a scope that is no more."""
    own = {step["as"] for step in due}
    kept = [step for step in due if step.get("of", step["as"]) in own]
    return [{**step, **{key: f"{step[key]}{by}" for key in ("as", "of", "name") if key in step}} for step in kept]


def written(vector: Json) -> str:
    """Return the text of a vector's file: a step on each line."""
    head = {key: value for key, value in vector.items() if key != "scenario"}
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    steps = ",\n".join(f"    {json.dumps(step, ensure_ascii=False)}" for step in vector["scenario"]["steps"])
    return "\n".join(["{", *lines, '  "scenario": {"steps": [', steps, "  ]}", "}", ""])


def put(folder: Path, texts: dict[str, str]) -> None:
    """Write files into a folder, and remove those vectors that it has besides."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.json"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
