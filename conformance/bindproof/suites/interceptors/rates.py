"""Waits as the chapters state them, for the checks: exact fractions of milliseconds, apart from the reference's own.

Enters: a layer's configuration. Leaves: waits, and how a result is seen. Must not know the reference.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from bindproof.core.model import Json

RETRY: Final = {"max_attempts": 3, "initial_delay": 500.0, "max_delay": 30_000.0, "multiplier": 2.0}
"""What a retry is when nothing is configured (RTY-011)."""

TOOL_RETRY: Final = {
    "max_retries": 3, "initial_backoff": 100.0, "max_backoff": 5_000.0, "backoff_multiplier": 2.0, "jitter": 0.5,
}  # fmt: skip
"""What a tool's retry is when nothing is configured (TRT-008)."""

SLACK: Final = Fraction(1, 1000)
"""What a computation in binary fractions may be off, in milliseconds."""


def exact(milliseconds: float) -> Fraction:
    """Return a time of a scenario exactly."""
    return Fraction(round(milliseconds * 1000), 1000)


def ordinary(multiplier: Json) -> bool:
    """Tell whether a factor is a finite number that is not negative."""
    return not isinstance(multiplier, str) and multiplier >= 0


def product(initial: float, multiplier: float, number: int, most: float) -> Fraction:
    """Return initial × multiplier^(number − 1), `most` at most."""
    if initial == 0:
        return Fraction(0)
    if multiplier > 1 and (number - 1) * math.log(multiplier) > 60:  # however small the first, this is beyond every cap
        return exact(most)
    return min(exact(initial) * Fraction(multiplier) ** (number - 1), exact(most))


def whole(initial: float) -> bool:
    """Tell whether a time is a whole number of milliseconds."""
    return exact(initial).denominator == 1


def cut(initial: float, multiplier: Json, number: int, most: float) -> Fraction:
    """Return the wait where fractions are cut off, and what is no number or negative is no wait (RTY-009, RTY-010)."""
    base, result = float(multiplier), 1.0
    exponent = number - 1
    while True:  # repeated squaring, as a machine's integer power does it
        result = result * base if exponent & 1 else result
        exponent >>= 1
        if not exponent:
            break
        base *= base
    grown = math.floor(exact(initial)) * result
    if math.isnan(grown) or grown <= 0:
        return Fraction(0)
    return exact(most) if math.isinf(grown) else min(Fraction(math.floor(grown)), exact(most))


def retryable(outcome: Json) -> bool:
    """Tell whether the result of a model call asks for another attempt."""
    error = outcome.get("error") if isinstance(outcome, dict) else None
    return isinstance(error, dict) and (error.get("kind") == "timeout" or error.get("retryable") is True)


def succeeded(outcome: Json) -> bool:
    """Tell whether a result is a success."""
    if not isinstance(outcome, dict):
        return False
    return outcome["is_error"] is False if "is_error" in outcome else "error" not in outcome
