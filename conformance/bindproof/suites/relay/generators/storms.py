"""Generated storms: programs that begin at the same moment, on threads, as tasks, or as a language has it.

Enters: a source of choices, a dialect. Leaves: a scenario in canonical spelling whose programs can be told apart.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.scenario.storms import OWN, OWNER

SIZES = (2, 2, 3, 4, 8, 16, 64)

WAYS: dict[str | None, tuple[str, ...]] = {
    None: (*["own"] * 4, "tasks"),
    **dict.fromkeys(("node", "wasm"), ("tasks",)),
    **dict.fromkeys(("c", "go", "go-upstream", "rust"), ("threads",)),
}
"""Dialect → how programs of its language run at once; of all others in both ways.

Where no dialect is named every binding is sent the same storm, and few languages have both ways: so most are `own`.
That is on threads wherever there are some, so `tasks` are drawn for languages that have both.
"""

MARK: Json = {"name": "m", "data": {OWN: OWNER}}

REGISTERED: tuple[tuple[str, list[Json]], ...] = (
    ("llm.request", [{"op": "edit", "append": {"/pending_marks": [MARK]}}]),
    ("llm.request", [{"op": "edit", "set": {"/request/headers/x": "1", "/request/content/y": 1}}]),
    ("llm.execution", [{"op": "edit", "set": {"/w": 1}}]),
    ("llm.sanitize_request", [{"op": "edit", "set": {"/content/z": 1}}]),
    ("tool.request", [{"op": "edit", "set": {"/y": 1}}]),
    ("tool.execution", [{"op": "edit", "set": {"/result/w": 1}}]),
    ("tool.sanitize_request", []),
    ("mark.sanitize", [{"op": "edit", "set": {"/metadata": {"s": 1}}}]),
    ("start.sanitize", []),
    ("end.sanitize", []),
)
"""What may be registered before: a family with the ops of its callback."""


def storm_scenario(choices: Choices, dialect: str | None) -> Json:
    """Return a scenario that ends with a storm. dialect: what the binding can say, None: anything."""
    before = [_subscriber(f"s{index}") for index in range(choices.integer(1, 2))]
    for index in range(choices.integer(0, 4)):
        family, ops = choices.pick(REGISTERED)
        step = {"step": "register", "as": f"i{index}", "family": family, "name": f"i{index}", "do": ops}
        before.append(step | {"priority": choices.integer(-1, 1)})
    size, kind = choices.pick(SIZES), choices.pick(("llm", "tool", None))
    raises = choices.chance(30)
    programs = [_program(choices, str(index), kind, raises=raises) for index in range(size)]
    on = choices.pick(WAYS.get(dialect, ("threads", "tasks")))
    return {"steps": [*before, {"step": "storm", "as": "w", "on": on, "programs": programs}]}


def _subscriber(name: str) -> Json:
    return {"step": "register", "as": name, "family": "subscriber", "name": name}


def _program(choices: Choices, number: str, kind: str | None, *, raises: bool) -> list[Json]:
    kind, name = kind or choices.pick(("llm", "tool")), f"c{number}"
    call: Json = {"step": "call", "as": name, "name": name, "kind": kind}
    if kind == "llm":
        call |= {"request": {"headers": {}, "content": {"messages": [], OWN: name}}}
    else:
        call |= {"args": {OWN: name}}
    if raises and choices.chance(30):
        call["provider"] = [{"op": "raise", "text": f"boom-{number}!"}]
    else:
        call["provider"] = [{"op": "edit", "set": {f"/{OWN}" if kind == "llm" else f"/result/{OWN}": name}}]
    marks = [{"step": "mark", "as": f"m{number}", "name": f"m{number}"}] if choices.chance(30) else []
    scope = f"p{number}"
    start = {"step": "start", "as": scope, "name": scope}
    around = [*marks, call] if choices.chance(50) else [call, *marks]
    return [start, *around, {"step": "end", "as": f"e{number}", "of": scope}]
