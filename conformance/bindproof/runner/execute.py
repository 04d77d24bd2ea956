"""Performs what is asked for: chooses where scenarios come from, and what is done about one that fails.

Enters: a request, where lines and progress go. Leaves: the log's lines in order.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from bindproof.core.request import RunRequest
from bindproof.drive import Limits
from bindproof.results import Emit, RunLine
from bindproof.runner.adapter_commands import names
from bindproof.runner.confirm import Confirming
from bindproof.runner.earlier import Earlier
from bindproof.runner.inputs import Inputs, read_inputs
from bindproof.runner.known_divergences import name_of
from bindproof.runner.loop import Progress, perform
from bindproof.runner.run_line import run_line
from bindproof.runner.vectors import VectorSource

RESTARTS = 1000
"""Processes that scenarios may cost one adapter in a campaign: a known crash must not end it."""


def execute(request: RunRequest, emit: Emit, progress: Progress, before: Earlier | None = None) -> None:
    """Perform a run. Raises UsageError or SpecError for what the user can mend, most before any adapter is started.

    before: the same run, cut short; only what it lacks is done, and only lines that its log lacks are emitted.
    """
    inputs, first = inputs_and_run_line(request)
    if before is None:
        emit(first)
    else:
        before.hold_same(first)
    limits = Limits.allowing(request.timeout)
    if request.campaign is None:
        confirming = Confirming(request, limits, emit, progress)
        perform(request, inputs, VectorSource(inputs), confirming, limits, emit, progress, before)
        return
    from bindproof.runner.campaign.generated import GeneratedSource  # a run of vectors starts without all this
    from bindproof.runner.campaign.shrinking import Shrinking

    campaign = request.campaign
    source = GeneratedSource(campaign, request.shard, inputs)
    limits = replace(limits, restarts=RESTARTS)
    save = None if campaign.save is None else Path(campaign.save)
    shrinking = Shrinking(limits, source.end, save, emit, progress)
    perform(request, inputs, source, shrinking, limits, emit, progress, before)


def inputs_and_run_line(request: RunRequest) -> tuple[dict[str, Inputs], RunLine]:
    """Return what a run is judged by, and the first line of its log; raises UsageError or SpecError."""
    inputs = read_inputs(request)
    reasons = {name_of(known): known.reason for one in inputs.values() for known in one.expectations}
    return inputs, run_line(request, [one.spec for one in inputs.values()], names(request, inputs), reasons)
