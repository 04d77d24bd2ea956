"""Checks of the chapter *Contributions* (CTR): what intercepts say that they saved, and what is told of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    EVERY_LANE,
    PROGRAM,
    Check,
    Found,
    end_is_rewritten,
    failed_of_an_outcome,
    is_cancelled,
    judged,
    part,
    register,
    start_is_rewritten,
)
from bindproof.suites.relay.checks.malformed import all_well_formed
from bindproof.suites.relay.checks.outcomes import refusals_of
from bindproof.suites.relay.observation.deliveries import CONTRIBUTION_MARK
from bindproof.suites.relay.observation.reading import Event, Life, LlmCall, Reading

CHECKS: dict[str, Check] = {}

SCHEMA: Json = {"name": "nemo.relay.llm_optimization_contribution", "version": "1"}
OWN = ("id", "sequence")
"""What the runtime says of a contribution, whatever its producer says."""
LEFT_OUT = (*OWN, "model_transition", "token_impact", "payload_schema", "payload")
"""What is not told where it was stated as null."""
SUMMARY = ("category_profile", "annotated_response", "optimization_summary")


class Told(NamedTuple):
    """What one subscriber was told of a call whose intercepts contributed."""

    call: LlmCall
    subscriber: str
    life: Life

    @property
    def marks(self) -> list[Event]:
        """The marks of contributions, but for those that CTR-004 speaks of."""
        return [one for one in self.life.contributions if not _unreadable(part(one[1], "data"))]

    @property
    def due(self) -> list[Json]:
        """What is to be told of each contribution, in order."""
        return [_stated(_whole(one)) for one in self.call.contributions if not _unreadable(one)]


def _whole(contribution: Json) -> Json:
    """Return a contribution as a helper gives it back: with `applied`, and without what was stated as null."""
    stated = {"applied": False, **contribution}
    return {key: value for key, value in stated.items() if value is not None or key not in LEFT_OUT}


def _stated(data: Json) -> Json:
    """Return a contribution less what the runtime says of it."""
    return {key: value for key, value in data.items() if key not in OWN} if isinstance(data, dict) else data


def _unreadable(contribution: Json) -> bool:
    """Tell whether it has a payload and no schema of it."""
    return part(contribution, "payload") is not None and part(contribution, "payload_schema") is None


def _contributes(reading: Reading, call: LlmCall) -> bool:
    return bool(call.contributions) and all_well_formed(reading, call)


def _contributing(reading: Reading) -> list[LlmCall]:
    return [call for call in reading.calls if _contributes(reading, call)]


def _told(reading: Reading) -> list[Told]:
    """Return what each subscriber was told of each call that started, and whose intercepts contributed."""
    found = [Told(*one) for one in reading.lived if _contributes(reading, one[0])]
    return [one for one in found if one.life.events()]


def _is_rewritten(reading: Reading, told: Told) -> bool:
    return start_is_rewritten(reading, told.call.act, "mark.sanitize", "event.metadata")


@register(CHECKS, "CTR-001")
def each_contribution_once(reading: Reading) -> Found:
    """As many are told of a call as its outcomes list, in their order, and behind its pending marks."""
    found = [one for one in _told(reading) if one.due]
    return judged([evidence for one in found for evidence in _counted(one, _is_rewritten(reading, one))], found)


def _counted(told: Told, rewritten: bool) -> Iterator[Evidence]:
    seen = told.marks
    about = tuple(f"{told.call.step['as']}/contribution/{number}" for number in range(len(told.due)))
    also = (*(at for at, _ in seen), *_summing(told))
    if len(seen) != len(told.due):
        text = "each contribution is told exactly once"
        record = seen[0][0] if seen else None
        yield Evidence(told.subscriber, text, record, len(told.due), len(seen), also=also, about=about)
        return
    data = [_stated(event.get("data")) for _, event in seen]
    if not rewritten and not same(data, told.due) and _are_moved(told.due, data):
        text = "contributions come in the outcomes' order"
        yield Evidence(told.subscriber, text, seen[0][0], told.due, data, also=also, about=about)
    pending = [event[0] for _, event in told.life.pending if event is not None]
    if pending and seen and seen[0][0] < max(pending):
        text = "contributions come behind the pending marks"
        yield Evidence(told.subscriber, text, seen[0][0], max(pending), seen[0][0], also=tuple(pending))


def _are_moved(expected: list[Json], seen: list[Json]) -> bool:
    """Tell whether two lists have the same values in any order."""
    left = list(seen)
    for one in expected:
        at = next((at for at, other in enumerate(left) if same(one, other)), None)
        if at is None:
            return False
        del left[at]
    return not left


def _judged_alone(reading: Reading) -> list[Told]:
    """Return what was told where as many are told as are due, and nobody has rewritten any."""
    found = [one for one in _told(reading) if not _is_rewritten(reading, one)]
    return [one for one in found if len(one.life.contributions) == len(one.due)]


@register(CHECKS, "CTR-002")
def the_runtime_numbers_them(reading: Reading) -> Found:
    """The sequence counts a call's contributions, and each has an id that is nobody else's."""
    found = [one for one in _judged_alone(reading) if one.due]
    ids = Counter(
        (one.subscriber, str(part(event, "data", "id"))) for one in found for _, event in one.life.contributions
    )
    return judged(
        [evidence for one in found for evidence in (*_numbered(one), *_identified(one, ids))],
        found,
    )


def _numbered(told: Told) -> Iterator[Evidence]:
    for number, (at, event) in enumerate(told.life.contributions):
        if not same(number, seen := part(event, "data", "sequence")):
            yield Evidence(told.subscriber, "the sequence counts from 0", at, number, seen, also=_summing(told))


def _identified(told: Told, ids: Counter[tuple[str, str]]) -> Iterator[Evidence]:
    stated = [one.get("id") for one in told.call.contributions]
    for at, event in told.life.contributions:
        seen = part(event, "data", "id")
        if not isinstance(seen, str) or seen in stated or ids[told.subscriber, seen] > 1:
            text = "a contribution has an id of its own"
            yield Evidence(told.subscriber, text, at, "a new id", seen, also=_summing(told))


def _summing(told: Told) -> tuple[int, ...]:
    """Return where the same is said again: the ends, whose summary says it too."""
    return tuple(at for at, _ in told.life.ends)


@register(CHECKS, "CTR-003")
def readers_find_them_by_their_schema(reading: Reading) -> Found:
    """The mark has the reserved category and schema, and as its data what was stated."""
    found = [one for one in _judged_alone(reading) if one.due]
    return judged([evidence for one in found for evidence in _formed(one)], found)


def _formed(told: Told) -> Iterator[Evidence]:
    seen = [_stated(event.get("data")) for _, event in told.life.contributions]
    moved = _are_moved(told.due, seen)  # CTR-001 says in which order
    for (at, event), expected, data in zip(told.life.contributions, told.due, seen, strict=True):
        form = {
            "category": "custom",
            "category_profile": {"subtype": CONTRIBUTION_MARK},
            "data_schema": SCHEMA,
            "metadata": None,
        }
        for key, wanted in form.items():
            if key in event and not same(wanted, event[key]):
                yield Evidence(told.subscriber, f"a contribution's {key}", at, wanted, event[key])
        if not moved and not same(expected, data):
            yield Evidence(told.subscriber, "a contribution is told as it was stated", at, expected, data)


@register(CHECKS, "CTR-004")
def a_payload_needs_a_schema(reading: Reading) -> Found:
    """One that has a payload alone is not told, and fails nothing."""
    found = [call for call in _contributing(reading) if any(map(_unreadable, call.contributions))]
    told = [one for one in _told(reading) if any(map(_unreadable, one.call.contributions))]
    text = "a payload without a schema is left out"
    return judged(
        [
            Evidence(EVERY_LANE, "what nobody can read fails nothing", call.done, None, call.error)
            for call in found
            if failed_of_an_outcome(call)
        ]
        + [
            Evidence(one.subscriber, text, at, None, event.get("data"))
            for one in told
            for at, event in one.life.contributions
            if _unreadable(part(event, "data"))
        ]
        + [
            Evidence(one.subscriber, text, at, None, said)
            for one in told
            for at, event in one.life.ends
            for said in part(event, *SUMMARY, "contributions") or []
            if _unreadable(said)
        ],
        found,
    )


@register(CHECKS, "CTR-005")
def the_end_sums_them_up(reading: Reading) -> Found:
    """The summary on the end lists what was told; there is none where nothing was contributed."""
    found = [
        (one, end)
        for one in _told(reading)
        if not end_is_rewritten(reading, one.call.act, "end.sanitize", "llm.sanitize_response")
        if not is_cancelled(reading, one.call)
        for end in one.life.ends
        if end[1].get("data") is not None or (one.call.error is not None and not one.call.streamed)
    ]
    silent = [
        (subscriber, at, said)
        for call, subscriber, life in reading.lived
        if not call.contributions and all_well_formed(reading, call)
        for at, event in life.ends
        if (said := part(event, *SUMMARY)) is not None
    ]
    return judged(
        [evidence for one in found for evidence in _summed(reading, *one)]
        + [Evidence(who, "without contributions there is no summary", at, None, said) for who, at, said in silent],
        found or silent,
    )


def _summed(reading: Reading, told: Told, end: Event) -> Iterator[Evidence]:
    at, event = end
    listed = part(event, *SUMMARY, "contributions")
    seen = [_stated(one) for one in listed if not _unreadable(one)] if isinstance(listed, list) else listed
    read = part(event, *SUMMARY[:-1]) or {}
    answered = told.call.error is None or told.call.streamed
    if len(read) > 1 and (told.call.step["response_codec"] is None or not answered):
        yield Evidence(told.subscriber, "nobody has read the answer", at, [SUMMARY[-1]], sorted(read))
    if not same(told.due, seen):
        yield Evidence(told.subscriber, "the summary lists the contributions", at, told.due, seen)
    elif len(told.life.contributions) == len(told.due) == len(listed) and not _is_rewritten(reading, told):
        ids = [part(mark, "data", "id") for _, mark in told.life.contributions]
        said = [part(one, "id") for one in listed]
        if not same(ids, said):
            yield Evidence(told.subscriber, "the summary lists those that were told", at, ids, said)


@register(CHECKS, "CTR-006")
def a_helper_gives_them_back(reading: Reading) -> Found:
    """A helper's outcome lists what the intercepts do."""
    found = [call for call in _contributing(reading) if call.helper and call.error is None]
    return judged(
        [
            Evidence(PROGRAM, "the helper's outcome lists the contributions", call.done, expected, seen)
            for call in found
            for expected in [[_whole(one) for one in call.contributions]]
            if not same(expected, seen := part(call.value, "optimization_contributions"))
        ],
        found,
    )


@register(CHECKS, "CTR-007")
def a_contribution_names_who_and_what(reading: Reading) -> Found:
    """One without producer or kind is refused."""
    return refusals_of(reading, "CTR-007", "a contribution names no producer or no kind")
