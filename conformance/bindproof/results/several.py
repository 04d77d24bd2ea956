"""Several logs told as one: of bindings that were judged apart, on machines of their own, say.

Enters: logs. Leaves: the lines of one log. Must not know who reads them. Shards of one run are another matter: they are
held against the expectations again (`runner.merging`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from bindproof.core.errors import LogError
from bindproof.results.fold import EXIT_USAGE, Fold
from bindproof.results.lines import AdapterLine, Line, RunLine, SuiteFacts, SummaryLine
from bindproof.results.reader import Log


def together(logs: Sequence[Log]) -> Iterator[Line]:
    """Yield the lines of one log that has what all of them have, the summary last.

    A log that has no summary was cut short, and so is the whole. Raises LogError for logs that are not of one spec, or
    judge differently, and for an adapter that two of them have.
    """
    first = logs[0]
    for other in logs[1:]:
        _hold_alike(first, other)
    fold, ends, owners = Fold(), list[SummaryLine](), dict[str, Log]()
    run = first.run if len(logs) == 1 else _joined([log.run for log in logs])
    fold.add(run)
    yield run
    for log in logs:
        for line in log:
            if isinstance(line, SummaryLine):
                ends.append(line)
            elif not isinstance(line, RunLine):
                _hold_own(owners, log, line)
                fold.add(line)
                yield line
    yield ends[0] if len(logs) == len(ends) == 1 else _summary(fold, ends, cut_short=len(ends) < len(logs))


def _summary(fold: Fold, ends: Sequence[SummaryLine], *, cut_short: bool) -> SummaryLine:
    return fold.summary(
        interrupted=cut_short or any(end.interrupted for end in ends),
        bug=next((end.bug for end in ends if end.bug is not None), None),
        usage=next((end.why for end in ends if end.exit == EXIT_USAGE), None),
    )


def _hold_alike(first: Log, other: Log) -> None:
    if first.run.spec != other.run.spec:
        raise LogError(other.path, 1, f"it was judged by another spec than {first.path}; report on each by itself")
    if any(log.run.request.shard is not None for log in (first, other)):
        raise LogError(other.path, 1, "shards of one run are joined by `bindproof merge`; report on what that writes")
    if _judging(first.run) != _judging(other.run):
        raise LogError(other.path, 1, f"it was judged with other choices than {first.path}; report on each by itself")


def _judging(run: RunLine) -> RunLine:
    """Return what has to be the same in all of them: the choices, but for who was judged, and how fast."""
    request = replace(run.request, adapters=(), adapter_commands=(), processes=1, suite=None)
    return replace(
        run, request=request, adapters=(), started="", python="", platform="", bindproof="", suites=(), expectations={}
    )


def _hold_own(owners: dict[str, Log], log: Log, line: Line) -> None:
    if isinstance(line, AdapterLine) and owners.setdefault(line.name, log) is not log:
        what = f"adapter {line.name!r} is in {owners[line.name].path} too; report on one of the two"
        raise LogError(log.path, None, what)


def _joined(runs: Sequence[RunLine]) -> RunLine:
    request = replace(
        runs[0].request,
        adapters=tuple(dict.fromkeys(name for run in runs for name in run.request.adapters)),
        adapter_commands=tuple(dict.fromkeys(pair for run in runs for pair in run.request.adapter_commands)),
        suite=runs[0].request.suite if len({run.request.suite for run in runs}) == 1 else None,
    )
    return replace(
        runs[0],
        request=request,
        suites=_suites(runs),
        adapters=tuple(dict.fromkeys(name for run in runs for name in run.adapters)),
        expectations={name: reason for run in runs for name, reason in run.expectations.items()},
    )


def _suites(runs: Sequence[RunLine]) -> tuple[SuiteFacts, ...]:
    """Of a suite that several have, the facts of the first: they are of one spec, and chosen alike."""
    suites: dict[str, SuiteFacts] = {}
    for run in runs:
        for suite in run.suites:
            suites.setdefault(suite.suite, suite)
    return tuple(suites.values())
