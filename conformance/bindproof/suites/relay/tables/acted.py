"""Faults about registrations, acted out: what a binding that has the fault does is what a right one does with another
program.

Enters: a complete scenario with its lawful log, a family and a level, and how a program is acted out. Leaves: the log
of a binding that has the fault in what is registered so. Must not know the checks, nor how a program is acted out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Final, get_args

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.families import AROUND, BEFORE, CONDITIONALS, OF_ONE_KIND, Family
from bindproof.suites.relay.tables import acted_plugins
from bindproof.suites.relay.tables import acted_records as records
from bindproof.suites.relay.tables.cells import BREAKING, DUE, PHASES, RUNS, Calls, Cell, Level
from bindproof.suites.relay.tables.place import Log, Place


class ActedFault(Struct, frozen=True):
    """One fault: on which level it breaks which rule, what it is in words, and what it makes of a run.

    spoil: returns None where the fault changes nothing. families, calls: those that it is about, where not all.
    """

    name: str
    title: str
    breaks: Mapping[Level, str]
    spoil: Callable[[Place], Log | None]
    families: tuple[Family, ...] = ()
    calls: tuple[Calls, ...] = ()

    def acted(self, place: Place) -> Log | None:
        """Return the log of a binding that has the fault, or None where it is as that of one that has not."""
        log = self.spoil(place)
        return None if log == place.log else log

    @property
    def also(self) -> Mapping[str, str]:
        """The rules that it rightly breaks besides, each with the reason."""
        return ALSO.get(self.name, {})

    def rule_in(self, family: Family, level: Level, calls: Calls) -> str:
        """Return the rule that it breaks in such a place, or nothing."""
        there = (not self.families or family in self.families) and (not self.calls or calls in self.calls)
        return self.breaks.get(level, "") if there else ""

    def is_about(self, rule: str, family: Family) -> bool:
        """Tell whether it breaks a rule in a family, on some level."""
        return rule in self.breaks.values() and (not self.families or family in self.families)

    def broken_in(self, cell: Cell) -> str:
        """Return the rule that it breaks in a cell's vector, or nothing."""
        rule = self.rule_in(cell.family, cell.level, cell.calls)
        return rule if rule in cell.vector["exercises"] else ""


def _priorities(change: Callable[[int], int]) -> Callable[[Place], Log | None]:
    def spoil(place: Place) -> Log | None:
        def changed(full: Json) -> bool:
            for step in place.registers(full):
                step["priority"] = change(step["priority"])
            return True

        return place.otherwise(changed)

    return spoil


def _ties_backwards(place: Place) -> Log | None:
    """Exchange the names of what has one priority and one level."""

    def changed(full: Json) -> bool:
        tied = defaultdict(list)
        for step in place.registers(full):
            tied[step["priority"], step["scope"]].append(step)
        for steps in tied.values():
            names = sorted({step["name"] for step in steps})
            became = dict(zip(names, reversed(names), strict=True))
            for step in steps:
                step["name"] = became[step["name"]]
        return place.family != "subscriber"

    return place.otherwise(changed)


def _levels_mixed(place: Place) -> Log | None:
    """Register on the scope what the program has globally; the order of injectors asks for no level."""

    def changed(full: Json) -> bool:
        scopes = [step["scope"] for step in place.registers(full)]
        others = [step for step in full["steps"] if step["step"] == "register" and step["family"] == place.family]
        others = [step for step in others if step["scope"] == "global"]
        for step in others:
            step["scope"] = scopes[0]
        return bool(others) and place.family not in ("subscriber", "event.metadata")

    return place.otherwise(changed)


def _silent(place: Place) -> Log | None:
    """Let it do nothing, and take out that it ran, or was told."""
    names = place.names()

    def changed(full: Json) -> bool:
        for step in place.registers(full):
            step["do"], step["break_chain"] = [], False
        return True

    log = place.otherwise(changed)
    return log and [
        record
        for record in log
        if str(record.get("callback", "")).split(".", maxsplit=1)[0] not in names
        and (record["fact"] != "event" or record["subscriber"] not in names)
    ]


def _outlives(place: Place) -> Log | None:
    """Register globally what is a scope's."""

    def changed(full: Json) -> bool:
        for step in place.registers(full):
            step["scope"] = "global"
        return True

    return place.otherwise(changed)


def _answers(kind: str, answer: Json) -> Callable[[Place], Log | None]:
    """Let each step of a kind that speaks of it answer so where it answers something else."""

    def spoil(place: Place) -> Log | None:
        names = place.names()
        own = {step["as"] for step in place.full["steps"] if step["step"] == kind and step["of"] in names}
        return [
            {**record, "value": answer} if record.get("step") in own and "value" in record else record
            for record in place.log
        ]

    return spoil


def _taken_again(place: Place) -> Log | None:
    """Let each of its registrations succeed."""
    names = place.names()
    return [
        {"fact": "done", "step": record["step"], "value": None}
        if record.get("step") in names and "error" in record
        else record
        for record in place.log
    ]


def _kept(kind: str) -> Callable[[Place], Log | None]:
    """Do nothing in place of a step that takes it back, and say the same."""

    def spoil(place: Place) -> Log | None:
        names = place.names() | {step["as"] for step in place.full["steps"] if step["step"] == "install"}
        said = {record["step"]: record for record in place.log if record["fact"] == "done"}
        gone: set[str] = set()

        def changed(full: Json) -> bool:
            for at, step in enumerate(full["steps"]):
                if step["step"] == kind and step["of"] in names and said[step["as"]].get("value") is not False:
                    full["steps"][at] = {"step": "current", "as": step["as"]}
                    gone.add(step["as"])
            return bool(gone)

        log = place.otherwise(changed)
        return log and [said[record["step"]] if record.get("step") in gone else record for record in log]

    return spoil


def _unbroken(place: Place) -> Log | None:
    """Break no chain."""

    def changed(full: Json) -> bool:
        broken = [step for step in place.registers(full) if step["break_chain"]]
        for step in broken:
            step["break_chain"] = False
        return bool(broken)

    return place.otherwise(changed)


def _everywhere(rule: str) -> dict[Level, str]:
    return {"global": rule, "scope": rule, "plugin": rule}


def _with_gates(change: Callable[[Json], None]) -> Callable[[Place], Log | None]:
    """Let gates decide otherwise, and be told of as they are."""

    def spoil(place: Place) -> Log | None:
        def changed(full: Json) -> bool:
            for step in full["steps"]:
                if step["step"] == "gate":
                    change(step)
            return True

        said = {record["step"]: record for record in place.log if record["fact"] == "done"}
        ungates = {step["as"] for step in place.full["steps"] if step["step"] == "ungate"}
        log = place.otherwise(changed)
        return log and [said[record["step"]] if record.get("step") in ungates else record for record in log]

    return spoil


def _lets_pass(gate: Json) -> None:
    gate["reason"] = None


def _keeps_out(gate: Json) -> None:
    if gate["raises"]:
        gate["raises"], gate["reason"] = None, "ill"


def _both(rule: str) -> dict[Level, str]:
    return {"global": rule, "scope": rule}


def _gated(rule: str) -> dict[Level, str]:
    return {"global": rule, "plugin": rule}


IN_FLIGHT: Final[tuple[Calls, ...]] = ("in flight",)
HELPED: Final = tuple(family for family, due in DUE.items() if "helpers" in due)
AWAITED: Final = tuple(family for family in get_args(Family) if family not in OF_ONE_KIND)
NOT_SUBSCRIBERS: Final[tuple[Family, ...]] = tuple(family for family in get_args(Family) if family != "subscriber")

UNHEARD: Final = dict.fromkeys(
    ("LIF-008", "TOL-007", "STR-005", "EVT-006", "EVT-015"), "a subscriber that is told nothing misses each event"
)
DUE_STILL: Final = dict.fromkeys(
    (*UNHEARD, "MID-021", "HLP-003"), "what was taken a second time is due, and was never registered"
)
TOLD_ON: Final = {"LIF-008": "a subscriber that should be gone is told of calls"}
NOT_RUN: Final = {
    "MID-025": "a helper is one of the places where what is global runs",
    "MID-004": "a helper is one of the places where what a scope owns runs",
    "MID-021": "a helper is one of the places where what a plugin installed runs",
    "HLP-003": "in a helper it does not run either",
    "MID-009": "of a conditional that does not run a guardrail is told all the same",
    "EVT-051": "a guardrail is told of that was none, as its conditional did not run",
}
OF_ANOTHER: Final = {"MID-027": "what no call was to run is taken for what the next one runs, which has another name"}
ORDERED: Final = {
    "OUT-005": "who is next in the chain is given what another left",
    "MID-009": "the guardrails have the names that were put in order",
}
ALSO: Final[Mapping[str, Mapping[str, str]]] = {
    "phase": {
        "MID-002": "out of its phase it is behind those of a higher priority",
        "MID-009": "its guardrail is told of where it should have run",
        "MID-018": "what was entered early has what runs then inside it",
        "TOL-014": "what was entered early has what runs then inside it",
    },
    "negated": {"OUT-005": ORDERED["OUT-005"]},
    "ignored": {"OUT-005": ORDERED["OUT-005"]},
    "names": ORDERED,
    "levels": dict.fromkeys(("MID-025", "HLP-003"), "what is as a scope's ends with the scope"),
    "silent": {rule: NOT_RUN[rule] for rule in ("HLP-003", "MID-009", "EVT-051")},
    "untold": UNHEARD,
    "outlives": {**TOLD_ON, "MID-003": "it has the place of what is global"},
    "unhelped": {rule: why for rule, why in NOT_RUN.items() if rule != "HLP-003"},
    "twice": DUE_STILL,
    "stays": {**TOLD_ON, "MID-006": "it is there when it is taken back again"},
    "keeps": TOLD_ON,
    "unsaid": dict.fromkeys(
        ("LIF-005", "LIF-008", "STR-005", "HLP-003", "TOL-005"), "a call that was answered has what others have"
    ),
    "unended": {"MID-009": "no guardrail is told of what should not have run"},
    "overtaken": dict.fromkeys(
        ("MID-001", "MID-009", "HLP-003"), "what is entered inside another has not its own place"
    ),
    "guards": {"EVT-002": "an end is told to who was not told its start"},
    "left": dict.fromkeys(("LIF-001", "LIF-008", "TOL-007"), "a call in flight is a call, and has an end"),
    "came": {"LIF-008": "a call in flight is a call, and its subscribers are those at its start"},
    "sanitized": {"LIF-006": "the end does not show the answer"},
    "owned": {"LIF-006": "the end does not show the answer"},
    "installed": {"LIF-006": "the end does not show the answer"},
    "let in": {**TOLD_ON, **OF_ANOTHER},
    "kept out": dict.fromkeys(("MID-025", "MID-021", "HLP-003"), "what no gate keeps out runs where it is due"),
    "gates": {**TOLD_ON, **OF_ANOTHER, "GAT-001": "the gate that was taken keeps nothing out"},
}
"""Fault → the rules that it rightly breaks besides, each with the reason. All else is broken by its own rule alone."""

FAULTS: Final = (
    ActedFault(
        "phase", "it runs in another phase of the call", _everywhere("MID-001"), records.out_of_phase, tuple(PHASES)
    ),
    ActedFault("negated", "priorities are negated", _everywhere("MID-002"), _priorities(lambda at: -at)),
    ActedFault("ignored", "priorities are ignored", _everywhere("MID-002"), _priorities(lambda at: 0)),
    ActedFault("names", "of equal priority the last name runs first", _everywhere("MID-003"), _ties_backwards),
    ActedFault("levels", "what is global is as what a scope owns", {"scope": "MID-003"}, _levels_mixed),
    ActedFault("silent", "it does not run", RUNS, _silent, NOT_SUBSCRIBERS),
    ActedFault("untold", "it is told nothing", {**RUNS, "global": "LIF-008"}, _silent, ("subscriber",)),
    ActedFault("unmarked", "it is told of no mark", {"global": "EVT-006"}, records.marks_untold, ("subscriber",)),
    ActedFault("outlives", "it outlives its scope", {"scope": "MID-004"}, _outlives),
    ActedFault("unhelped", "helpers do not run it", _everywhere("HLP-003"), _silent, HELPED, ("helpers",)),
    ActedFault(
        "twice", "a taken name is taken", {"global": "MID-005", "scope": "MID-005", "plugin": "MID-022"}, _taken_again
    ),
    ActedFault("always", "deregistering says true", _both("MID-006"), _answers("deregister", True)),
    ActedFault("never", "deregistering says false", _both("MID-006"), _answers("deregister", False)),
    ActedFault("stays", "deregistering does nothing", _both("MID-007"), _kept("deregister")),
    ActedFault("keeps", "taking a plugin back does nothing", {"plugin": "MID-024"}, _kept("uninstall")),
    ActedFault("renamed", "plugins come by no name of theirs", {"plugin": "MID-032"}, acted_plugins.by_other_names),
    ActedFault("misasked", "plugins are asked in another order", {"plugin": "MID-031"}, acted_plugins.asked_in_turn),
    *(
        ActedFault(f"unbroken-{family}", "it does not break its chain", _everywhere(rule), _unbroken, (family,))
        for family, rule in BREAKING.items()
    ),
    ActedFault("unsaid", "who is rejected is answered", _everywhere("MID-008"), records.unsaid, CONDITIONALS),
    ActedFault("unended", "what is behind a rejection runs", _everywhere("MID-008"), records.not_ended, CONDITIONALS),
    ActedFault("unguarded", "no guardrail is told of", _everywhere("MID-009"), records.unguarded, CONDITIONALS),
    ActedFault("misjudged", "guardrails say the opposite", _everywhere("MID-009"), records.misjudged, CONDITIONALS),
    ActedFault("traceless", "a rejection leaves no mark", _everywhere("MID-010"), records.unmarked, CONDITIONALS),
    ActedFault("overtaken", "it is not awaited", {"global": "MID-017"}, records.overtaken, AWAITED),
    ActedFault(
        "late",
        "who comes during a call is told its end",
        _both("LIF-008"),
        records.told_of_the_end,
        ("subscriber",),
        ("calls", "streams"),
    ),
    ActedFault(
        "guards",
        "who comes with a conditional is told of guardrails",
        _both("MID-026"),
        records.told_of_guardrails,
        ("subscriber",),
    ),
    ActedFault("left", "who goes is not told the end", _everywhere("FLT-006"), records.left_untold, ("subscriber",)),
    ActedFault("came", "who comes is told the end", _everywhere("FLT-006"), records.told_of_the_end, ("subscriber",)),
    ActedFault("unwrapped", "what goes wraps nothing", _everywhere("FLT-007"), records.gone, AROUND, IN_FLIGHT),
    ActedFault("wrapped", "what comes wraps it too", _everywhere("FLT-007"), records.wrapped_too, AROUND, IN_FLIGHT),
    ActedFault("not due", "what goes is not due any more", _everywhere("FLT-016"), records.gone, BEFORE, IN_FLIGHT),
    ActedFault("due too", "what comes is due too", _everywhere("FLT-016"), records.due_too, BEFORE, IN_FLIGHT),
    ActedFault(
        "sanitized",
        "what goes sanitizes the end",
        {"global": "FLT-008"},
        _kept("deregister"),
        ("llm.sanitize_response",),
        IN_FLIGHT,
    ),
    ActedFault(
        "owned",
        "what goes with its scope sanitizes the end",
        {"scope": "FLT-008"},
        _outlives,
        ("llm.sanitize_response",),
        IN_FLIGHT,
    ),
    ActedFault(
        "installed",
        "what goes with its plugin sanitizes the end",
        {"plugin": "FLT-008"},
        _kept("uninstall"),
        ("llm.sanitize_response",),
        IN_FLIGHT,
    ),
    ActedFault(
        "unclean",
        "what comes does not sanitize the end",
        _everywhere("FLT-008"),
        _silent,
        ("llm.sanitize_response",),
        IN_FLIGHT,
    ),
    ActedFault("let in", "a reason against it lets it in", _gated("GAT-001"), _with_gates(_lets_pass)),
    ActedFault(
        "kept out", "a gate that raises keeps it out", _gated("GAT-002"), _with_gates(_keeps_out), NOT_SUBSCRIBERS
    ),
    ActedFault("misgiven", "a gate is given another name", _gated("GAT-003"), records.misgiven),
    ActedFault("lying", "taking a gate back says the opposite", _gated("GAT-004"), records.gates_lie),
    ActedFault("gates", "a taken name of a gate is taken", _gated("GAT-005"), records.gate_taken_again),
)
"""The faults, in the order of the rules that they break."""
