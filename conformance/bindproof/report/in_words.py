"""What a prediction asks for, as a reader is told it: matchers become words.

Enters: an expected value, failures of one requirement. Leaves: the same for people. Must not know where it is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, Final

from msgspec.structs import replace

from bindproof.core.model import Evidence, Json
from bindproof.core.pointer import tokens_of

NOTHING: Final = "(nothing)"
"""What the judge has in the place of a member or a record that is not there."""


def in_words(expected: Json) -> Json:
    """Return an expected value in which nothing is a matcher."""
    if isinstance(expected, list):
        return [in_words(one) for one in expected]
    if not isinstance(expected, dict):
        return expected
    if len(expected) == 1:
        ((name, argument),) = expected.items()
        words = _WORDS.get(name)
        if words is not None:
            return words(argument)
    return {key: in_words(value) for key, value in expected.items()}


def _one_of(options: Json) -> Json:
    told = [in_words(one) for one in options]
    return told[0] if len(told) == 1 else {"one of": told}


_WORDS: Final[dict[str, Callable[[Any], Json]]] = {
    "$any": lambda argument: "(anything)",
    "$literal": lambda argument: argument,
    "$one_of": _one_of,
    "$contains": lambda argument: {**in_words(argument), "…": "(and perhaps more)"},
    "$unordered": lambda argument: {"in any order": in_words(argument)},
    "$numeric": lambda argument: argument,
    "$text": lambda argument: f"(a text with {argument!r})",
    "$number": lambda argument: f"(a number of at least {argument['at_least']})",
    "$id": lambda argument: f"(the identity of {argument})",
    "$trace": lambda argument: f"(the trace of {', '.join(map(str, argument.values()))})",
    "$time": lambda argument: "(a time)",
    "$counted": lambda argument: f"(at most {argument['all']})",
}


def together(failures: Sequence[Evidence]) -> list[Evidence]:
    """Return failures, where what is missing of an object and what stands there instead are one failure."""
    found: list[Evidence] = []
    for _, same in groupby(failures, _around):
        found += _joined(list(same))
    return found


def _around(failure: Evidence) -> tuple[str, int | None, str]:
    return failure.lane, failure.record, failure.at.rpartition("/")[0] if failure.at else "-"


def _joined(failures: list[Evidence]) -> list[Evidence]:
    missing = [one for one in failures if one.at and one.observed == NOTHING]
    instead = [one for one in failures if one.at and one.expected == NOTHING]
    if not missing or not instead:
        return failures
    expected = {_key(one): in_words(one.expected) for one in missing}
    observed = {_key(one): one.observed for one in instead}
    at = missing[0].at.rpartition("/")[0]
    text = f"{', '.join(observed)} where the reference has {', '.join(expected)}"
    whole = replace(missing[0], text=text, expected=expected, observed=observed, at=at)
    return [whole, *(one for one in failures if one not in missing and one not in instead)]


def _key(failure: Evidence) -> str:
    return tokens_of(failure.at)[-1]
