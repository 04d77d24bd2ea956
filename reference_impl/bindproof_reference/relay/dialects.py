"""Chapter *Dialects* (DLC): how one binding spells what an intercept is given and returns.

Enters: the dialect as plain data. Leaves: names, outcomes in canonical spelling, errors as that binding words them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bindproof_reference.relay.values import Json

UNREAD = "wire:"
"""Prefix of a canonical name used where the dialect has its own.

A key that the binding must not read (DLC-005, DLC-006).
"""


UNDEFINED = frozenset({"$none"})
LACKING = frozenset({"$float", "$integer", "$function"})
"""How a scenario spells what JSON lacks: the only key of an object."""


def own_names(dialect: Json, kind: str, side: str) -> dict[str, str]:
    """Return canonical name → own name for one kind (`outcome`, `mark`) on one side (`argument`, `reply`, `helper`)."""
    table = dialect.get("spelling", {}).get(kind, {})
    return {canonical: entry["own"] for canonical, entry in table.items() if side in entry["sides"]}


def spoken_in(dialect: Json, edition: str) -> Json:
    """Return the dialect as it is spoken in one edition: `withheld` has what that holds back, by family."""
    entries = [entry for entry in dialect.get("withheld", ()) if edition in (entry.get("editions") or (edition,))]
    return {**dialect, "withheld": {entry["family"]: entry["arguments"] for entry in entries}}


def told(dialect: Json, family: str, given: Json) -> Json:
    """Return what a callback of the family is given, without what the binding does not tell it in this edition."""
    withheld = dialect["withheld"].get(family, ())
    return {name: value for name, value in given.items() if name not in withheld}


def spell(value: Json, names: dict[str, str]) -> Json:
    """Rename an object's keys from canonical to own names; other values pass."""
    if not names or not isinstance(value, dict):
        return value
    return {names.get(key, key): item for key, item in value.items()}


def read(value: Json, names: dict[str, str]) -> Json:
    """Rename an object's keys from own to canonical names; a canonical name that has an own one is marked unread."""
    if not names or not isinstance(value, dict):
        return value
    canonical = {own: name for name, own in names.items()}
    return {canonical.get(key, UNREAD + key if key in names else key): item for key, item in value.items()}


def read_outcome(reply: Json, dialect: Json) -> Json:
    """Return an intercept's reply in canonical spelling, marks included; malformed parts pass as they are (DLC-002)."""
    return read_marked(reply, own_names(dialect, "outcome", "reply"), dialect)


def read_marked(reply: Json, names: dict[str, str], dialect: Json) -> Json:
    """Return a reply whose members have these own names in canonical spelling, the marks in it too."""
    outcome = read(reply, names)
    if isinstance(outcome, dict) and isinstance(outcome.get("pending_marks"), list):
        names = own_names(dialect, "mark", "reply")
        outcome = outcome | {"pending_marks": [read(mark, names) for mark in outcome["pending_marks"]]}
    return outcome


def spell_outcome(outcome: Json, dialect: Json) -> Json:
    """Return a helper's outcome in the dialect's own names, marks included (DLC-003)."""
    names = own_names(dialect, "mark", "helper")
    if "pending_marks" in outcome:
        outcome = outcome | {"pending_marks": [spell(mark, names) for mark in outcome["pending_marks"]]}
    return spell(outcome, own_names(dialect, "outcome", "helper"))


def _is_at_once(step: Json) -> bool:
    return any(op.get("at_once") for op in _every_op(step))


def _subscriber_does(step: Json, op: str) -> bool:
    return step.get("family") == "subscriber" and any(one["op"] == op for one in _every_op(step))


def _every_op(step: Json) -> list[Json]:
    """Return the ops of a step's callbacks, those of some entries only too."""
    ops = [*step.get("do", ()), *step.get("provider", ())]
    return ops + [inner for op in ops if op["op"] == "each" for entry in op["ops"] for inner in entry]


_ASKING: Mapping[str, Callable[[Json], bool]] = {
    "async": lambda step: bool(step.get("async")),
    "odd": lambda step: bool(step.get("odd")),
    "measurements": lambda step: step.get("measurements") is not None,
    "codec.asked": lambda step: step["step"] in ("decode", "encode") and step["codec"] != "own",  # AUT-021
    "at_once": _is_at_once,
    "parameters": lambda step: bool(step.get("odd") == "no_parameters"),
    "subscriber": lambda step: _subscriber_does(step, "raise"),  # EVT-052
    "subscriber.wait": lambda step: _subscriber_does(step, "wait"),  # EVT-058
}
"""What a dialect lists as inexpressible → whether a step asks for it, those inside callbacks too."""


def asks_for(path: str, scenario: Json) -> bool:
    """Tell whether a scenario asks for what a dialect lists as inexpressible, where the scenario shows that."""
    if path == "program":
        return any(step["step"] not in ("worker", "load", "native") for step in scenario["steps"])
    if path == "native":
        return any(step["step"] in ("load", "native") for step in scenario["steps"])
    if path in ("threads", "tasks"):
        return any(step.get("on") == path for step in scenario["steps"])
    if path in ("cancel", "go_on", "raw", "worker"):
        return any(step["step"] == path for step in scenario["steps"])
    if path in _ASKING:
        return any(map(_ASKING[path], _with_inner(scenario["steps"])))
    if path == "build":  # DLC-008: of what is built, a dialect that lists this has requests alone
        built = [step for step in scenario["steps"] if step["step"] == "build"]
        return any(step["object"] != "request" or not step["value"].keys() <= {"headers", "content"} for step in built)
    if path == "end.annotation":  # EVT-039
        steps = _with_inner(scenario["steps"])
        calls = {step["as"] for step in steps if step["step"] == "start" and step["kind"] == "llm"}
        ends = [step for step in steps if step["step"] == "end" and step["of"] in calls]
        return any(step["annotation"] is not None or step["response_codec"] is not None for step in ends)
    if path == "no_json":
        return lacks_json(scenario)
    return path == "$none" and holds_undefined(scenario)


def providers_apart(scenario: Json) -> frozenset[str]:
    """Return the providers to which an intercept goes on several times at once, as callbacks are called."""
    registered = [step for step in _with_inner(scenario["steps"]) if step["step"] == "register" and _is_at_once(step)]
    kinds = {step["family"].removesuffix(".execution") for step in registered}
    return frozenset(
        f"{step['as']}.provider" for step in scenario["steps"] if step["step"] == "call" and step["kind"] in kinds
    )


def _with_inner(steps: list[Json]) -> list[Json]:
    """Return steps, and those that their callbacks do."""
    found = list(steps)
    for step in found:  # grows while it is read
        found += [op["step"] for op in _every_op(step) if op["op"] == "step"]
    return found


def holds_undefined(value: Json) -> bool:
    """Tell whether a value holds an undefined, `{"$none": true}`, anywhere (DLC-007)."""
    return _holds(UNDEFINED, value)


def lacks_json(value: Json) -> bool:
    """Tell whether a value holds anywhere what a program has and JSON lacks (DLC-012)."""
    return _holds(LACKING, value)


def as_null(value: Json) -> Json:
    """Return a value with null in place of what JSON lacks: as what it reads who takes it without a word."""
    if isinstance(value, dict):
        lacking = len(value) == 1 and not LACKING.isdisjoint(value)
        return None if lacking else {key: as_null(item) for key, item in value.items()}
    return [as_null(item) for item in value] if isinstance(value, list) else value


def _holds(words: frozenset[str], value: Json) -> bool:
    """Tell whether an object whose only key is one of these words stands anywhere in a value."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if type(part) is dict:
            if len(part) == 1 and not words.isdisjoint(part):
                return True
            waiting += part.values()
        elif type(part) is list:
            waiting += part
    return False
