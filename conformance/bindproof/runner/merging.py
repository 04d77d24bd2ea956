"""Makes one log of the logs of shards, and holds the whole of it against the expectations.

Enters: the logs of all shards of one run. Leaves: the lines of one log, as a run on one machine would have written
them. Nothing is acted out or judged again: only what is known of a divergence is looked up anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from bindproof.core.errors import LogError
from bindproof.core.origins import TwinOf
from bindproof.results import Emit, RunLine, VerdictLine, read
from bindproof.runner.joining import Joining
from bindproof.runner.known_divergences import Expectations, known_divergences, name_of
from bindproof.runner.run_line import digest_of
from bindproof.runner.shards import ShardLog, in_order, joined_adapters, survey
from bindproof.runner.verdicts import Known
from bindproof.spec import Divergence, installed


def merge(logs: Sequence[Path], expectations: str | None, emit: Emit) -> None:
    """Emit the lines of the whole run.

    expectations: a file to add to the shipped ones, `none` for nothing expected at all; those that the shards were
    given count no longer. Raises LogError for logs that are not all the shards of one run, UsageError where this
    bindproof cannot judge what is expected of them.
    """
    shards = in_order([survey(path) for path in logs])
    run = shards[0].run
    divergences = _divergences(run, shards[0].path, expectations)
    emit(_whole(run, divergences, expectations))
    adapters = joined_adapters(shards)
    for lines in adapters.values():
        for line in lines:
            emit(line)
    known = {
        (name, speaks.suite): Known(
            Expectations(divergences[speaks.suite], line.target, line.version), _twins(shards, name)
        )
        for name, lines in adapters.items()
        for line in lines[:1]
        for speaks in line.suites
    }
    whole = Joining(emit, verdict=lambda line: known[line.adapter, line.suite].held_against(line))
    for shard in shards:
        for one in read(shard.path):
            whole.take(one)
    whole.close()
    if run.request.fault is None and all(rule.selected for suite in run.suites for rule in suite.requirements):
        for (adapter, _), each in known.items():
            for stale in each.expectations.stale(adapter):
                emit(stale)


def _divergences(run: RunLine, path: Path, own: str | None) -> dict[str, list[Divergence]]:
    specs = [installed(suite.suite) for suite in run.suites]
    if digest_of(specs) != run.spec:
        raise LogError(
            path, 1, "it was written with another spec than this bindproof has; merge with the same bindproof"
        )
    known = frozenset(requirement for spec in specs for requirement in spec.requirements)
    return {spec.name: known_divergences(spec, own, known) for spec in specs}


def _whole(run: RunLine, divergences: dict[str, list[Divergence]], own: str | None) -> RunLine:
    reasons = {name_of(one): one.reason for each in divergences.values() for one in each}
    request = msgspec.structs.replace(run.request, shard=None, processes=None, expectations=own)
    return msgspec.structs.replace(run, request=request, expectations=reasons)


def _twins(shards: Iterable[ShardLog], adapter: str) -> dict[TwinOf, VerdictLine]:
    return {twin: line for shard in shards for (name, twin), line in shard.twins.items() if name == adapter}
