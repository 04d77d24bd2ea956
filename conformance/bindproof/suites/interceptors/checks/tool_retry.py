"""Checks of the chapter *A tool's own retry* (TRT)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bindproof.core.model import Evidence, Json
from bindproof.suites.interceptors.checks.common import (
    Check,
    Found,
    again,
    differs,
    each,
    gave,
    missing,
    pairs,
    register,
)
from bindproof.suites.interceptors.rates import SLACK, TOOL_RETRY, product
from bindproof.suites.interceptors.reading import Passage, Reading, Visit

CHECKS: dict[str, Check] = {}


def _passages(reading: Reading) -> list[Passage]:
    return [p for p in reading.passages("tool_retry") if p.inner]


def _configured(reading: Reading) -> list[Passage]:
    return [p for p in _passages(reading) if p.layer["max_retries"] is not None]


def _failed(run: Visit) -> bool:
    return isinstance(run.reply, dict) and run.reply.get("is_error") is True


def _declined(layer: Json, run: Visit) -> bool:
    """Tell whether the tool's own predicate takes an error for final."""
    return _failed(run) and layer["only_if"] is not None and layer["only_if"] not in run.reply["content"]


@register(CHECKS, "TRT-001")
def errors_are_tried_again(reading: Reading) -> Found:
    """After an error the handler runs again, while retries are left."""

    def judge(one: Passage) -> Iterator[Evidence]:
        made, most = len(one.inner) - 1, one.layer["max_retries"]
        if _failed(one.inner[-1]) and not _declined(one.layer, one.inner[-1]) and made < most:
            text, about = (
                "an error is tried again, while retries are left",
                missing(one.call, one.place + 1, most, made),
            )
            also = one.call.ends(one.outer)
            yield Evidence(one.call.lane, text, one.outer.left, most, made, also=also, about=about)

    return each([p for p in _configured(reading) if p.outer.finished], judge)


@register(CHECKS, "TRT-002")
def retries_are_bounded(reading: Reading) -> Found:
    """There are max_retries retries at most, the first run not counted."""

    def judge(one: Passage) -> Iterator[Evidence]:
        made, most = len(one.inner) - 1, one.layer["max_retries"]
        if made > most:
            text, also = "no more retries than configured", again(one, most + 1)
            yield Evidence(one.call.lane, text, one.inner[-1].entered, most, made, also=also)

    return each(_configured(reading), judge)


@register(CHECKS, "TRT-003")
def a_success_ends_it(reading: Reading) -> Found:
    """After a success the handler does not run again."""
    return each(
        _passages(reading), lambda p: _none_after(p, lambda run: not _failed(run), "after a success nothing runs")
    )


@register(CHECKS, "TRT-004")
def the_predicate_decides(reading: Reading) -> Found:
    """An error that the tool's predicate declines is not tried again."""
    found = [p for p in _passages(reading) if any(_declined(p.layer, run) for run in p.inner)]
    return each(found, lambda p: _none_after(p, lambda run: _declined(p.layer, run), "a declined error is final"))


def _none_after(one: Passage, final: Callable[[Visit], bool], text: str) -> Iterator[Evidence]:
    for number, run, after in pairs(one.inner):
        if final(run):
            yield Evidence(one.call.lane, text, after.entered, None, run.reply, also=again(one, number))


@register(CHECKS, "TRT-005")
def the_last_response_is_the_result(reading: Reading) -> Found:
    """What the last run gave is the result, unchanged and at once."""

    def judge(one: Passage) -> Iterator[Evidence]:
        last = one.inner[-1]
        yield from gave(one.call, "the last response is the result", one.outer, last.reply, one.outer.reply)
        yield from differs(
            one.call, "after the last run nothing is waited for", one.outer.left, last.ended, one.outer.ended
        )

    return each([p for p in _passages(reading) if p.outer.finished and p.inner[-1].finished], judge)


def _waits(one: Passage) -> Iterator[tuple[int, int, int]]:
    for number, run, after in pairs(one.inner):
        if run.ended is not None and _failed(run) and not _declined(one.layer, run):
            yield number, after.entered, after.began - run.ended


def _waited(reading: Reading, wanted: Callable[[Json], bool]) -> Found:
    found = [p for p in _passages(reading) if wanted(p.layer) and any(True for _ in _waits(p))]
    return each(found, _judge_waits)


def _judge_waits(one: Passage) -> Iterator[Evidence]:
    layer = TOOL_RETRY if one.layer["max_retries"] is None else one.layer
    for number, record, waited in _waits(one):
        longest = product(layer["initial_backoff"], layer["backoff_multiplier"], number, layer["max_backoff"])
        shortest = longest * round((1 - layer["jitter"]) * 10**9) / 10**9
        if not shortest - SLACK <= waited < longest + 1 + SLACK:
            expected = [float(shortest), float(longest)]
            yield Evidence(one.call.lane, f"the wait before retry {number} is in this range", record, expected, waited)


@register(CHECKS, "TRT-006")
def waits_grow(reading: Reading) -> Found:
    """Without jitter the wait before a retry is initial × multiplier^(n − 1), the cap at most."""
    return _waited(reading, lambda layer: layer["max_retries"] is not None and layer["jitter"] == 0)


@register(CHECKS, "TRT-007")
def jitter_shortens_waits(reading: Reading) -> Found:
    """With jitter j a wait is between (1 − j) of that and all of it."""
    return _waited(reading, lambda layer: layer["max_retries"] is not None and layer["jitter"] > 0)


@register(CHECKS, "TRT-008")
def there_are_defaults(reading: Reading) -> Found:
    """Unless it is configured, there are 3 retries, after 100, 200 and 400 ms, each shortened by half at most."""

    def judge(one: Passage) -> Iterator[Evidence]:
        made = len(one.inner) - 1
        unfinished = _failed(one.inner[-1]) and not _declined(one.layer, one.inner[-1]) and made < 3
        if made > 3 or unfinished:
            text, about = "there are 3 retries unless configured", missing(one.call, one.place + 1, 3, made)
            also = (*again(one, 4), *one.call.ends(one.outer))
            yield Evidence(one.call.lane, text, one.outer.left, 3, made, also=also, about=about)
        yield from _judge_waits(one)

    return each([p for p in _passages(reading) if p.layer["max_retries"] is None and p.outer.finished], judge)
