"""Delays and deadlines as exact numbers, as a clock counts them that ticks in whole milliseconds.

Enters: times in milliseconds, factors. Leaves: delays, and texts. Must not know layers.
"""

from __future__ import annotations

import math
from fractions import Fraction

from bindproof_reference.interceptors.values import Json


def milliseconds(given: float) -> Fraction:
    """Return a time of a scenario exactly: it has three digits after the point at most."""
    return Fraction(round(given * 1000), 1000)


def factor(given: Json) -> float:
    """Return a factor as a number; JSON has no word for three of them."""
    return float(given)  # float() reads "NaN", "Infinity" and "-Infinity"


def power(base: float, exponent: int) -> float:
    """Return base ** exponent by repeated squaring, so that the result is the same to the last bit everywhere."""
    result = 1.0
    while True:
        if exponent & 1:
            result *= base
        exponent >>= 1
        if not exponent:
            return result
        base *= base


def retry_delay(number: int, initial: float, most: float, multiplier: Json) -> Fraction:
    """Return the wait before retry `number` (from 1): the product in whole milliseconds, and `most` at most.

    The first delay counts in whole milliseconds. What is no number, or below zero, is no wait at all.
    """
    product = math.floor(milliseconds(initial)) * power(factor(multiplier), number - 1)
    if math.isnan(product) or product <= 0:
        return min(Fraction(0), milliseconds(most))
    whole = Fraction(2**64 - 1) if math.isinf(product) else Fraction(math.floor(product))
    return min(whole, milliseconds(most))


def tool_delay(number: int, initial: float, most: float, multiplier: float) -> Fraction:
    """Return the wait before a tool's retry `number` (from 1), without jitter, in milliseconds."""
    return nanoseconds(_tool_seconds(number, initial, most, multiplier))


def jittered(number: int, initial: float, most: float, multiplier: float, jitter: float) -> tuple[Fraction, Fraction]:
    """Return the shortest and the longest wait before a tool's retry `number`."""
    longest = _tool_seconds(number, initial, most, multiplier)
    return nanoseconds(longest * (1.0 - jitter)), nanoseconds(longest)


def _tool_seconds(number: int, initial: float, most: float, multiplier: float) -> float:
    product = _seconds(initial) * power(multiplier, number - 1)
    return _seconds(most) if math.isnan(product) else min(product, _seconds(most))


def nanoseconds(seconds: float) -> Fraction:
    """Return a time in seconds as milliseconds, to the nearest nanosecond."""
    return Fraction(round(Fraction(seconds) * 10**9), 10**6)


def _seconds(given: float) -> float:
    whole, rest = divmod(round(given * 1000), 10**6)
    return float(whole) + float(rest * 1000) / 1e9


def ticks(wait: Fraction) -> int:
    """Return the whole milliseconds after which a wait is over: the clock shows nothing between two of them."""
    return math.ceil(wait)


def shown(duration: float) -> str:
    """Return a duration as the library writes it in messages: `30s`, `1.5s`, `10ms`, `999µs`, `0ns`."""
    exact = milliseconds(duration)
    if exact == 0:
        return "0ns"
    for unit, size in (("s", Fraction(1000)), ("ms", Fraction(1)), ("µs", Fraction(1, 1000))):
        if exact >= size:
            scaled = exact / size
            whole, rest = divmod(scaled, 1)
            digits = f"{int(rest * 10**6):06}".rstrip("0")
            return f"{whole}.{digits}{unit}" if digits else f"{whole}{unit}"
    raise AssertionError(duration)
