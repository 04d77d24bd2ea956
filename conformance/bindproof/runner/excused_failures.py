"""Which failures an expectation excuses: those that look as it says, and what comes with them in the same step.

Enters: expectations that are about a scenario, a judgement on it. Leaves: the failures that none of them excuses.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bindproof.core.model import Evidence, Json, Judgement
from bindproof.core.patterns import compile_pattern
from bindproof.spec.models import Divergence, Sign

Excused = tuple[Divergence | None, tuple[Evidence, ...]]
"""The first expectation that excuses one of a judgement's failures, and the failures that none excuses."""


def excuses(known: Sequence[Divergence], judgement: Judgement) -> Excused:
    """Return what is left of a judgement's failures, and the expectation that names what is not."""
    own = [one for one in known if one.sign is not None and one.requirement == judgement.requirement]
    shown = [(one, failure) for one in own for failure in judgement.failures if has_sign(one.sign, failure)]
    left = tuple([failure for failure in judgement.failures if not any(_covers(*each, failure) for each in shown)])
    return (shown[0][0] if shown else None), left


def shows(divergence: Divergence, judgement: Judgement) -> bool:
    """Tell whether a judgement has a failure that looks as an expectation says."""
    ours = divergence.requirement == judgement.requirement
    return ours and any(has_sign(divergence.sign, failure) for failure in judgement.failures)


def has_sign(sign: Sign | None, failure: Evidence) -> bool:
    """Tell whether a failure looks so."""
    if sign is None or (sign.at is not None and sign.at != failure.at):
        return False
    return all(
        _is(value, pattern, seen)
        for value, pattern, seen in (
            (sign.expected, sign.expected_matches, failure.expected),
            (sign.observed, sign.observed_matches, failure.observed),
        )
    )


def _is(value: Json, pattern: str | None, seen: Json) -> bool:
    if value is msgspec.UNSET and pattern is None:
        return True
    text = json_text(seen)
    return text == json_text(value) if pattern is None else compile_pattern(pattern).search(text)


def json_text(value: Json) -> str:
    """Return a value's JSON text: no spaces, keys in alphabetical order."""
    return msgspec.json.encode(value, order="sorted").decode()


def _covers(divergence: Divergence, sign: Evidence, failure: Evidence) -> bool:
    """Tell whether a failure is one that has the sign of a divergence, or comes with it in its step."""
    if failure is sign or has_sign(divergence.sign, failure):
        return True
    same_step = not set(sign.about).isdisjoint(failure.about)
    return same_step and any(has_sign(one, failure) for one in divergence.beside)
