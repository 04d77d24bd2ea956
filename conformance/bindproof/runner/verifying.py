"""Runs again what a log claims, and tells whether it holds.

Enters: the claims of a log. Leaves: what was seen again, and what speaks against the log. Must not know who trusts it.

A log holds where the same things are judged in the same way: the spec, the adapter's own code and the package have the
digests that it tells, and each verdict is seen again. Where any of these is another one nobody can say what the log's
would have done, and no verdict is held against anything. A verdict that comes again in one of a few tries is one of a
race, and not of a log that was edited.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from functools import partial
from glob import escape
from typing import Final, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from bindproof.core.origins import Generated, name_of, vector_of
from bindproof.core.request import RunRequest
from bindproof.results import AdapterLine, Emit, Line, VerdictLine, joined
from bindproof.runner.claim_table import Key, Says, key_of
from bindproof.runner.execute import execute, inputs_and_run_line
from bindproof.runner.log_claims import LogClaims

About = Literal["log", "verdict", "spec", "adapter", "package"]
"""What a doubt is about. log: it contradicts itself. verdict: it says of a scenario what is not seen. spec, adapter,
package: that is another one than the log's, or cannot be had."""

REFUTING: Final = frozenset({"log", "verdict"})
"""Doubts that refute a log. By all others nobody can tell."""

TRIES: Final = 4
"""So often is a scenario tried again that came out otherwise than the log says."""

MOST_NAMED: Final = 3
"""Files that are named of a package that is another one."""

MOST_DOUBTED: Final = 1000
"""Verdicts that are told of one by one; others are counted, so that no log costs more memory than another."""


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
    more: int = 0
    """Verdicts that are not seen again either, beyond the MOST_DOUBTED that are doubts."""

    @property
    def refuted(self) -> bool:
        """The log says what is not so."""
        return any(doubt.about in REFUTING for doubt in self.doubts)


def verify(claims: LogClaims, request: RunRequest, progress: Callable[[str], None]) -> Verification:
    """Run again what a log claims. request: its own. progress: takes words for a waiting user.

    Raises UsageError where what it is about is not installed here, or claims find no room on the disk, and SpecError.
    """
    run = claims.log.run
    doubts = [Doubt("log", "", claims.contradiction)] if claims.contradiction else []
    inputs, now = inputs_and_run_line(request)
    if now.spec != run.spec:
        text = f"the log is of the spec {run.spec[:12]} of bindproof {run.bindproof}"
        doubts.append(Doubt("spec", "", f"{text}, and here is {now.spec[:12]} of bindproof {now.bindproof}"))
        return _ended(claims, _Outcome(), doubts)
    vectors = {vector.id for one in inputs.values() for vector in one.vectors}
    adapters = dict[str, AdapterLine]()
    claimed = claims.verdicts.adapters()
    if claimed:
        asked = _narrowed(request, claims.verdicts.keys(), vectors, whole=claims.whole)
        execute(asked, _taker(adapters, lambda line: claims.verdicts.see(line, unclaimed=claims.whole)), progress)
    other = list(_others(claims, claimed, adapters))
    left_out = {doubt.name for doubt in other}
    again = sum(count for name, count in claimed.items() if name not in left_out)
    outcome = _Outcome(again, _unsteady(claims, request, left_out, vectors, progress))
    for key, was, seen in _differing(claims, left_out):
        outcome.take(key, was, seen)
    return _ended(claims, outcome, [*doubts, *other])


class _Outcome(Struct):
    """What became of the verdicts that were held against what is seen now."""

    again: int = 0
    unsteady: set[Key] = field(default_factory=set)
    lost: int = 0
    """Claims that are not seen again."""
    doubts: list[Doubt] = field(default_factory=list)
    more: int = 0

    def take(self, key: Key, was: Says | None, seen: Says | None) -> None:
        """Take a scenario of which the log says what is not seen."""
        if key in self.unsteady:
            return
        self.lost += was is not None
        if len(self.doubts) < MOST_DOUBTED:
            self.doubts.append(Doubt("verdict", _named(key), _beside(was, seen)))
        else:
            self.more += 1


def _taker(adapters: dict[str, AdapterLine], see: Callable[[VerdictLine], None]) -> Emit:
    """Return what takes the lines of a run. adapters: is given what each is now."""

    def take(line: Line) -> None:
        if isinstance(line, AdapterLine):
            adapters[line.name] = joined(adapters.get(line.name), line)
        elif isinstance(line, VerdictLine):
            see(line)

    return take


def _differing(claims: LogClaims, left_out: Container[str]) -> Iterator[tuple[Key, Says | None, Says | None]]:
    return (one for one in claims.verdicts.differing() if one[0][0] not in left_out)


def _beside(was: Says | None, seen: Says | None) -> str:
    """Say what a log says of a scenario, and what is seen of it."""
    if was is None:
        return "it is run, and the log has no verdict on it"
    if seen is None:
        return f"the log says: {was.beside(was)}; and no such scenario is run"
    return f"the log says: {was.beside(seen)}; seen is: {seen.beside(was)}"


def _ended(claims: LogClaims, outcome: _Outcome, doubts: Iterable[Doubt]) -> Verification:
    return Verification(
        log=str(claims.log.path),
        bindproof=claims.log.run.bindproof,
        verdicts=claims.count,
        again=outcome.again,
        seen=outcome.again - outcome.lost,
        unsteady=tuple(sorted(map(_named, outcome.unsteady))),
        doubts=(*doubts, *outcome.doubts),
        more=outcome.more,
    )


def _named(key: Key) -> str:
    return f"{key[0]} {name_of(key[2])}"


def _narrowed(request: RunRequest, keys: Iterable[Key], vectors: set[str], *, whole: bool) -> RunRequest:
    """Return the request for what is tried: all of it, or the adapters and vectors that these are on."""
    names, named, last = set[str](), set[str](), 0
    for adapter, _, origin in keys:
        names.add(adapter)
        if isinstance(origin, Generated):
            last = max(last, origin.number)
        elif (vector := vector_of(origin)) is not None and vector in vectors:
            named.add(vector)
    if not whole:
        adapters = tuple(name for name in request.adapters if name in names)
        own = tuple(one for one in request.adapter_commands if one[0] in names)
        request = replace(request, adapters=adapters, adapter_commands=own)
    if request.campaign is not None:
        examples = max(last, request.campaign.first) - request.campaign.first + 1
        return replace(request, campaign=replace(request.campaign, examples=examples, seconds=None, save=None))
    if whole or request.files or not named:
        return request
    return replace(request, vectors=tuple(map(escape, sorted(named))), shard=None)


def _unsteady(
    claims: LogClaims,
    request: RunRequest,
    left_out: Container[str],
    vectors: set[str],
    progress: Callable[[str], None],
) -> set[Key]:
    """Return which of the scenarios that came out otherwise come out as the log says when they are tried again.

    Those of vectors alone are tried, and of these there are only so many, however long the log is.
    """
    differing = _differing(claims, left_out)
    left = {key: was for key, was, _ in differing if was is not None and vector_of(key[2]) in vectors}
    found: set[Key] = set()
    for number in range(TRIES):
        if not left:
            break
        progress(f"trying again what came out otherwise than the log says, {number + 1} of {TRIES} times")
        seen = dict[Key, Says]()
        take = _taker({}, partial(_keep, seen))
        execute(_narrowed(request, left, vectors, whole=False), take, progress)
        as_claimed = {key for key, was in left.items() if seen.get(key) == was}
        found |= as_claimed
        left = {key: was for key, was in left.items() if key not in as_claimed}
    return found


def _keep(seen: dict[Key, Says], line: VerdictLine) -> None:
    seen[key_of(line)] = Says.of(line)


def _others(claims: LogClaims, claimed: Iterable[str], adapters: dict[str, AdapterLine]) -> Iterator[Doubt]:
    """Yield why an adapter is not the one that the log is about. claimed: those that verdicts of it are on."""
    for name in claimed:
        was, now = claims.adapters[name], adapters.get(name)
        if now is None:
            yield Doubt("package", name, "no adapter of this name is judged now")
        elif now.state != "ready" and was.state == "ready":
            yield Doubt("package", name, f"it is {now.state} here: {now.reason or now.remedy}")
        elif (was.target, was.version) != (now.target, now.version):
            text = f"the log is of {was.target} {was.version}, and here is {now.target} {now.version}"
            yield Doubt("package", name, text)
        elif was.files != now.files:
            yield Doubt(
                "package", name, f"here is another build of {was.target} {was.version}: {_named_files(was, now)}"
            )
        elif was.program != now.program:
            what = "is another one than the log's" if was.program else "may be another one: the log does not tell of it"
            yield Doubt("adapter", name, f"the adapter's own code {what}")
        elif _spoken(was) != _spoken(now):
            yield Doubt("log", name, f"the log says that it is judged on {_spoken(was)}, and it is on {_spoken(now)}")


def _named_files(was: AdapterLine, now: AdapterLine) -> str:
    names = sorted(name for name in was.files | now.files if was.files.get(name) != now.files.get(name))
    more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    return ", ".join([*names[:MOST_NAMED], *more])


def _spoken(line: AdapterLine) -> str:
    return ", ".join(f"{one.suite} edition {one.edition} dialect {one.dialect}" for one in line.suites) or "nothing"
