"""Makes a scenario as small as it can be while it still shows the same.

Enters: a scenario as one would write it, and answers to the question which of some smaller ones still show it. Leaves:
questions, and in the end the smallest. Must not know why a scenario is asked about, nor who answers.

It works on the scenario's structure and not on the generator's choices: so it also goes where no generator does, what
it finds is replayed without one, and it is the same for every suite. First come the parts that a suite knows of, and
the smaller scenarios that it does, such as shorter sentences of its grammar; then whole steps are taken away and steps
inside others come out; then everything below them goes, many at once where each can go by itself; then items are
merged, values made plain and names short, and texts shorter. What is left when nothing of this makes it smaller is the
result.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

from bindproof.core.model import Json
from bindproof.core.smallest import size, text
from bindproof.runner.campaign.reductions import Reduction, applied, cuts, hoists, others, puts
from bindproof.runner.campaign.texts import shorter_texts

Asking = Generator[list[Json], list[bool], Json]
"""Yields scenarios, is sent for each whether it still shows it, returns the smallest that does."""

MOST = 300
"""So many scenarios are acted out for one result; what is smallest then is taken."""

AT_ONCE = 48
"""So many scenarios are asked about at once."""

STEPS = 2
"""The depth at which the items of a scenario's lists lie: its steps."""

FURTHER = 8
"""So many further changes are asked about before the first is known to work."""

COMBINATIONS = 6
"""So many ways of doing several reductions together are asked about at once."""


class _EnoughError(Exception):
    """So many scenarios were asked about that it has to be enough."""


class _Shrinking:
    """The state: the smallest scenario so far, and what was answered."""

    def __init__(self, scenario: Json, legal: Callable[[Json], bool], most: int) -> None:
        self.best, self._legal, self._left = scenario, legal, most
        self._known: dict[bytes, bool] = {text(scenario): True}

    def ask(self, candidates: Sequence[Json]) -> Generator[list[Json], list[bool], list[bool]]:
        """Ask which candidates still show it; one that is not legal does not, and none is asked about twice."""
        fresh: dict[bytes, Json] = {}
        for one in candidates:
            key = text(one)
            if key not in self._known and key not in fresh and self.may_be(one):
                fresh[key] = one
        keys = list(fresh)
        while keys:
            if self._left <= 0:
                raise _EnoughError
            some, keys = keys[: min(AT_ONCE, self._left)], keys[min(AT_ONCE, self._left) :]
            self._left -= len(some)
            answers = yield [fresh[key] for key in some]
            self._known.update(zip(some, answers, strict=True))
            self._take(fresh[key] for key, shows in zip(some, answers, strict=True) if shows)
        return [self._known[text(one)] for one in candidates]

    def may_be(self, one: Json) -> bool:
        """Tell whether a candidate may still show it: it is legal, and was not found not to."""
        key = text(one)
        if key not in self._known and not self._legal(one):
            self._known[key] = False
        return self._known.get(key, True)

    def _take(self, shown: Iterable[Json]) -> None:
        self.best = min([self.best, *shown], key=size)


def _nothing(scenario: Json) -> list[Json]:
    return []


def shrink(
    scenario: Json,
    legal: Callable[[Json], bool],
    most: int = MOST,
    parts: Callable[[Json], Iterable[Json]] = _nothing,
    smaller: Callable[[Json], Iterable[Json]] = _nothing,
) -> Asking:
    """Make a scenario smaller.

    legal: tells whether what a reduction makes is a scenario at all. parts: what a suite knows a scenario to be made
    of, such as the expressions within an expression; one that still shows it is taken first. smaller: the
    smaller ones that a suite knows of.
    The same questions come in the same order, whatever the time and the machine.
    """
    state = _Shrinking(scenario, legal, most)
    try:
        yield from _one_of(state, parts)
        yield from _one_of(state, smaller)
        yield from _together(state, lambda document: cuts(document, STEPS))
        yield from _together(state, lambda document: hoists(document, STEPS))
        while True:
            before = state.best
            yield from _together(state, cuts)
            yield from _together(state, puts)
            yield from _one_of(state, others)
            yield from _one_of(state, shorter_texts)
            if state.best is before:
                return state.best
    except _EnoughError:
        return state.best


def _together(
    state: _Shrinking, edits_of: Callable[[Json], list[Reduction]]
) -> Generator[list[Json], list[bool], None]:
    """Do as many reductions at once as can be done together, again and again until none can be done."""
    while True:
        document = state.best
        reductions = edits_of(document)
        shows = yield from state.ask([applied(document, [reduction]) for reduction in reductions])
        good = [reduction for reduction, works in zip(reductions, shows, strict=True) if works]
        if not good:
            return
        if len(good) > 1:
            yield from state.ask([applied(document, good[:end]) for end in _ends(len(good))])


def _ends(count: int) -> list[int]:
    """Return how many of so many reductions are tried together: all, and evenly fewer."""
    return sorted({max(2, count * part // COMBINATIONS) for part in range(1, COMBINATIONS + 1)}, reverse=True)


def _one_of(state: _Shrinking, ways: Callable[[Json], Iterable[Json]]) -> Generator[list[Json], list[bool], None]:
    """Take the smallest of what other ways make, again and again until none makes it smaller."""
    while True:
        document = state.best
        smaller = sorted(ways(document), key=size)
        yield from state.ask([*smaller, *_further(state, smaller, ways)])
        if state.best is document:
            return


def _further(state: _Shrinking, smaller: list[Json], ways: Callable[[Json], Iterable[Json]]) -> Iterator[Json]:
    """Yield what comes of the smallest one, and of that, and so on: mostly the names become short one by one."""
    for _ in range(FURTHER):
        first = next((one for one in smaller if state.may_be(one)), None)
        if first is None:
            return
        smaller = sorted(ways(first), key=size)
        yield from smaller[:1]
