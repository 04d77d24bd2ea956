"""Planted faults of the chapter *The stack*."""

from __future__ import annotations

from bindproof.suite_api import Fault
from bindproof.suites.interceptors.faults.spoiled_log import Spoiled, leaf, plant
from bindproof.suites.interceptors.reading import Invocation, Visit

FAULTS: dict[str, Fault] = {}


def _around_operation(s: Spoiled) -> list[tuple[Invocation, Visit, Visit]]:
    """Return plain layers right around a stack's operation, with the run that is the last inside them."""
    return [
        (call, one, one.inside[-1])
        for call in s.calls()
        if not call.in_registry
        for one in call.visits()
        if one.finished and one.place == len(call.layers) - 2 and call.is_probe(one.place) and one.inside
    ]


@plant(FAULTS, "swap_layers", "two layers are entered in the wrong order", "STK-001")
def _(s: Spoiled) -> bool:
    for call in s.calls():
        plain = [layer["layer"] == "record" and layer["times"] == 1 for layer in call.layers[:2]]
        seen = [layer.get("input") or layer.get("gives") for layer in call.layers[:2]]
        if plain == [True, True] and seen == [None, None] and len(call.layers) > 2:
            names = {call.layers[0]["as"]: call.layers[1]["as"], call.layers[1]["as"]: call.layers[0]["as"]}
            for record in s.log:
                if record.get("callback") in names:
                    record["callback"] = names[record["callback"]]
            return True
    return False


@plant(FAULTS, "skip_operation", "an empty stack does not run the operation", "STK-002")
def _(s: Spoiled) -> bool:
    bare = [c.root.inside[0] for c in s.calls() if len(c.layers) == 1 and not c.in_registry and c.root.inside]
    return any(s.unrun(one) for one in bare[:1])


@plant(FAULTS, "run_once_less", "the second of two runs of the rest is left out", "STK-003")
def _(s: Spoiled) -> bool:
    for _, one, last in _around_operation(s):
        if len(one.inside) > 1 and one.inside[-2].reply == last.reply and s.unrun(last):
            return True
    return False


@plant(FAULTS, "run_all_the_same", "the operation runs inside a layer that does not run it", "STK-004")
def _(s: Spoiled) -> bool:
    for call in s.calls():
        for one in call.visits():
            inner = call.layers[one.place or 0]
            if inner.get("times") == 0 and one.place == len(call.layers) - 2 and not call.in_registry:
                key = {"callback": f"{call.step['as']}.operation", "k": 0, "at": one.began}
                reply = call.step["does"][0]["gives"]
                records = [{"fact": "enter", **key, "given": one.given}, {"fact": "leave", **key, "reply": reply}]
                s.log[one.entered + 1 : one.entered + 1] = records
                return True
    return False


@plant(FAULTS, "leak_input", "the operation is given another request than the layer around it handed on", "STK-005")
def _(s: Spoiled) -> bool:
    return any(s.misgiven(last) for _, _, last in _around_operation(s)[:1])


@plant(FAULTS, "keep_result", "the call comes back with another result than its outermost layer gave", "STK-006")
def _(s: Spoiled) -> bool:
    for call in s.calls():
        if len(call.layers) > 1 and call.is_probe(0) and call.root.inside and not call.astray and not call.in_registry:
            return s.result(call, content="planted") if call.domain == "tool" else s.result(call, text="planted")
    return False


@plant(FAULTS, "copy_shared", "a shared layer is copied, and has not seen all of its entries", "STK-007")
def _(s: Spoiled) -> bool:
    for index, (_, (place, value)) in enumerate(s.reading.measures.items()):
        if value["entered"] > 0 and index == 0:
            s.log[place] = {**s.log[place], "value": {"entered": value["entered"] - 1}}
            return True
    return False


@plant(FAULTS, "slow_noop", "a layer that does nothing takes its time", "STK-008")
def _(s: Spoiled) -> bool:
    for one in s.passages("noop"):
        if s.untimed and one.inner and leaf(one.inner[0]) and one.outer.finished:
            s.delay((one.inner[0].left or 0) + 1, 5)
            return True
    return False
