"""Every place at which a record differs from what is expected, where `match` tells the first one only.

Enters: an expected value with matchers, an observed one, what the log has shown so far. Leaves: differences by their
places; how far two records are apart. Judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.core.pointer import pointer_to
from bindproof.judge.match import MISSING, SCALARS, Bindings, Difference, due, is_matcher, match, traced

MOST_MEMBERS = 100
"""An object that has more members than these too many differs as a whole: its members are not told one by one."""


def record_differences(expected: Json, observed: Json, bindings: Bindings) -> Iterator[Difference]:
    """Yield each difference between two values, at the deepest place that both have; identities and times are bound."""
    if is_matcher(expected):
        yield from _matched(expected, observed, bindings)
    elif isinstance(expected, dict) and isinstance(observed, dict):
        yield from _members(expected, observed, bindings)
    elif isinstance(expected, list) and isinstance(observed, list) and len(expected) == len(observed):
        for index, (left, right) in enumerate(zip(expected, observed, strict=True)):
            yield from (one.within(index) for one in record_differences(left, right, bindings))
    else:
        found = match(expected, observed, bindings)
        if found is not None:
            yield found


def _members(expected: dict[str, Json], observed: dict[str, Json], bindings: Bindings) -> Iterator[Difference]:
    if len(observed) > len(expected) + MOST_MEMBERS:
        yield Difference("", expected, observed)
        return
    for key, value in expected.items():
        if key in observed:
            seen = observed[key]
            if type(value) is type(seen) and type(value) in SCALARS and value == seen:
                continue  # as `record_differences` would find, without asking it
            yield from (one.within(key) for one in record_differences(value, seen, bindings))
        else:
            yield Difference(pointer_to([key]), value, MISSING)
    yield from (Difference(pointer_to([key]), MISSING, observed[key]) for key in observed if key not in expected)


def _matched(expected: Json, observed: Json, bindings: Bindings) -> Iterator[Difference]:
    found = match(expected, observed, bindings)
    if found is None:
        return
    ((name, argument),) = expected.items()
    if name == "$literal" and isinstance(argument, dict | list) and type(argument) is type(observed):
        yield from _literally(argument, observed)
    elif name == "$one_of":
        yield from min((list(record_differences(one, observed, bindings.copy())) for one in argument), key=len)
    elif name == "$contains" and isinstance(observed, dict):
        least = {key: observed[key] for key in argument if key in observed}
        yield from _members(argument, least, bindings)
    else:
        yield found


def _literally(expected: Json, observed: Json) -> Iterator[Difference]:
    """Yield the differences between plain values, in which nothing is a matcher."""
    if isinstance(expected, dict) and isinstance(observed, dict):
        if len(observed) > len(expected) + MOST_MEMBERS:
            yield Difference("", expected, observed)
            return
        for key in dict.fromkeys((*expected, *observed)):
            left, right = expected.get(key, MISSING), observed.get(key, MISSING)
            if key in expected and key in observed:
                yield from (one.within(key) for one in _literally(left, right))
            else:
                yield Difference(pointer_to([key]), left, right)
    elif isinstance(expected, list) and isinstance(observed, list) and len(expected) == len(observed):
        for index, (left, right) in enumerate(zip(expected, observed, strict=True)):
            yield from (one.within(index) for one in _literally(left, right))
    else:
        found = match({"$literal": expected}, observed, Bindings())
        if found is not None:
            yield found


def identities(expected: Json, observed: Json) -> Iterator[tuple[str, str]]:
    """Yield the name and the label of each identity that an expected value and an observed one both have."""
    if is_matcher(expected):
        ((name, argument),) = expected.items()
        if name == "$id" and isinstance(observed, str):
            yield argument, observed
        elif name == "$trace":
            yield from _traced(argument, observed)
        elif name == "$contains":
            yield from identities(argument, observed)
    elif isinstance(expected, dict) and isinstance(observed, dict):
        for key in expected.keys() & observed.keys():
            yield from identities(expected[key], observed[key])
    elif isinstance(expected, list) and isinstance(observed, list):
        for left, right in zip(expected, observed, strict=False):
            yield from identities(left, right)


def assume(expected: Json, bindings: Bindings) -> None:
    """Take the times in a record that is missing for what they should have been: others are measured from them."""
    if is_matcher(expected):
        ((name, argument),) = expected.items()
        time = due(argument, bindings) if name == "$time" and "as" in argument else None
        if time is not None:
            bindings.times.setdefault(argument["as"], time)
    elif isinstance(expected, dict | list):
        for item in expected.values() if isinstance(expected, dict) else expected:
            assume(item, bindings)


def _traced(argument: Json, observed: Json) -> Iterator[tuple[str, str]]:
    seen = traced(observed)
    return ((argument[part], seen[part]) for part in argument if isinstance(seen.get(part), str))


def akin(expected: Json, observed: Json) -> bool:
    """Tell whether an observed record may be an expected one that changed: most of the texts right in it are the same.

    These are its fact, its callback, its step, its subscriber, and perhaps a value.
    """
    agreeing, texts = _texts(expected, observed)
    return agreeing * 2 > texts


def related(expected: Json, observed: Json) -> bool:
    """Tell whether an observed record may stand in the place of an expected one: one such text is the same."""
    return _texts(expected, observed)[0] > 0


def texts(record: Json) -> tuple[str, ...]:
    """Return what a record calls itself: the texts right in it, whatever the order of its members."""
    return (
        tuple(record[key] for key in sorted(record) if isinstance(record[key], str)) if isinstance(record, dict) else ()
    )


def _texts(expected: Json, observed: Json) -> tuple[int, int]:
    """Return how many texts right in two records agree, and how many the expected one has."""
    if is_matcher(expected):
        ((name, argument),) = expected.items()
        return max((_texts(one, observed) for one in argument), default=(0, 0)) if name == "$one_of" else (0, 0)
    texts = [key for key, value in expected.items() if isinstance(value, str)]
    seen = observed if isinstance(observed, dict) else {}
    return sum(seen.get(key) == expected[key] for key in texts), len(texts)


def agree(expected: Json, observed: Json, bindings: Bindings) -> bool:
    """Tell whether nothing differs between two records; nothing is bound."""
    return match(expected, observed, bindings.copy()) is None


def unlikeness(expected: Json, observed: Json, bindings: Bindings) -> tuple[int, int]:
    """Return in how many places two records differ, a text right in them counted twice; nothing is bound.

    The second is of how many numbers right in them differ, such as those that count records; the first is of all else.
    """
    if agree(expected, observed, bindings):
        return 0, 0
    places = numbers = 0
    for one in record_differences(expected, observed, bindings.copy()):
        right_in_it = one.pointer.count("/") == 1
        if right_in_it and type(one.expected) is int and type(one.observed) is int:
            numbers += 1
        else:
            places += 2 if right_in_it and isinstance(one.expected, str) else 1
    return places, numbers
