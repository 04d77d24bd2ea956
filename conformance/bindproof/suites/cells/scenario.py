"""A scenario of `cells` in its complete form, and what the language's model alone cannot refuse.

Enters: a scenario as a vector or a generator states it. Leaves: the complete scenario, or what breaks the language.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bindproof.suite_api import Json
from bindproof.suites.cells.asks import dues
from bindproof.suites.cells.language import Scenario

NAMING = ("latch", "call", "leave", "notify")
"""The statements that have a name of their own."""


class ScenarioError(ValueError):
    """A scenario breaks its language; the message says where and what to do."""


def complete(scenario: Json) -> Json:
    """Return a scenario in full form. Raises ScenarioError when it breaks its language, with the offending part."""
    full = _read(scenario)
    full = {key: value for key, value in full.items() if value is not None}
    if len(full) != 1:
        raise ScenarioError("a scenario has either `steps`, `asks` or `frames`")
    if "asks" in full:
        try:
            dues(full["asks"])
        except ValueError as error:
            raise ScenarioError(str(error)) from None
    if "steps" in full:
        cells = {step["as"]: step["session"] for step in full["steps"] if step["step"] == "create"}
        for step in full["steps"]:
            if "session" in step and step["session"] is None:
                step["session"] = cells.get(step["cell"], "s")
        _check_names(full["steps"], cells)
    return full


def _read(scenario: Json) -> Json:
    try:
        return msgspec.to_builtins(msgspec.convert(scenario, Scenario))
    except msgspec.ValidationError as error:
        raise ScenarioError(f"not a scenario: {error}; spec/cells/scenarios.md has the language") from None


def brief(full: Json) -> Json:
    """Return a complete scenario as one would write it. Raises ScenarioError for what is no scenario."""
    full = complete(full)
    cells = {step["as"]: step["session"] for step in full.get("steps", ()) if step["step"] == "create"}
    return {kind: [_brief(part, cells) for part in parts] for kind, parts in full.items()}


def _brief(part: Json, cells: dict[str, str]) -> Json:
    defaults: Json = {"count": 1, "within": None, "detail": None, "input": "ping", "fails": False, "about": "cancel"}
    defaults |= {"url": "data:image/png;base64,AAAA", "versions": [1], "required": [], "optional": []}
    defaults |= {"key": None, "number": None, "chosen": False}
    defaults["id"] = 77 if part.get("frame") == "stray" else 1
    defaults["session"] = cells.get(part["cell"], "s") if "cell" in part else "s"
    short = {key: value for key, value in part.items() if key not in defaults or value != defaults[key]}
    if "program" in short:
        short["program"] = [_brief(statement, cells) for statement in short["program"]]
    return short


def _check_names(steps: list[Json], cells: dict[str, str]) -> None:
    taken: set[str] = set()
    for name in _given(steps):
        if name in taken:
            raise ScenarioError(f"{name!r} is the name of two cells or observations: give each its own")
        taken.add(name)
    for step in steps:
        names = [one["name"] for one in step.get("program", ()) if one["do"] in NAMING]
        if len(set(names)) < len(names):
            raise ScenarioError(f"two calls of the cell {step['as']!r} have one name: give each its own")
        if step["step"] == "observe" and step["count"] > 1 and step["within"] is not None:
            raise ScenarioError(f"{step['as']!r}: several observations at once have no deadline")
    for step in steps:
        if step["step"] in ("reach", "release", "lost") and step["cell"] not in cells:
            raise ScenarioError(f"there is no cell {step['cell']!r}")
        if "of" in step and step["of"] not in taken:
            raise ScenarioError(f"there is no observation {step['of']!r}")


def _given(steps: list[Json]) -> Iterator[str]:
    yield from (step["as"] for step in steps if "as" in step)
