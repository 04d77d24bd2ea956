"""Checks about asynchronous callbacks (MID)."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, register
from bindproof.suites.relay.observation.in_flight import calls_in_flight
from bindproof.suites.relay.observation.lanes import at_publication
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.callbacks import BESIDE, callback_named, callback_of
from bindproof.suites.relay.scenario.complete import all_steps, registrations

CHECKS: dict[str, Check] = {}


@register(CHECKS, "MID-017")
def an_asynchronous_callback_is_awaited(reading: Reading) -> Found:
    """Nothing else of its lane is entered or comes back between its entry and its reply."""
    promising = {callback_of(step) for step in registrations(reading.full) if step["async"]}
    flying = {run.entered: act for act in calls_in_flight(reading.transcript) for run in act.all()}
    entries = [(at, record) for at, record in enumerate(reading.log) if record["fact"] == "enter"]
    found = [(at, record) for at, record in entries if record["callback"] in promising]
    return judged([evidence for at, record in found for evidence in _overtaken(reading, at, record, flying)], found)


def _overtaken(reading: Reading, at: int, enter: Json, flying: dict[int, Act]) -> Iterator[Evidence]:
    """Yield evidence of the first thing that came before the reply.

    flying: the calls in flight, by the places where their callbacks are entered.
    """
    own = enter["callback"], enter["k"]
    for index, record in enumerate(reading.log[at + 1 :], at + 1):
        if (record.get("callback"), record.get("k")) == own and record["fact"] in ("leave", "refused", "cancelled"):
            return
        if at in flying and _is_given_up(flying[at], record):
            return
        if at in flying and not _is_of(flying, flying[at], index, record):
            continue
        if _comes_after(reading, enter, record):
            yield Evidence(EVERY_LANE, f"{own[0]} is awaited", index, None, record)
            return
    yield Evidence(EVERY_LANE, f"{own[0]} comes to its reply", at, {"fact": "leave"}, None)


def _is_of(flying: dict[int, Act], call: Act, index: int, record: Json) -> bool:
    """Tell whether a record is of a call in flight: nothing else is held up by what that awaits."""
    whose = record.get("step") or callback_named(record.get("callback", "")).step
    return flying.get(index) is call or whose == call.step["as"]


def _is_given_up(call: Act, record: Json) -> bool:
    """Tell whether a call came back as it is cancelled: what it awaits may be told so a moment later."""
    kind = record["error"].get("kind") if record["fact"] == "done" and isinstance(record.get("error"), dict) else None
    return kind == "cancelled" and record["step"] == call.step["as"]


def _comes_after(reading: Reading, enter: Json, record: Json) -> bool:
    """Tell whether a record can come only when the callback that entered has replied."""
    if record["fact"] == "enter":
        beside = callback_named(record["callback"]).part in BESIDE
        return not beside and _is_published(record) == _is_published(enter)
    return record["fact"] == "done" and not _is_published(enter) and record["step"] in _calls(reading)


def _calls(reading: Reading) -> set[str]:
    return {step["as"] for step in all_steps(reading.full) if step["step"] in ("call", "helper")}


def _is_published(record: Json) -> bool:
    return at_publication(record["callback"], again=bool(record["k"]))
