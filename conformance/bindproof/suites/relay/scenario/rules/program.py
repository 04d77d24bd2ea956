"""What the steps of a scenario have to keep beyond their form: names that exist, ops that their callback can do.

Enters: a complete scenario. Leaves: the first rule that it breaks, in words, or None. Must not know spelling.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import permutations

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.at_once import WORD as AT_ONCE
from bindproof.suites.relay.scenario.at_once import at_once_misfits, goes_on_at_once
from bindproof.suites.relay.scenario.callbacks import TAKEN, every_op, is_id, is_of_sanitizer, raisers
from bindproof.suites.relay.scenario.families import AROUND, BEFORE, OF_ONE_KIND, QUEUED, STREAMING
from bindproof.suites.relay.scenario.going_on import going_on_misfits
from bindproof.suites.relay.scenario.no_json import WORD as NO_JSON
from bindproof.suites.relay.scenario.no_json import is_said, no_json_misfits
from bindproof.suites.relay.scenario.rules.blocks import block_misfits
from bindproof.suites.relay.scenario.rules.building import object_misfits
from bindproof.suites.relay.scenario.rules.captures import capture_misfits
from bindproof.suites.relay.scenario.rules.coding import CODING, SIDES, coding_misfits
from bindproof.suites.relay.scenario.rules.contexts import context_misfits
from bindproof.suites.relay.scenario.rules.entries import entry_misfits
from bindproof.suites.relay.scenario.rules.flight import flight_misfits
from bindproof.suites.relay.scenario.rules.gates import gate_misfits
from bindproof.suites.relay.scenario.rules.held import held_misfits, is_held
from bindproof.suites.relay.scenario.rules.metrics import metric_misfits
from bindproof.suites.relay.scenario.rules.plugins import plugin_misfits
from bindproof.suites.relay.scenario.rules.streams import stream_misfits

LLM_FIELDS = ("request", "model", "codec", "response_codec")
TOOL_FIELDS = ("args", "tool_call_id", "annotation")
SCOPE_FIELDS = ("type", "input", "block")
STREAM_FIELDS = ("collector", "finalizer", "drain")

FIELDS: dict[str, tuple[str, ...]] = {
    "llm": TOOL_FIELDS + SCOPE_FIELDS + STREAM_FIELDS,
    "llm_stream": (*TOOL_FIELDS, "background"),
    "llm.request": TOOL_FIELDS,
    "llm.conditional": TOOL_FIELDS,
    "tool": LLM_FIELDS + SCOPE_FIELDS + STREAM_FIELDS,
    "tool.request": LLM_FIELDS,
    "tool.conditional": LLM_FIELDS,
    "scope": LLM_FIELDS + TOOL_FIELDS,
}
"""Kind of a start, a call or a helper → the fields that are another kind's."""

WANTED = {
    "end": ("start",), "deregister": ("register",), "uninstall": ("install",), "read": ("call",), "close": ("call",),
    "cancel": ("call",), "ungate": ("gate",), "back": ("context",),
    "go_on": ("register",),
}  # fmt: skip
"""Kind of step → what its `of` has to be."""

NAMED = (
    ("scope", ("start",)), ("parent", ("start",)), ("root", ("start",)), ("from", ("capture",)), ("of", ("start",)),
)  # fmt: skip
"""Field that names a step → the kinds of step that it may name, where WANTED says nothing else."""

ATTRIBUTES = {"scope": ("parallel", "relocatable"), "llm": ("stateful", "streaming"), "tool": ("remote",)}
"""Kind of what is started → what may be said of it."""

BREAKING = ("llm.request", "tool.request")
"""Families whose callbacks may break their chain."""

STREAM_WORDS = frozenset(("call llm_stream", STREAMING, "read", "close", "yield", "hang"))
"""A scenario without any of these words has nothing to do with streams."""

FLIGHT_WORDS = frozenset(("background", "open", "wait", "cancel"))
"""A scenario without any of these words has one call at a time."""


OF_WORDS = (
    ("context", context_misfits),
    ("capture", capture_misfits),
    ("install", plugin_misfits),
    ("gate", gate_misfits),
    ("go_on", going_on_misfits),
    ("coding", coding_misfits),
    (NO_JSON, no_json_misfits),
    (AT_ONCE, at_once_misfits),
    ("held", held_misfits),
)
"""Kind of step, `coding`, `no_json`, `at_once` or `held` → what says which rules steps break where it is there."""


def words(steps: list[Json]) -> frozenset[str]:
    """Return what is in steps: their kinds, `call` with the kind, what else they have, families, ops of callbacks."""
    found: set[str] = {NO_JSON} if is_said(str(steps)) else set()
    for step in steps:
        name = step["step"]
        if name == "register":
            found.add(step["family"])
            found.update([op["op"] for op in every_op(step["do"])])
            found.update(member for member in ("async", "odd") if step[member])
            found.update([AT_ONCE] if goes_on_at_once(step) else ())
            found.update(["held"] if is_held(step) else ())
            found.update(["contributes"] if "optimization_contributions" in str(step["do"]) else ())
        elif name == "call":
            found.update([op["op"] for op in every_op(step["provider"])])
            found.update([op["op"] for op in step.get("collector", ())])
            found.update(member for member in ("background", "response_codec") if step.get(member))
            name = f"call {step['kind']}"
        elif name in ("start", "end"):
            found.update(member for member in ("block", "raises") if step.get(member))
        elif name == "mark" and step["measurements"] is not None:
            found.add("measurements")
        elif name in CODING:
            found.add("coding")
        found.add(name)
    return frozenset(found)


def misfit(steps: list[Json]) -> str | None:
    """Say in words which rule the steps break, those inside callbacks too, or None."""
    return next(_misfits(steps), None)


def _misfits(steps: list[Json]) -> Iterator[str]:
    by_id = {step["as"]: step for step in steps}
    if len(by_id) < len(steps):
        ids = [step["as"] for step in steps]
        for name in {name for name in ids if ids.count(name) > 1}:
            yield f"two steps are called {name!r}: give each its own `as`"
    yield from _misnamed_as_inner(steps)
    for step in steps:
        yield from _misnamed(step)
        yield from _dangling(step, by_id)
        yield from _misfit_mutation(step, steps)
        yield from _misfit_kind(step, by_id)
    yield from _misfit_markers(steps)
    yield from _misfits_of(steps, words(steps))


def _misfits_of(steps: list[Json], said: frozenset[str]) -> Iterator[str]:
    """Yield which rules the steps break that are about something that they have."""
    if "each" in said:
        yield from entry_misfits(steps)
    if "block" in said or "raises" in said:
        yield from block_misfits(steps)
    if "measurements" in said:
        yield from metric_misfits(steps)
    for word, misfits in OF_WORDS:
        if word in said:
            yield from misfits(steps, said)
    if said & STREAM_WORDS:
        yield from stream_misfits(steps)
    if said & FLIGHT_WORDS:
        yield from flight_misfits(steps)


def _misfit_markers(steps: list[Json]) -> Iterator[str]:
    """Who raised an error is known by its text, whatever the binding puts around that."""
    for (name, text), (other, longer) in permutations(dict.fromkeys(raisers(steps)), 2):
        if name != other and text in longer:
            yield f"{other!r} raises {longer!r}, and {name!r} {text!r}: it would not be known whose error it is"


def _misfit_kind(step: Json, by_id: dict[str, Json]) -> Iterator[str]:
    """Yield what a step may not ask for, as its kind has it."""
    match step["step"]:
        case "register":
            yield from _unfit(step)
        case "build":
            yield from object_misfits(step)
        case "end":
            yield from _misfit_end(step, by_id.get(step["of"], {}).get("kind"))
        case "start" | "call":
            yield from _misfit_attributes(step)


def _misnamed(step: Json) -> Iterator[str]:
    if not is_id(step["as"]):
        yield f"no step can be called {step['as']!r}: an id has no `.`, and is none of {', '.join(sorted(TAKEN))}"


def _misnamed_as_inner(steps: list[Json]) -> Iterator[str]:
    """An id that says which sanitizer's callback does the step is the one that `complete` gave."""
    named = {step["as"] for step in steps if is_of_sanitizer(step["as"])}
    if named:
        inside = [op["step"]["as"] for step in steps for op in every_op(step.get("do", [])) if op["op"] == "step"]
        yield from (f"no step but one of a sanitizer can be called {name!r}" for name in named - set(inside))


def _stands_elsewhere(text: str, steps: list[Json]) -> bool:
    """Tell whether a marker stands anywhere but in the text of a `mutate`."""
    marker = json.dumps(text)[1:-1]
    return json.dumps(steps).count(marker) > sum(json.dumps(one).count(marker) for one in _mutate_texts(steps))


def _mutate_texts(value: Json) -> Iterator[str]:
    """Yield the text of each `mutate` in a value, at any depth."""
    if isinstance(value, dict):
        if value.get("op") == "mutate":
            yield value["text"]
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _mutate_texts(part)


def _misfit_mutation(step: Json, steps: list[Json]) -> Iterator[str]:
    ops = step.get("do") or step.get("provider") or []
    places = [op["at"] for op in ops if op["op"] == "mutate"]
    if not places:
        return
    name, family = step["as"], step.get("family", "provider")
    if family in (*AROUND, STREAMING, "event.metadata") or step.get("kind") == "llm_stream":
        yield f"step {name!r}: no `mutate` here: what is given is handed on, or is nothing but an event"
    if any(place.count("/") < 2 or place.startswith("/event") for place in places):
        yield f"step {name!r}: `mutate` is inside an object that was given, such as at `/args/x`, and of no event"
    texts = dict.fromkeys(op["text"] for op in ops if op["op"] == "mutate")
    for text in texts:
        if _stands_elsewhere(text, steps):
            yield f"step {name!r}: the text {text!r} stands elsewhere too: a marker stands in `mutate` alone"
        elif "!" not in text[1:]:  # no word of a record has one: `settled` would be found in every log
            yield f"step {name!r}: the text {text!r} may stand in any record: a marker has a `!`, such as `in-place-1!`"
    if '"given' in json.dumps(ops):
        yield f"step {name!r}: beside `mutate` no `$get` takes from what was given"


def _misfit_end(step: Json, kind: str | None) -> Iterator[str]:
    """kind: that of what it ends."""
    for member, kinds in (("annotation", ("llm", "tool")), ("response_codec", ("llm",)), ("data", ("llm", "tool"))):
        if step[member] is not None and kind not in (None, *kinds):
            yield f"step {step['as']!r}: `{member}` means nothing at the end of a {kind}"
    said = step["annotation"]
    if kind == "llm" and said is not None and (said == {} or not isinstance(said, dict)):
        yield f"step {step['as']!r}: the annotation of a response is an object with a member"


def _misfit_attributes(step: Json) -> Iterator[str]:
    kind = step["kind"].removesuffix("_stream")
    for attribute in step["attributes"]:
        if attribute not in ATTRIBUTES[kind]:
            yield f"step {step['as']!r}: no {kind} is {attribute!r}; one may be {' or '.join(ATTRIBUTES[kind])}"
    if len(set(step["attributes"])) < len(step["attributes"]):
        yield f"step {step['as']!r}: an attribute stands in the list once"


def _dangling(step: Json, by_id: dict[str, Json]) -> Iterator[str]:
    for key, kinds in NAMED:
        name = step.get(key)
        if name is None or (name == "global" and key == "scope"):
            continue
        wanted = WANTED.get(step["step"], kinds)
        other = by_id.get(name)
        if other is None or other["step"] not in wanted:
            yield f"step {step['as']!r}: `{key}` is {name!r}, and no {wanted[0]} step is called so"
        elif key in ("scope", "parent", "root") and other["kind"] != "scope":
            yield f"step {step['as']!r}: `{key}` is {name!r}, which starts no scope"


def _unfit(step: Json) -> Iterator[str]:
    family, name = step["family"], step["as"]
    if family == "subscriber" and any(op["op"] not in ("raise", "wait", "each") for op in every_op(step["do"])):
        yield f"subscriber {name!r} does more than raise and wait: a subscriber returns nothing"
    if step["break_chain"] and family not in BREAKING:
        yield f"step {name!r}: {family} cannot break a chain, so leave out `break_chain`"
    if step["odd"] and (family not in BEFORE or step["do"] or step["async"]):
        yield f"step {name!r}: what is `odd` is a conditional or a request intercept, and has no ops and no `async`"
    if step["async"] and family in OF_ONE_KIND:
        yield f"step {name!r}: what {family} registers is of one kind, so leave out `async`"
    for op in every_op(step["do"]):
        if op["op"] == "next" and family not in (*AROUND, STREAMING):
            yield f"step {name!r}: `next` goes on with an execution, and {family} wraps none"
        if op["op"] == "yield" and family != STREAMING:
            yield f"step {name!r}: `yield` hands over chunks, and {family} has none"
        if op["op"] == "step" and family in QUEUED and not (family in SIDES and op["step"]["step"] in CODING):
            yield f"step {name!r}: no step can be done inside {family}, which runs when an event is published"
