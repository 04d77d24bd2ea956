"""The page of registrations: each rule in each family, on each level, in each kind of call, or why there is nothing.

`python docs/site/registrations.py` writes `docs/registrations.md`. Enters: the table of vectors, and the faults that
are acted out in them. Leaves: the page. A test holds that each fault is named where the page says so.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, get_args

from bindproof.core.paths import data_root
from bindproof.spec import load
from bindproof.suites.relay.scenario.families import Family
from bindproof.suites.relay.tables.acted import FAULTS, ActedFault
from bindproof.suites.relay.tables.cells import DUE, UNORDERED, Calls, Cell, Level
from bindproof.suites.relay.tables.registrations import cells

PAGE: Final = Path(__file__).parents[1] / "registrations.md"

WIDTH: Final = 118
"""Of a line of the page that is no row."""

_PLUGINS_ALONE = "It speaks of plugins alone."
_NO_NAME = "No step names what a plugin registered: that goes with the plugin, by MID-024."
_OUTSIDE = "No callback installs a plugin, so none comes while a conditional runs."
_GATED = "What a scope owns no gate keeps out, and beside a gate no plugin is installed."

ELSEWHERE: Final[Mapping[str, str]] = {
    "MID-001": "What is no phase of a call is due when events are published.",
    "MID-002": "",
    "MID-003": "",
    "MID-025": "What a scope owns runs by MID-004, what a plugin registered by MID-021.",
    "LIF-008": "That a subscriber is told at all is said for scopes by MID-004, for plugins by MID-021.",
    "EVT-006": "That a subscriber is told at all is said for scopes by MID-004, for plugins by MID-021.",
    "MID-004": "What is global has no scope to end with, and what a plugin registers is global.",
    "MID-021": _PLUGINS_ALONE,
    "HLP-003": "No helper runs the other families.",
    "MID-005": "What has to do with the names of plugins is MID-022's.",
    "MID-022": _PLUGINS_ALONE,
    "MID-006": _NO_NAME,
    "MID-007": _NO_NAME,
    "MID-024": _PLUGINS_ALONE,
    "MID-031": _PLUGINS_ALONE,
    "MID-032": _PLUGINS_ALONE,
    "OUT-006": "It speaks of llm.request alone. MID-013 says so of tool.request, and no other family breaks a chain.",
    "MID-013": "It speaks of tool.request alone.",
    "MID-008": "It speaks of conditionals alone.",
    "MID-009": "It speaks of conditionals alone.",
    "MID-010": "It speaks of conditionals alone.",
    "MID-017": "How a callback replies does not hang on its level: what is asynchronous here is global. Of "
    "subscribers and of what wraps an execution or a stream there is one kind alone.",
    "MID-026": f"It speaks of subscribers alone. {_OUTSIDE}",
    "FLT-006": "It speaks of subscribers alone.",
    "FLT-007": "It speaks of what wraps an execution alone.",
    "FLT-016": "It speaks of conditionals and request intercepts alone.",
    "FLT-008": "It speaks of what sanitizes an LLM's answer alone.",
    "GAT-001": _GATED,
    "GAT-002": _GATED,
    "GAT-003": _GATED,
    "GAT-004": _GATED,
    "GAT-005": _GATED,
}
"""Rule → why it has no cell on the other levels, or in the other families; in the order of the page."""

APART: Final[Mapping[Calls, Mapping[str, str]]] = {
    "calls": {"HLP-": "it speaks of helpers alone", "FLT-": "it speaks of calls in flight alone"},
    "streams": {
        "HLP-": "it speaks of helpers alone",
        "FLT-": "beside calls in flight there are no streams",
        "EVT-006": "a stream is no mark of the program's own",
        "MID-013": "no tool is a stream",
    },
    "helpers": {
        "MID-001": "a helper runs one family alone",
        "MID-010": "a helper that is rejected leaves no mark: HLP-006",
        "LIF-008": "helpers have no events but those of guardrails: MID-026",
        "EVT-006": "a helper is no mark",
        "FLT-": "no helper is in flight",
    },
    "in flight": {
        "HLP-": "no helper is in flight",
        "GAT-": "beside a gate no call is in flight",
        "LIF-008": "FLT-006 says it of calls in flight",
        "": "up to where it waits, a call in flight is as any other; what changes meanwhile FLT-006 to FLT-008 say",
    },
    "storms": {
        "HLP-": "programs that run at once make calls, and no helper",
        "GAT-": "before calls at once nothing stands but registrations",
        "FLT-": "who is first in what is open there, so nothing changes while they run",
        "": "of calls at once FLT-012 to FLT-015 say what holds of each; nothing is registered or taken back there",
    },
}
"""Kind of calls → the beginning of a rule → why no family has a vector of that kind there; the first that fits."""

NO_SUCH_CALL: Final = "runs in no such call"


@cache
def _all() -> list[Cell]:
    return list(cells())


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
Among *calls* are those of LLMs and of tools, scopes and marks, as far as the family is due in them. Other kinds are
streams, helpers, calls in flight and calls at once (*storms*). A kind of which a rule has no vector in any family has
no column; the reason stands above the table.

Below its heading stand the faults that are acted out for each cell of a rule: what a binding with that fault in that
family, on that level, is seen to do. In each of its vectors the rule is broken by each fault that changes anything
there, and by one at least. A fault breaks no other rule than what stands beside it as *besides*, with the reason.
`python docs/site/registrations.py` wrote this page; `tests/suites/relay/test_acted_faults.py` acts the faults out."""


def _section(rule: str, title: str, elsewhere: str) -> Iterator[str]:
    yield f"## {rule} {title}"
    yield ""
    for fault in FAULTS:
        where = [level for level, broken in fault.breaks.items() if broken == rule]
        if where and any(fault.is_about(rule, family) for family in families(rule)):
            only = "" if len(where) == len(levels(rule)) else f" ({', '.join(where)})"
            yield from _item(f"Fault: {fault.title}{only}.{_besides(fault, rule)}")
    if elsewhere:
        yield from _item(f"Elsewhere: {elsewhere}")
    shown = [calls for calls in get_args(Calls) if not apart(rule, calls)]
    for calls in get_args(Calls):
        if calls not in shown:
            yield from _item(f"{calls.capitalize()}: {apart(rule, calls)}.")
    yield ""
    columns = [(calls, level) for calls in shown for level in levels(rule)]
    yield "| family |" + "".join(f" {calls}, {level} |" for calls, level in columns)
    yield "|-|" + "-|" * len(columns)
    for family in families(rule):
        yield f"| `{family}` |" + "".join(f" {_cell(rule, family, level, calls)} |" for calls, level in columns)
    yield ""


def _item(text: str) -> list[str]:
    return textwrap.wrap(f"- {text}", WIDTH, subsequent_indent="  ")


def _besides(fault: ActedFault, rule: str) -> str:
    """Say what else a fault breaks: the rules of one reason together."""
    whys = dict.fromkeys(why for other, why in fault.also.items() if other != rule)
    said = [f"{', '.join(other for other, one in fault.also.items() if one == why)} ({why})" for why in whys]
    return f" Besides: {'; '.join(said)}." if said else ""


def families(rule: str) -> tuple[Family, ...]:
    """Return the families that a rule speaks of, as rows of its table: those in which a fault breaks it."""
    return tuple(family for family in get_args(Family) if any(fault.is_about(rule, family) for fault in FAULTS))


def levels(rule: str) -> list[Level]:
    """Return the levels that a rule speaks of: those on which a fault breaks it."""
    return [level for level in get_args(Level) if any(fault.breaks.get(level) == rule for fault in FAULTS)]


def apart(rule: str, calls: Calls) -> str:
    """Return why a rule has no vectors of a kind of calls, whatever the family; empty where it has some."""
    if any(rule in cell.vector["exercises"] for cell in _all() if cell.calls == calls):
        return ""
    return next((why for begin, why in APART[calls].items() if rule.startswith(begin)), "")


def vectors_of(rule: str, family: Family, level: Level, calls: Calls) -> list[Cell]:
    """Return the vectors of a cell."""
    found = [cell for cell in _all() if (cell.family, cell.level, cell.calls) == (family, level, calls)]
    return [cell for cell in found if rule in cell.vector["exercises"]]


def reason(rule: str, family: Family, calls: Calls) -> str:
    """Return why a cell has no vectors; empty where it has to have some."""
    if apart(rule, calls):
        return apart(rule, calls)
    if calls == "in flight":
        return ""
    if family == "subscriber" and rule == "MID-026":
        return ""
    if calls not in DUE[family]:
        return "no helper runs it" if calls == "helpers" else NO_SUCH_CALL
    if family in UNORDERED and rule in ("MID-002", "MID-003", "MID-032"):
        return "has no priority"
    return ""


def _cell(rule: str, family: Family, level: Level, calls: Calls) -> str:
    sorts = [f"`{cell.sort}`" for cell in vectors_of(rule, family, level, calls)]
    return " ".join(sorts) or f"({reason(rule, family, calls)})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
