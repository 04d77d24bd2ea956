"""How adapters stood from log to log: a point for each adapter of each log, with what changed since the one before.

Enters: logs. Leaves: points, as values that are JSON too. Must not know where they are shown. Memory does not grow with
the length of a log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from bindproof.report.digest import Digest, Status
from bindproof.results import Log

BAD: frozenset[Status] = frozenset({"broken", "known", "lost"})


class Point(Struct, frozen=True):
    """One adapter in one log."""

    log: str
    started: str
    """The time in ISO 8601."""
    bindproof: str
    spec: str
    adapter: str
    series: str
    """What it is a point of: the adapter, without a release."""
    target: str
    version: str
    editions: tuple[str, ...]
    judged: int
    """Scenarios."""
    exit: int
    """Of the whole run; 130 where the log was cut short."""
    why: str
    """Why nothing was judged of it, empty where something was."""
    counts: dict[Status, int]
    """Requirements of each status."""
    broke: tuple[str, ...]
    """Requirements that are broken here, known or not, and were not in the point before."""
    mended: tuple[str, ...]
    """Of those the opposite."""


def points(logs: Iterable[Log]) -> Iterator[Point]:
    """Yield the points of logs in the order of their time, each held against the one before of its series.

    An adapter of which nothing was judged is a point, and nothing is held against it. Raises LogError.
    """
    before: dict[str, dict[str, Status]] = {}
    for log in sorted(logs, key=lambda one: (one.run.started, str(one.path))):
        digest = Digest.over(log)
        for name in digest.adapters:
            series = name.partition("@")[0]
            statuses = _statuses(digest, name) if digest.judged.get(name) else {}
            yield _point(log, digest, name, statuses, before.get(series, {}))
            if statuses:
                before[series] = statuses


def _statuses(digest: Digest, adapter: str) -> dict[str, Status]:
    rows = [facts for rows in digest.chapters().values() for facts in rows]
    found = ((facts.id, digest.counts(adapter, [facts])) for facts in rows)
    return {name: status for name, counts in found for status, count in counts.items() if count}


def _point(log: Log, digest: Digest, name: str, now: dict[str, Status], was: dict[str, Status]) -> Point:
    line, (code, _) = digest.adapters[name], digest.ending
    unjudged = "nothing of it was judged" if line.state == "ready" else f"{line.state}: {line.reason}"
    counts: dict[Status, int] = {}
    for status in now.values():
        counts[status] = counts.get(status, 0) + 1
    both = [rule for rule in now if rule in was]
    return Point(
        log=str(log.path),
        started=log.run.started,
        bindproof=log.run.bindproof,
        spec=log.run.spec,
        adapter=name,
        series=name.partition("@")[0],
        target=line.target,
        version=line.version,
        editions=tuple(dict.fromkeys(speaks.edition for speaks in line.suites)),
        judged=digest.judged.get(name, 0),
        exit=code,
        why="" if now else unjudged,
        counts=counts,
        broke=tuple(rule for rule in both if now[rule] in BAD and was[rule] not in BAD),
        mended=tuple(rule for rule in both if now[rule] not in BAD and was[rule] in BAD),
    )
