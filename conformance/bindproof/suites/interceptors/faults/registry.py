"""Planted faults of the chapter *The tool registry*."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.suite_api import Fault
from bindproof.suites.interceptors.arguments import satisfies
from bindproof.suites.interceptors.faults.spoiled_log import PLANTED, Spoiled, leaf, plant
from bindproof.suites.interceptors.reading import Invocation

FAULTS: dict[str, Fault] = {}


def _derived(s: Spoiled, call: Invocation) -> bool:
    return any(step["as"] == call.step["on"] and step["step"] == "derive" for step in s.full["steps"])


def _succeed(s: Spoiled, wanted: Callable[[Invocation], bool]) -> bool:
    """Have a call that was refused come back as a success."""
    for call in s.calls():
        if call.in_registry and wanted(call):
            return s.result(call, is_error=False)
    return False


@plant(FAULTS, "know_the_unknown", "a call of an unknown tool is a success", "REG-001")
def _(s: Spoiled) -> bool:
    return _succeed(s, lambda call: call.tool is None and not _derived(s, call))


@plant(FAULTS, "take_any_arguments", "a call with invalid arguments is a success", "REG-002")
def _(s: Spoiled) -> bool:
    return _succeed(s, lambda call: call.tool is not None and not call.valid)


@plant(FAULTS, "change_arguments", "the handler is given other arguments", "REG-003")
def _(s: Spoiled) -> bool:
    for call in s.calls():
        if call.in_registry and call.accepted and not call.astray:
            for outer in [call.root, *call.visits()]:
                between = call.layers[(outer.place or 0) + 1 : -1] if outer.place is not None else [{}]
                around = outer.place == -1 or call.is_probe(outer.place or 0)
                if around and not between and outer.inside and leaf(outer.inside[0]):
                    return s.given(outer.inside[0], PLANTED)
    return False


@plant(FAULTS, "forget_the_id", "a result bears another id", "REG-004")
def _(s: Spoiled) -> bool:
    return any(s.result(call, tool_call_id="planted") for call in [c for c in s.calls() if c.in_registry][:1])


@plant(FAULTS, "pass_invalid_arguments", "a handler is given arguments that a layer made invalid", "REG-005")
def _(s: Spoiled) -> bool:
    for call in s.calls():
        for layer in call.layers if call.astray else ():
            made = [d["modify"] for d in layer.get("decisions", ()) if isinstance(d, dict) and "modify" in d]
            wrong = [one for one in made if not satisfies(call.tool["schema"], one)]
            checks = [visit for visit in call.visits() if visit.callback == layer.get("as")]
            if wrong and checks and checks[0].left is not None:
                key = {"callback": f"{call.place['as']}.{call.given['name']}", "k": 0, "at": checks[0].ended}
                reply = call.tool["does"][0]["gives"]
                records = [{"fact": "enter", **key, "given": wrong[0]}, {"fact": "leave", **key, "reply": reply}]
                s.log[checks[0].left + 1 : checks[0].left + 1] = records
                return True
    return False


@plant(FAULTS, "mix_results", "the results of several calls come in another order", "REG-006")
def _(s: Spoiled) -> bool:
    for index, record in enumerate(s.log):
        value = record.get("value")
        if record["fact"] == "done" and isinstance(value, list) and len(value) > 1:
            ids = [one["tool_call_id"] for one in value]
            mixed = [{**one, "tool_call_id": other} for one, other in zip(value, [*ids[1:], ids[0]], strict=True)]
            s.log[index] = {**record, "value": mixed}
            return True
    return False


@plant(FAULTS, "call_in_turn", "calls in parallel do not begin together", "REG-007")
def _(s: Spoiled) -> bool:
    parallel = [call for call in s.reading.calls if call.step.get("parallel") and call.root.inside and s.untimed]
    for call in parallel[1:2]:
        for record in s.log:
            if record.get("call") == call.lane:
                record["at"] += 5
        return True
    return False


@plant(FAULTS, "keep_dropped_tools", "a derived registry still has a tool that it should not", "REG-008")
def _(s: Spoiled) -> bool:
    return _succeed(s, lambda call: call.tool is None and _derived(s, call))
