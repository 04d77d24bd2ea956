"""The page of registrations: each rule in each family, on each level, in each kind of call, or why there is nothing.

`python docs/site/registrations.py` writes `docs/registrations.md`. Enters: the table of vectors, and the faults that
are acted out in them. Leaves: the page. A test holds that each fault is named where the page says so.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, get_args

from bindproof.core.paths import data_root
from bindproof.spec import load
from bindproof.suites.relay.scenario.families import Family
from bindproof.suites.relay.tables.acted import FAULTS
from bindproof.suites.relay.tables.registrations import BREAKING, DUE, UNORDERED, Calls, Cell, Level, cells

PAGE: Final = Path(__file__).parents[1] / "registrations.md"

WIDTH: Final = 118
"""Of a line of the page that is no row."""

ELSEWHERE: Final[Mapping[str, str]] = {
    "MID-002": "",
    "MID-003": "",
    "MID-025": "What a scope owns runs by MID-004, what a plugin registered by MID-021.",
    "MID-004": "What is global has no scope to end with, and what a plugin registers is global.",
    "MID-021": "It speaks of plugins alone.",
    "MID-005": "What has to do with the names of plugins is MID-022's.",
    "MID-022": "It speaks of plugins alone.",
    "MID-006": "No step names what a plugin registered: that goes with the plugin, by MID-024.",
    "MID-007": "No step names what a plugin registered: that goes with the plugin, by MID-024.",
    "MID-024": "It speaks of plugins alone.",
    "OUT-006": "It speaks of llm.request alone. MID-013 says so of tool.request, and no other family breaks a chain.",
    "MID-013": "It speaks of tool.request alone.",
}
"""Rule → why it has no cell on the other levels, or in the other families; in the order of the page."""

NO_SUCH_CALL: Final = "runs in no such call"


def page() -> str:
    """Return the page's text."""
    titles = {rule.id: rule.title for rule in load(data_root(), "relay").requirements.values()}
    parts = [line for rule, why in ELSEWHERE.items() for line in _section(rule, titles[rule], why)]
    return "\n".join([*_HEAD.splitlines(), "", *parts]).rstrip() + "\n"


_HEAD = """\
# Registrations: each rule in each family

What holds of registrations holds in each family, on each level, in each kind of call in which the family is due. A rule
has a table here: in a cell stand the vectors that put it to the test there, or the reason why there are none. `order`
in the row `tool.request` below *calls, scope* is the vector `relay/registrations/tool-request-scope-calls-order`.
Among *calls* are those of LLMs and of tools, helpers, scopes and marks, as far as the family is due in them.

Below its heading stand the faults that are acted out for each cell of a rule: what a binding with that fault in that
family, on that level, is seen to do. In each of its vectors the rule is broken by each fault that changes anything
there, beside all that the vector has else, and by one at least. `python docs/site/registrations.py` wrote this page;
`tests/suites/relay/test_acted_faults.py` acts the faults out."""


def _section(rule: str, title: str, elsewhere: str) -> Iterator[str]:
    yield f"## {rule} {title}"
    yield ""
    for fault in FAULTS:
        where = [level for level, broken in fault.breaks.items() if broken == rule]
        if where:
            only = "" if len(where) == len(levels(rule)) else f" ({', '.join(where)})"
            yield f"- Fault: {fault.title}{only}."
    if elsewhere:
        yield from textwrap.wrap(f"- Elsewhere: {elsewhere}", WIDTH, subsequent_indent="  ")
    yield ""
    columns = [(calls, level) for calls in get_args(Calls) for level in levels(rule)]
    yield "| family |" + "".join(f" {calls}, {level} |" for calls, level in columns)
    yield "|-|" + "-|" * len(columns)
    for family in families(rule):
        yield f"| `{family}` |" + "".join(f" {_cell(rule, family, level, calls)} |" for calls, level in columns)
    yield ""


def families(rule: str) -> tuple[Family, ...]:
    """Return the families that a rule speaks of, as rows of its table."""
    breaking = tuple(family for family, broken in BREAKING.items() if broken == rule)
    return breaking or get_args(Family)


def levels(rule: str) -> list[Level]:
    """Return the levels that a rule speaks of: those on which a fault breaks it."""
    return [level for level in get_args(Level) if any(fault.breaks.get(level) == rule for fault in FAULTS)]


def vectors_of(rule: str, family: Family, level: Level, calls: Calls) -> list[Cell]:
    """Return the vectors of a cell."""
    found = [cell for cell in cells() if (cell.family, cell.level, cell.calls) == (family, level, calls)]
    return [cell for cell in found if rule in cell.vector["exercises"]]


def reason(rule: str, family: Family, calls: Calls) -> str:
    """Return why a cell has no vectors; empty where it has to have some."""
    if calls not in DUE[family]:
        return NO_SUCH_CALL
    if family in UNORDERED and rule in ("MID-002", "MID-003"):
        return "has no priority"
    if family == "subscriber" and rule == "MID-025":
        return "EVT-006, LIF-008 say who is told"
    return ""


def _cell(rule: str, family: Family, level: Level, calls: Calls) -> str:
    sorts = [f"`{cell.sort}`" for cell in vectors_of(rule, family, level, calls)]
    return " ".join(sorts) or f"({reason(rule, family, calls)})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
