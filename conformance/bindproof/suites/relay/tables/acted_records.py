"""Faults that no other program would show: what a binding is seen to do is the lawful log with a few records changed.

Enters: a place, that is a lawful run with whose registrations a binding is at fault with. Leaves: the log of a binding
that has the fault, or None where it changes nothing. Must not know the checks.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from itertools import pairwise

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import callback_named, inner_steps
from bindproof.suites.relay.tables.cells import PHASES
from bindproof.suites.relay.tables.place import Log, Place

LISTENER = "s"
"""The subscriber that hears all, in every vector of the table."""


def without(log: Log, unwanted: Callable[[Json], bool]) -> Log | None:
    """Return a log less some records, None where it has none of them."""
    kept = [record for record in log if not unwanted(record)]
    return kept if len(kept) < len(log) else None


def _name(record: Json) -> str:
    return callback_named(str(record.get("callback", ""))).step


def _entries(place: Place, names: Iterable[str], fact: str = "enter") -> list[int]:
    own = set(names)
    return [at for at, record in enumerate(place.log) if record["fact"] == fact and _name(record) in own]


def _done(place: Place, kinds: tuple[str, ...]) -> list[int]:
    steps = {step["as"] for step in place.full["steps"] if step["step"] in kinds}
    return [at for at, record in enumerate(place.log) if record["fact"] == "done" and record["step"] in steps]


def _of_entry(log: Log, at: int) -> list[int]:
    """Return where the records of the entry are that begins here."""
    own = log[at]["callback"], log[at]["k"]
    return [index for index, record in enumerate(log) if (record.get("callback"), record.get("k")) == own]


def moved(log: Log, places: list[int], before: int) -> Log:
    """Return a log with some records moved before the one at a place."""
    moving = set(places)
    kept = [(at, record) for at, record in enumerate(log) if at not in moving]
    head = [record for at, record in kept if at < before]
    return [*head, *(log[at] for at in places), *(record for at, record in kept if at >= before)]


def out_of_phase(place: Place) -> Log | None:
    """Let the first one that runs be entered before, or a conditional behind, its neighbour in another phase."""
    beside = {step["as"] for step in place.full["steps"] if step["step"] == "register" and step["as"][0] == "q"}
    own = _entries(place, place.names())
    if not own or place.family not in PHASES or not beside:
        return None
    records = _of_entry(place.log, own[0])
    if place.family.endswith(".conditional"):
        behind = next((at for at in _entries(place, beside, "leave") if at > own[0]), None)
        return None if behind is None else moved(place.log, records, behind + 1)
    before = [at for at in _entries(place, beside) if at < own[0]]
    return moved(place.log, records[:1] if _wraps(place) else records, before[-1]) if before else None


def _wraps(place: Place) -> bool:
    return place.family in ("llm.execution", "tool.execution", "llm.stream")


def overtaken(place: Place) -> Log | None:
    """Let the second of its callbacks be entered before the first has replied."""
    own = _entries(place, place.names())
    for at, after in pairwise(own):
        left = _of_entry(place.log, at)[-1]
        if at < left < after and place.log[after]["callback"] != place.log[at]["callback"]:
            return moved(place.log, [after], left)
    return None


def _guardrails(place: Place) -> list[int]:
    """Return where the listener is told of the guardrails of what is registered so."""
    names = {step["name"] for step in place.registers(place.full)}
    told = [(at, record) for at, record in enumerate(place.log) if record.get("subscriber") == LISTENER]
    return [
        at
        for at, record in told
        if record["event"]["category"] == "guardrail" and any(_ends_so(record["event"]["name"], name) for name in names)
    ]


def _ends_so(told: str, name: str) -> bool:
    """Tell whether a guardrail has this name, as the runtime makes it of a plugin's too."""
    return told == name or (not told[-len(name) - 1 : -len(name)].isalnum() and told.endswith(name))


def unguarded(place: Place) -> Log | None:
    """Tell of no guardrail."""
    told = set(_guardrails(place))
    return [record for at, record in enumerate(place.log) if at not in told] if told else None


def misjudged(place: Place) -> Log | None:
    """Let each guardrail's end say the opposite."""
    log = copy.deepcopy(place.log)
    ends = [log[at]["event"] for at in _guardrails(place) if log[at]["event"]["scope_category"] == "end"]
    for event in ends:
        event["data"] = {**event["data"], "allowed": not event["data"].get("allowed")}
    return log if ends else None


def _rejected(place: Place) -> list[int]:
    return [at for at in _done(place, ("call", "helper")) if "no-1" in str(place.log[at].get("error"))]


def unsaid(place: Place) -> Log | None:
    """Let the caller of a rejected call be answered."""
    found = _rejected(place)
    if not found:
        return None
    calls = any(step["step"] == "call" and step["kind"] != "llm_stream" for step in place.full["steps"])
    answer: Json = {} if calls else None
    return [*place.log[: found[0]], _answered(place.log[found[0]], answer), *place.log[found[0] + 1 :]]


def _answered(record: Json, value: Json) -> Json:
    return {"fact": "done", "step": record["step"], "value": value}


def not_ended(place: Place) -> Log | None:
    """Let what is due behind a conditional that rejects run all the same."""
    found = _entries(place, place.names(), "leave")
    at = next((at for at in found if place.log[at].get("reply") == "no-1"), None)
    later = [one for one in _entries(place, place.names()) if place.log[one]["callback"] == "l"]
    if at is None or not later:
        return None
    given = next(record["given"] for record in place.log if record["fact"] == "enter" and _name(record) == "k")
    again = [place.log[one] for one in _of_entry(place.log, later[0])]
    again[0] = {**again[0], "given": given}
    return recounted([*place.log[: at + 1], *again, *place.log[at + 1 :]])


def recounted(log: Log) -> Log:
    """Return a log whose entries are counted anew."""
    counts: dict[str, int] = {}
    found: Log = []
    now: dict[str, int] = {}
    for record in log:
        name = record.get("callback")
        if record["fact"] == "enter":
            now[name] = counts.get(name, 0)
            counts[name] = now[name] + 1
        found.append({**record, "k": now[name]} if name in now and "k" in record else record)
    return found


def unmarked(place: Place) -> Log | None:
    """Leave no mark of a rejection."""
    return without(place.log, lambda record: record["fact"] == "event" and _is_rejection(record["event"]))


def _is_rejection(event: Json) -> bool:
    return event["kind"] == "mark" and isinstance(event["data"], dict) and "rejection_reason" in event["data"]


def marks_untold(place: Place) -> Log | None:
    """Tell its subscribers of no mark of the program's own."""
    names = place.names()
    return without(
        place.log,
        lambda record: (
            record["fact"] == "event" and record["subscriber"] in names and record["event"]["kind"] == "mark"
        ),
    )


def _told_too(place: Place, wanted: Callable[[Json], bool]) -> Log | None:
    """Tell those who came while a call was at work of more of the listener's events, from then on."""
    came = {step["as"]: at for step, at in _comers(place)}
    log: Log = []
    for at, record in enumerate(place.log):
        log.append(record)
        if record.get("subscriber") == LISTENER and wanted(record["event"]):
            log += [{**record, "subscriber": name} for name, since in came.items() if since < at]
    return log if len(log) > len(place.log) else None


def _comers(place: Place) -> list[tuple[Json, int]]:
    """Return who is registered when a call has begun, each with where in the log that was done."""
    steps = place.full["steps"]
    first = next(at for at, step in enumerate(steps) if step["step"] in ("call", "helper"))
    made = [one for step in steps[:first] for one in (inner_steps(step) if step["step"] == "install" else [step])]
    before = {step["as"] for step in made}
    done = {record["step"]: at for at, record in enumerate(place.log) if record["fact"] == "done"}
    own = [step for step in place.registers(place.full) if step["as"] not in before]
    return [(step, done[step["as"]]) for step in own if step["as"] in done]


def told_of_the_end(place: Place) -> Log | None:
    """Tell who came while a call was at work of its end."""
    return _told_too(place, lambda event: event.get("scope_category") == "end" and event["category"] in ("llm", "tool"))


def told_of_guardrails(place: Place) -> Log | None:
    """Tell who came with a conditional of the guardrails."""
    return _told_too(place, lambda event: event["category"] == "guardrail")


def left_untold(place: Place) -> Log | None:
    """Tell who goes while a call is in flight nothing of its end."""
    return without(
        place.log,
        lambda record: record.get("subscriber") == "j" and record["event"].get("scope_category") == "end",
    )


def wrapped_too(place: Place) -> Log | None:
    """Let what comes in flight wrap what is inside of the one that goes."""
    log: Log = []
    for record in place.log:
        own = record.get("callback") == "j"
        twin = [{**record, "callback": "k"}] if own else []
        if own and record["fact"] == "answer":
            inner = [one for one in place.log if one.get("callback") == "j" and one["fact"] == "leave"]
            log += [*twin, {**inner[0], "callback": "k"}, record]
        elif own and record["fact"] == "next":
            entered = [one for one in place.log if one.get("callback") == "j" and one["fact"] == "enter"]
            log += [record, {**entered[0], "callback": "k"}, *twin]
        else:
            log.append(record)
    return log if len(log) > len(place.log) else None


def _is_of(record: Json, name: str) -> bool:
    """Tell whether a record is of a callback, or of the guardrail of its conditional."""
    if record["fact"] == "event":
        return bool(record["event"]["category"] == "guardrail" and name in record["event"]["name"])
    return bool(record.get("callback") == name)


def gone(place: Place) -> Log | None:
    """Let what is taken back in flight not run any more, nor be told of where it is a conditional."""
    return without(place.log, lambda record: _is_of(record, "j"))


def due_too(place: Place) -> Log | None:
    """Let what comes in flight run behind the one that goes, and be told of where it is a conditional."""
    log: Log = []
    runs: Log = []
    told: Log = []
    for record in place.log:
        log.append(record)
        twins = told if record["fact"] == "event" else runs
        if _is_of(record, "j"):
            twins.append(_twin(record))
            if record["fact"] == "leave" or len(told) > 1:
                log += twins
    return log


def _twin(record: Json) -> Json:
    """Return a record of the one that goes as one of the one that comes."""
    if record["fact"] != "event":
        return {**record, "callback": "k"}
    event = record["event"]
    uuid = event["uuid"][:-4] + "beef"
    return {**record, "event": {**event, "name": event["name"].replace("j", "k"), "uuid": uuid}}


def _of_gates(change: Callable[[Json], Json]) -> Callable[[Place], Log | None]:
    def spoil(place: Place) -> Log | None:
        log = copy.deepcopy(place.log)
        for at in _done(place, ("ungate",)):
            log[at]["value"] = change(log[at]["value"])
        return log

    return spoil


misgiven = _of_gates(lambda value: {**value, "given": [{"families": [], "name": "other"}]})
"""Gates are given another name than that which they are about."""

gates_lie = _of_gates(lambda value: {**value, "was": not value["was"]})
"""Taking a gate back says the opposite."""


def gate_taken_again(place: Place) -> Log | None:
    """Let each gate be registered."""
    taken = {at for at in _done(place, ("gate",)) if "error" in place.log[at]}
    return [_answered(record, None) if at in taken else record for at, record in enumerate(place.log)]
