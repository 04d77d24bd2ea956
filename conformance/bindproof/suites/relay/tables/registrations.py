"""The vectors about registrations: each rule in each family, on each level, in each kind of call in which it applies.

Enters: nothing. Leaves: the vectors of `spec/relay/vectors/registrations`, by file name. To write them:

    python -m bindproof.suites.relay.tables.registrations spec/relay/vectors/registrations
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, get_args

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.families import Family

Level = Literal["global", "scope", "plugin"]
Calls = Literal["calls", "streams"]
"""Streams have vectors of their own: some bindings cannot act them out."""

LLM_CALL: Final[Json] = {"step": "call", "as": "c", "name": "gpt"}
STREAM: Final[Json] = {"step": "call", "as": "c", "name": "gpt", "kind": "llm_stream"}
TOOL_CALL: Final[Json] = {"step": "call", "as": "t", "kind": "tool", "name": "t"}
SCOPE: Final[list[Json]] = [{"step": "start", "as": "S", "name": "S"}, {"step": "end", "as": "eS", "of": "S"}]
MARK: Final[Json] = {"step": "mark", "as": "m", "name": "m"}
ANY: Final[list[Json]] = [MARK, *SCOPE, TOOL_CALL, LLM_CALL]

DUE: Final[dict[Family, dict[Calls, list[Json]]]] = {
    "subscriber": {"calls": ANY, "streams": [STREAM]},
    "llm.request": {"calls": [LLM_CALL, {"step": "helper", "as": "h", "name": "gpt"}], "streams": [STREAM]},
    "llm.conditional": {
        "calls": [LLM_CALL, {"step": "helper", "as": "h", "name": "gpt", "kind": "llm.conditional"}],
        "streams": [STREAM],
    },
    "llm.execution": {"calls": [LLM_CALL]},
    "llm.stream": {"streams": [STREAM]},
    "llm.sanitize_request": {"calls": [LLM_CALL], "streams": [STREAM]},
    "llm.sanitize_response": {"calls": [LLM_CALL], "streams": [STREAM]},
    "tool.request": {"calls": [TOOL_CALL, {"step": "helper", "as": "h", "name": "t", "kind": "tool.request"}]},
    "tool.conditional": {"calls": [TOOL_CALL, {"step": "helper", "as": "h", "name": "t", "kind": "tool.conditional"}]},
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
"""Level → the rule that what is registered there runs; who tells global subscribers: EVT-006 and LIF-008."""

TAKEN: Final[dict[Level, list[str]]] = {"global": ["MID-005"], "scope": ["MID-005"], "plugin": ["MID-022", "MID-024"]}
"""Level → the rules that a name is taken there once, and that what a plugin has goes with it."""

UNTIL: Final[dict[Level, str]] = {"global": "", "scope": ", until it ends", "plugin": ", until that is taken back"}
"""Level → how long, in words."""

IN_WORDS: Final[dict[Level, str]] = {"global": "globally", "scope": "on a scope", "plugin": "by a plugin"}


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
        return f"{self.family.replace('.', '-').replace('_', '-')}-{self.level}-{self.calls}-{self.sort}"


def cells() -> Iterator[Cell]:
    """Yield the vectors of the table, in its order."""
    for family in get_args(Family):
        for calls, due in DUE[family].items():
            for level in get_args(Level):
                yield from _of_place(family, calls, level, due)


def _of_place(family: Family, calls: Calls, level: Level, due: list[Json]) -> Iterator[Cell]:
    where = family, level, calls
    words = f"{family}, registered {IN_WORDS[level]}, in {calls}"
    named = {"editions": EDITIONS[family]} if family in EDITIONS else {}
    stays = [] if (family, level) == ("subscriber", "global") else [RUNS[level]]
    order = [] if family in UNORDERED else ["MID-002", "MID-003"]
    first = "a name twice" if family in UNORDERED else "in order, and each name once"
    title, rules = f"{words}: {first}{UNTIL[level]}", [*order, *stays, *TAKEN[level]]
    vector = {"title": title, "exercises": list(dict.fromkeys(rules)), **named}
    yield Cell(*where, "order", {**vector, "scenario": {"steps": _order(family, level, due)}})
    if family in BREAKING:
        vector = {"title": f"{words}: one breaks the chain", "exercises": [BREAKING[family], *stays], **named}
        yield Cell(*where, "break", {**vector, "scenario": {"steps": _break(family, level, due)}})
    if level != "plugin":  # no step names what a plugin registered: MID-024 has it go with its plugin
        vector = {"title": f"{words}: one is taken back", "exercises": ["MID-006", "MID-007", *stays], **named}
        yield Cell(*where, "removal", {**vector, "scenario": {"steps": _removal(family, level, due)}})


def _order(family: Family, level: Level, due: list[Json]) -> list[Json]:
    """Names say one order, priorities another one, and the opposite of the priorities a third.

    Of three that have one priority, and are registered against their order, the last is refused: its name is taken. On
    a scope there are one of an inner scope and a global one besides, and beside a plugin one of the program's. What a
    scope or a plugin has is gone in the end.
    """
    put = [_register(family, name, level, priority=at) for name, at in (("k", 0), ("j", 7), ("l", -7), ("i", 0))]
    put.append({**_register(family, "k", level), "as": "k2"})
    if level == "scope":
        put += [{"step": "start", "as": "B", "name": "B"}, _register(family, "e", "scope", scope="B")]
        put.append(_register(family, "z", "global"))
        due = [*due, {"step": "end", "as": "eB", "of": "B"}]
    steps = _around(level, put, due, again=True)
    return [_register(family, "z", "global", priority=3), *steps] if level == "plugin" else steps


def _break(family: Family, level: Level, due: list[Json]) -> list[Json]:
    """The second of three breaks; a binding in which each does, or none, is told by the first or the last."""
    put = [_register(family, name, level, priority=at) for name, at in (("k", 0), ("j", 7), ("l", -7))]
    put[0]["break_chain"] = True
    return _around(level, put, due)


def _removal(family: Family, level: Level, due: list[Json]) -> list[Json]:
    put = [_register(family, name, level) for name in ("j", "k")]
    taken = [{"step": "deregister", "as": "dj", "of": "j"}, {"step": "flush", "as": "f"}]
    return _around(level, [*put, *taken], [*due, {"step": "deregister", "as": "again", "of": "j"}])


def _register(family: Family, name: str, level: Level, *, priority: int = 0, scope: str = "A") -> Json:
    step: Json = {"step": "register", "as": name, "family": family, "name": name}
    weight = {"priority": priority} if priority and family not in UNORDERED else {}
    return {**step, **weight, **({"scope": scope} if level == "scope" else {})}


def _around(level: Level, put: list[Json], due: list[Json], *, again: bool = False) -> list[Json]:
    """again: what is due is done once more behind the end of what a scope or a plugin has."""
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
    return [*steps, {"step": "flush", "as": "f"}, *_renamed(due)] if again else steps


def _renamed(due: list[Json]) -> list[Json]:
    """Return what is due with other ids and names, less what ends a scope that is no more."""
    own = {step["as"] for step in due}
    kept = [step for step in due if step.get("of", step["as"]) in own]
    return [{**step, **{key: f"{step[key]}2" for key in ("as", "of", "name") if key in step}} for step in kept]


def written(vector: Json) -> str:
    """Return the text of a vector's file: a step on each line."""
    head = {key: value for key, value in vector.items() if key != "scenario"}
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    steps = ",\n".join(f"    {json.dumps(step, ensure_ascii=False)}" for step in vector["scenario"]["steps"])
    return "\n".join(["{", *lines, '  "scenario": {"steps": [', steps, "  ]}", "}", ""])


def main(folder: Path) -> None:
    """Write the vectors of the table into a folder, and remove those that it has no more."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {f"{cell.name}.json": written(cell.vector) for cell in cells()}
    for path in folder.glob("*.json"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
