"""Checks of the chapter *Events* (EVT): what rewrites events before they are told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, PUBLICATION, Check, Found, judged, part, register
from bindproof.suites.relay.observation.published import FIELDS, Publication, publications
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.spans import families
from bindproof.suites.relay.observation.status import is_error
from bindproof.suites.relay.observation.transcript import Entry

CHECKS: dict[str, Check] = {}

KEY = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


def is_fields(reading: Reading, run: Entry) -> bool:
    """Tell whether a sanitizer replied with fields; where the edition has no schema of them, nothing is."""
    fields = reading.forms.get("event-fields")
    return run.returned and fields is not None and fields.accepts(run.reply)


def _is_open(value: Json) -> bool:
    """Tell whether metadata, or what a guardrail says, tell of an error: how bindings word those is open."""
    return bool(is_error(value) or (part(value, "allowed") is False and part(value, "error")))


def _handed_on(reading: Reading) -> Iterator[tuple[Entry, int, Json]]:
    """Yield each event sanitizer with where its fields went, and the fields there."""
    for one in publications(reading.transcript):
        for run, after in pairwise(one.sanitizers):
            yield run, after.entered, part(after.given, "fields") or {}
        for run in one.sanitizers[-1:]:
            yield run, one.told[0], one.told[1]


@register(CHECKS, "EVT-016")
def what_a_sanitizer_returns_is_told(reading: Reading) -> Found:
    """The fields that a sanitizer returned are what the next is given, and what subscribers are told."""
    found = [one for one in _handed_on(reading) if is_fields(reading, one[0])]
    return judged(
        [
            Evidence(EVERY_LANE, f"the {name} that a sanitizer returned", at, run.reply[name], seen.get(name))
            for run, at, seen in found
            for name in FIELDS
            if name in run.reply and not same(run.reply[name], seen.get(name)) and not _is_open(seen.get(name))
        ],
        found,
    )


@register(CHECKS, "EVT-017")
def what_a_sanitizer_leaves_out_is_cleared(reading: Reading) -> Found:
    """A field that a sanitizer's answer leaves out is null."""
    found = [one for one in _handed_on(reading) if is_fields(reading, one[0]) and not set(FIELDS) <= set(one[0].reply)]
    return judged(
        [
            Evidence(EVERY_LANE, f"the {name} that was left out", at, None, seen.get(name))
            for run, at, seen in found
            for name in FIELDS
            if name not in run.reply and seen.get(name) is not None
        ],
        found,
    )


@register(CHECKS, "EVT-018")
def nothing_else_of_an_event_changes(reading: Reading) -> Found:
    """All but the three fields is told as every callback was given it."""
    found = [(one, run) for one in publications(reading.transcript) for run in one.runs()]
    return judged(
        [
            Evidence(EVERY_LANE, "the rest of the event stays", one.told[0], before, after, also=(run.entered,))
            for one, run in found
            if not same(before := _rest(run.given["event"]), after := _rest(one.told[1]))
        ],
        found,
    )


def _rest(event: Json) -> Json:
    return {key: value for key, value in event.items() if key not in FIELDS}


@register(CHECKS, "EVT-019")
def a_failing_sanitizer_clears_the_fields(reading: Reading) -> Found:
    """After a sanitizer that fails no other runs, and the three fields are null."""
    found = [
        one for one in publications(reading.transcript) if not all(is_fields(reading, run) for run in one.sanitizers)
    ]
    return judged([evidence for one in found for evidence in _cleared(reading, one)], found)


def _cleared(reading: Reading, one: Publication) -> Iterator[Evidence]:
    failing = next(at for at, run in enumerate(one.sanitizers) if not is_fields(reading, run))
    for later in one.sanitizers[failing + 1 :][:1]:
        yield Evidence(EVERY_LANE, "no sanitizer runs after one failed", later.entered, None, later.callback)
    told = {name: one.told[1].get(name) for name in FIELDS}
    if any(value is not None for value in told.values()):
        yield Evidence(EVERY_LANE, "a failing sanitizer clears the fields", one.told[0], None, told)


@register(CHECKS, "EVT-030")
def a_failing_sanitizer_leaves_the_next_one_nothing(reading: Reading) -> Found:
    """After a sanitizer that fails, the next one is given three fields that are null, or they are told so."""
    found = [one for one in _handed_on(reading) if not is_fields(reading, one[0])]
    return judged(
        [
            Evidence(EVERY_LANE, f"the {name} that a failing sanitizer leaves", at, None, seen.get(name))
            for _, at, seen in found
            for name in FIELDS
            if seen.get(name) is not None
        ],
        found,
    )


def _adds(reply: Json) -> bool:
    """Tell whether an injector's answer can be added: flat, with keys and values of the form that metadata takes."""
    return isinstance(reply, dict) and all(KEY.fullmatch(key) and _is_flat(value) for key, value in reply.items())


def _is_flat(value: Json) -> bool:
    if isinstance(value, list):
        return all(_sort(item) is not None for item in value) and len({_sort(item) for item in value}) < 2
    return _sort(value) is not None


def _sort(value: Json) -> type | None:
    """The sort of a plain value: a truth value, a number or a text."""
    if isinstance(value, bool | str):
        return type(value)
    return float if isinstance(value, int | float) else None


def _injected(reading: Reading) -> list[tuple[Entry, Json, int, Json]]:
    """Each injector with the metadata that it was given, and where and as what metadata went on."""
    found = []
    for one in publications(reading.transcript):
        runs = one.runs()
        for run, after in pairwise(runs):
            found.append((run, run.given["event"], after.entered, after.given["event"].get("metadata")))
        for run in runs[-1:]:
            found.append((run, run.given["event"], one.told[0], one.told[1].get("metadata")))
    return [
        (run, event.get("metadata"), at, seen)
        for run, event, at, seen in found
        if run.part == "event.metadata" and not _is_open(seen)
    ]


@register(CHECKS, "EVT-020")
def injectors_add(reading: Reading) -> Found:
    """What an injector answers is added to the metadata, and what is there stays."""
    found = [one for one in _injected(reading) if one[0].replied and _adds(one[0].reply)]
    return judged(
        [
            Evidence(EVERY_LANE, "what is missing is added to the metadata", at, expected, seen)
            for run, before, at, seen in found
            if not same(expected := _added(run.reply, before), seen)
        ],
        found,
    )


def _added(reply: dict[str, Json], metadata: Json) -> Json:
    """Return the metadata with what an injector answered: those that are no object stay as they are."""
    if not isinstance(metadata, dict | None):
        return metadata
    return {**reply, **(metadata or {})} or None


@register(CHECKS, "EVT-021")
def what_cannot_be_added_changes_nothing(reading: Reading) -> Found:
    """An injector that fails or answers with what metadata does not take changes nothing."""
    found = [one for one in _injected(reading) if not one[0].replied or not _adds(one[0].reply)]
    return judged(
        [
            Evidence(EVERY_LANE, "an injector's answer is left out", at, before, seen)
            for _, before, at, seen in found
            if not same(before, seen)
        ],
        found,
    )


@register(CHECKS, "EVT-022")
def injectors_run_before_sanitizers(reading: Reading) -> Found:
    """Of one event all injectors run before all sanitizers."""
    found = [one for one in publications(reading.transcript) if one.injectors and one.sanitizers]
    return judged(
        [
            Evidence(EVERY_LANE, "injectors run first", late.entered, one.sanitizers[0].callback, late.callback)
            for one in found
            for late in one.injectors
            if late.entered > one.sanitizers[0].entered
        ],
        found,
    )


@register(CHECKS, "EVT-026")
def without_a_subscriber_no_event_is_rewritten(reading: Reading) -> Found:
    """Where nobody has subscribed no sanitizer of events and no injector runs."""
    named = families(reading.transcript)
    if "subscriber" in named or not named & {"event.metadata", "mark.sanitize", "start.sanitize", "end.sanitize"}:
        return None
    text = "nothing is rewritten that nobody is told"
    runs = [run for run in reading.transcript.published if "event" in run.given]
    of_calls = any(part(run.given, "event", "category") in ("llm", "tool") for run in runs)
    return [
        Evidence(
            PUBLICATION,
            text,
            run.entered,
            None,
            run.callback,
            also=() if run.left is None else (run.left,),
            accepted=("unheard",) if of_calls else (),
        )
        for run in runs
    ]
