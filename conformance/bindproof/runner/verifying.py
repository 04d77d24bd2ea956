"""Runs again what a log claims, and tells whether it holds.

Enters: the claims of a log. Leaves: what was seen again, and what speaks against the log. Must not know who trusts it.

A log holds where the same things are judged in the same way: the spec, the adapter's own code and the package have the
digests that it tells, and each verdict is seen again. Where any of these is another one nobody can say what the log's
would have done, and no verdict is held against anything. A verdict that comes again in one of a few tries is one of a
race, and not of a log that was edited.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from glob import escape
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from bindproof.core.origins import Generated, name_of, vector_of
from bindproof.core.request import RunRequest
from bindproof.results import AdapterLine, Line, VerdictLine, joined
from bindproof.runner.execute import execute, inputs_and_run_line
from bindproof.runner.log_claims import Key, LogClaims, Says

About = Literal["log", "verdict", "spec", "adapter", "package"]
"""What a doubt is about. log: it contradicts itself. verdict: it says of a scenario what is not seen. spec, adapter,
package: that is another one than the log's, or cannot be had."""

REFUTING: Final = frozenset({"log", "verdict"})
"""Doubts that refute a log. By all others nobody can tell."""

TRIES: Final = 4
"""So often is a scenario tried again that came out otherwise than the log says."""

MOST_NAMED: Final = 3
"""Files that are named of a package that is another one."""


class Doubt(Struct, frozen=True):
    """What speaks against a log, or against telling."""

    about: About
    name: str
    """Of the adapter, or adapter and scenario; empty for what is about all."""
    text: str
    """What the log says, and what is so."""


class Verification(Struct, frozen=True):
    """What came of it."""

    log: str
    bindproof: str
    """The release that wrote the log."""
    verdicts: int
    """In the log."""
    again: int
    """Those that were held against what is seen now."""
    seen: int
    """Those of them that were seen again."""
    unsteady: tuple[str, ...]
    """Scenarios that do not come out alike each time, each with its adapter; the log may say so of one of them."""
    doubts: tuple[Doubt, ...]

    @property
    def refuted(self) -> bool:
        """The log says what is not so."""
        return any(doubt.about in REFUTING for doubt in self.doubts)


def verify(claims: LogClaims, request: RunRequest, progress: Callable[[str], None]) -> Verification:
    """Run again what a log claims. request: its own. progress: takes words for a waiting user.

    Raises UsageError where what it is about is not installed here, and SpecError.
    """
    run = claims.log.run
    doubts = [Doubt("log", "", claims.contradiction)] if claims.contradiction else []
    inputs, now = inputs_and_run_line(request)
    if now.spec != run.spec:
        text = f"the log is of the spec {run.spec[:12]} of bindproof {run.bindproof}"
        doubts.append(Doubt("spec", "", f"{text}, and here is {now.spec[:12]} of bindproof {now.bindproof}"))
        return _ended(claims, 0, (), (), doubts)
    vectors = {vector.id for one in inputs.values() for vector in one.vectors}
    again = _Again(claims)
    if claims.verdicts:
        execute(_narrowed(request, claims.verdicts, vectors, whole=claims.whole), again.take, progress)
    other = list(_others(claims, again.adapters))
    left_out = {doubt.name for doubt in other}
    wrong = {key: text for key, text in again.wrong() if key[0] not in left_out}
    unsteady = _unsteady(claims, request, wrong, vectors, progress)
    doubts += other
    doubts += [Doubt("verdict", _named(key), text) for key, text in wrong.items() if key not in unsteady]
    return _ended(claims, sum(key[0] not in left_out for key in claims.verdicts), wrong, unsteady, doubts)


class _Again:
    """What is seen now of what a log claims."""

    def __init__(self, claims: LogClaims) -> None:
        self._claims = claims
        self.adapters: dict[str, AdapterLine] = {}
        self.seen: dict[Key, Says] = {}

    def take(self, line: Line) -> None:
        """Take the next line of the run."""
        if isinstance(line, AdapterLine):
            self.adapters[line.name] = joined(self.adapters.get(line.name), line)
        elif isinstance(line, VerdictLine):
            key = line.adapter, line.suite, line.came_from
            if self._claims.whole or key in self._claims.verdicts:
                self.seen[key] = Says.of(line)

    def wrong(self) -> Iterator[tuple[Key, str]]:
        """Yield each scenario of which the log says what is not seen, with both."""
        claimed = self._claims.verdicts
        for key, says in claimed.items():
            now = self.seen.get(key)
            if now is None:
                yield key, f"the log says: {says.beside(says)}; and no such scenario is run"
            elif now != says:
                yield key, f"the log says: {says.beside(now)}; seen is: {now.beside(says)}"
        for key in self.seen.keys() - claimed.keys():
            yield key, "it is run, and the log has no verdict on it"


def _ended(
    claims: LogClaims, again: int, wrong: Iterable[Key], unsteady: Iterable[Key], doubts: Iterable[Doubt]
) -> Verification:
    unsteady = tuple(unsteady)
    lost = sum(key in claims.verdicts and key not in unsteady for key in wrong)
    return Verification(
        log=str(claims.log.path),
        bindproof=claims.log.run.bindproof,
        verdicts=claims.count,
        again=again,
        seen=again - lost,
        unsteady=tuple(map(_named, unsteady)),
        doubts=tuple(doubts),
    )


def _named(key: Key) -> str:
    return f"{key[0]} {name_of(key[2])}"


def _narrowed(request: RunRequest, keys: Collection[Key], vectors: set[str], *, whole: bool) -> RunRequest:
    """Return the request for what is tried: all of it, or the adapters and vectors that these are on."""
    origins, names = [origin for _, _, origin in keys], {adapter for adapter, _, _ in keys}
    if not whole:
        adapters = tuple(name for name in request.adapters if name in names)
        own = tuple(one for one in request.adapter_commands if one[0] in names)
        request = replace(request, adapters=adapters, adapter_commands=own)
    if request.campaign is not None:
        numbers = [origin.number for origin in origins if isinstance(origin, Generated)]
        examples = max(numbers, default=request.campaign.first) - request.campaign.first + 1
        return replace(request, campaign=replace(request.campaign, examples=examples, seconds=None, save=None))
    named = sorted({name for origin in origins if (name := vector_of(origin)) in vectors})
    if whole or request.files or not named:
        return request
    return replace(request, vectors=tuple(map(escape, named)), shard=None)


def _unsteady(
    claims: LogClaims, request: RunRequest, wrong: Iterable[Key], vectors: set[str], progress: Callable[[str], None]
) -> set[Key]:
    """Return which of the scenarios that came out otherwise come out as the log says when they are tried again."""
    found: set[Key] = set()
    left = {key for key in wrong if key in claims.verdicts and vector_of(key[2]) in vectors}
    for number in range(TRIES):
        if not left:
            break
        progress(f"trying again what came out otherwise than the log says, {number + 1} of {TRIES} times")
        again = _Again(claims)
        execute(_narrowed(request, left, vectors, whole=False), again.take, progress)
        as_claimed = {key for key in left if again.seen.get(key) == claims.verdicts[key]}
        found |= as_claimed
        left -= as_claimed
    return found


def _others(claims: LogClaims, adapters: dict[str, AdapterLine]) -> Iterator[Doubt]:
    """Yield why an adapter is not the one that the log is about."""
    for name in dict.fromkeys(adapter for adapter, _, _ in claims.verdicts):
        was, now = claims.adapters[name], adapters.get(name)
        if now is None:
            yield Doubt("package", name, "no adapter of this name is judged now")
        elif now.state != "ready" and was.state == "ready":
            yield Doubt("package", name, f"it is {now.state} here: {now.reason or now.remedy}")
        elif (was.target, was.version) != (now.target, now.version):
            text = f"the log is of {was.target} {was.version}, and here is {now.target} {now.version}"
            yield Doubt("package", name, text)
        elif was.files != now.files:
            yield Doubt("package", name, f"here is another build of {was.target} {was.version}: {_differing(was, now)}")
        elif was.program != now.program:
            what = "is another one than the log's" if was.program else "may be another one: the log does not tell of it"
            yield Doubt("adapter", name, f"the adapter's own code {what}")
        elif _spoken(was) != _spoken(now):
            yield Doubt("log", name, f"the log says that it is judged on {_spoken(was)}, and it is on {_spoken(now)}")


def _differing(was: AdapterLine, now: AdapterLine) -> str:
    names = sorted(name for name in was.files | now.files if was.files.get(name) != now.files.get(name))
    more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    return ", ".join([*names[:MOST_NAMED], *more])


def _spoken(line: AdapterLine) -> str:
    return ", ".join(f"{one.suite} edition {one.edition} dialect {one.dialect}" for one in line.suites) or "nothing"
