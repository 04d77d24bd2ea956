"""Checks of the chapter *Retry* (RTY)."""

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
    given,
    missing,
    pairs,
    register,
)
from bindproof.suites.interceptors.rates import RETRY, SLACK, cut, ordinary, product, retryable, whole
from bindproof.suites.interceptors.reading import Invocation, Passage, Reading

CHECKS: dict[str, Check] = {}


def _configured(reading: Reading, domain: str = "llm") -> list[Passage]:
    """Return the passages of retries whose numbers the scenario gives."""
    return [p for p in reading.passages("retry") if p.call.domain == domain and p.layer["max_attempts"]]


@register(CHECKS, "RTY-001")
def attempts_are_bounded(reading: Reading) -> Found:
    """There are max_attempts attempts at most."""
    return each([p for p in _configured(reading) if p.inner], _bounded)


def _bounded(one: Passage) -> Iterator[Evidence]:
    most = one.layer["max_attempts"]
    if len(one.inner) > most:
        text = "no more attempts than configured"
        also = again(one, most)
        yield Evidence(one.call.lane, text, one.inner[most].entered, most, len(one.inner), also=also)


@register(CHECKS, "RTY-002")
def what_may_pass_is_tried_again(reading: Reading) -> Found:
    """A result that asks for another attempt is followed by one, while attempts are left."""
    found = [p for p in _configured(reading) if p.outer.finished and p.inner and retryable(p.inner[-1].reply)]
    return each(found, _exhausted)


def _exhausted(one: Passage) -> Iterator[Evidence]:
    most = one.layer["max_attempts"]
    if len(one.inner) < most:
        text = "a result that may be tried again is, while attempts are left"
        also, about = one.call.ends(one.outer), missing(one.call, one.place + 1, most, len(one.inner))
        yield Evidence(one.call.lane, text, one.outer.left, most, len(one.inner), also=also, about=about)


@register(CHECKS, "RTY-003")
def what_is_final_ends_it(reading: Reading) -> Found:
    """A result that does not ask for another attempt is not followed by one."""
    return each([p for p in reading.passages("retry") if p.call.domain == "llm" and p.inner], _final)


@register(CHECKS, "RTY-004")
def tools_are_not_tried_again(reading: Reading) -> Found:
    """What a tool answers is never followed by another attempt."""
    return each([p for p in reading.passages("retry") if p.call.domain == "tool" and p.inner], _final)


def _final(one: Passage) -> Iterator[Evidence]:
    for number, attempt, after in pairs(one.inner):
        if not retryable(attempt.reply):
            text, also = "a result that is final is not tried again", again(one, number)
            yield Evidence(one.call.lane, text, after.entered, None, attempt.reply, also=also)


@register(CHECKS, "RTY-005")
def each_attempt_is_given_the_same(reading: Reading) -> Found:
    """Every attempt is given what the retry was given."""
    return each([p for p in reading.passages("retry") if p.inner], _same_input)


def _same_input(one: Passage) -> Iterator[Evidence]:
    handed = one.call.handed(one.place + 1, one.outer.given)
    for attempt in one.inner:
        yield from given(one.call, "each attempt is given the retry's input", attempt, handed, attempt.given)


def _ended(reading: Reading) -> list[Passage]:
    return [p for p in reading.complete("retry") if p.inner and p.inner[-1].finished]


@register(CHECKS, "RTY-006")
def the_last_result_is_the_result(reading: Reading) -> Found:
    """The retry gives what its last attempt gave, unchanged."""
    return each(
        _ended(reading),
        lambda p: gave(p.call, "the last attempt's result is the result", p.outer, p.inner[-1].reply, p.outer.reply),
    )


@register(CHECKS, "RTY-007")
def nothing_is_waited_for_at_the_end(reading: Reading) -> Found:
    """The retry begins and ends at once: it waits between attempts alone."""
    return each(_ended(reading), _prompt)


def _prompt(one: Passage) -> Iterator[Evidence]:
    yield from differs(
        one.call, "the first attempt is made at once", one.inner[0].entered, one.outer.began, one.inner[0].began
    )
    yield from differs(
        one.call, "after the last attempt nothing is waited for", one.outer.left, one.inner[-1].ended, one.outer.ended
    )


def _waiting(reading: Reading, wanted: Callable[[Json], bool]) -> list[Passage]:
    found = [p for p in reading.passages("retry") if p.call.domain == "llm" and any(True for _ in _waits(p))]
    return [p for p in found if wanted(p.layer)]


def _waits(one: Passage) -> Iterator[tuple[int, int, int]]:
    """Yield the number of each retry, the record at its beginning, and the time that was waited for it."""
    for number, attempt, after in pairs(one.inner):
        if attempt.ended is not None and retryable(attempt.reply):
            yield number, after.entered, after.began - attempt.ended


@register(CHECKS, "RTY-008")
def waits_grow(reading: Reading) -> Found:
    """The wait before a retry is initial × multiplier^(n − 1), the cap at most, to the millisecond."""

    def judge(one: Passage) -> Iterator[Evidence]:
        layer = one.layer
        for number, record, waited in _waits(one):
            expected = product(layer["initial_delay"], layer["multiplier"], number, layer["max_delay"])
            if not -1 + -SLACK < waited - expected < 1 + SLACK:
                yield Evidence(one.call.lane, f"the wait before retry {number}", record, float(expected), waited)

    return each(_waiting(reading, lambda layer: _plain(layer) and whole(layer["initial_delay"])), judge)


def _plain(layer: Json) -> bool:
    return layer["max_attempts"] is not None and ordinary(layer["multiplier"])


def _cut(one: Passage) -> Iterator[Evidence]:
    layer = one.layer
    for number, record, waited in _waits(one):
        expected = cut(layer["initial_delay"], layer["multiplier"], number, layer["max_delay"])
        if not 0 <= waited - expected < 1:
            yield Evidence(one.call.lane, f"the wait before retry {number}", record, float(expected), waited)


@register(CHECKS, "RTY-009")
def fractions_are_cut_off(reading: Reading) -> Found:
    """Fractions of a millisecond are cut off, of the first wait and of each product."""
    return each(_waiting(reading, lambda layer: _plain(layer) and not _whole_products(layer)), _cut)


def _whole_products(layer: Json) -> bool:
    return whole(layer["initial_delay"]) and float(layer["multiplier"]).is_integer()


@register(CHECKS, "RTY-010")
def odd_factors_have_a_meaning(reading: Reading) -> Found:
    """A product that is negative or no number is no wait; one beyond all numbers is the cap."""
    return each(
        _waiting(reading, lambda layer: layer["max_attempts"] is not None and not ordinary(layer["multiplier"])), _cut
    )


@register(CHECKS, "RTY-011")
def there_are_defaults(reading: Reading) -> Found:
    """Unless it is configured, a retry makes 3 attempts and waits 500 and 1000 ms."""
    found = [p for p in reading.complete("retry") if p.layer["max_attempts"] is None and p.call.domain == "llm"]
    return each([p for p in found if p.inner and p.inner[-1].finished], _default)


def _default(one: Passage) -> Iterator[Evidence]:
    most = int(RETRY["max_attempts"])
    made = len(one.inner)
    if made > most or (made < most and retryable(one.inner[-1].reply)):
        text, about = "there are 3 attempts unless configured", missing(one.call, one.place + 1, most, made)
        also = (*again(one, most), *one.call.ends(one.outer))
        yield Evidence(one.call.lane, text, one.outer.left, most, made, also=also, about=about)
    expected = [500, 1000][: made - 1]
    waited = [wait for _, _, wait in _waits(one)]
    if retryable(one.inner[0].reply):
        yield from differs(
            one.call,
            "the waits are 500 and 1000 ms unless configured",
            one.outer.left,
            expected,
            waited[:2],
            tuple(at for _, at, _ in _waits(one)),
        )


@register(CHECKS, "RTY-012")
def no_attempt_at_all_is_refused(reading: Reading) -> Found:
    """A retry with no attempts is refused as a configuration, and nothing inside it runs."""
    zero = {
        step["as"]
        for step in reading.full["steps"]
        if any(layer["layer"] == "retry" and layer["max_attempts"] == 0 for layer in step.get("layers", ()))
    }
    calls = [call for call in reading.calls if call.place["as"] in zero and call.done is not None]
    return [evidence for call in calls for evidence in _refused(reading, call.place["as"], call)] if calls else None


def _refused(reading: Reading, place: str, call: Invocation) -> Iterator[Evidence]:
    error = (reading.failed.get(place) or (0, call.error))[1]
    kind = error.get("kind") if isinstance(error, dict) else None
    if kind != "invalid_configuration":
        text = "a retry without an attempt is refused as a configuration"
        seen = call.error or {"value": call.value}
        yield Evidence("program", text, call.done, "invalid_configuration", seen, also=call.records())
