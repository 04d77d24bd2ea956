"""The lines of the log that say what became of an adapter.

Enters: how the adapter is started, what it said of itself or how it failed. Leaves: adapter lines. Must
not know scenarios.
"""

from __future__ import annotations

from bindproof.core.model import AdapterCommand, TargetInfo
from bindproof.drive import Failed
from bindproof.results import AdapterLine, Speaks
from bindproof.runner.budgets import words


def ready_line(
    command: AdapterCommand, info: TargetInfo, speaks: tuple[Speaks, ...], notes: tuple[str, ...]
) -> AdapterLine:
    """Return the line of an adapter that is ready; what it says of itself is kept within the budget of its words."""
    return AdapterLine(
        name=command.name,
        state="ready",
        required=command.required,
        target=words(info.target),
        version=words(info.version),
        language=words(info.language),
        runtime=words(info.runtime),
        suites=speaks,
        files=dict(command.files),
        program=command.program,
        notes=tuple(map(words, notes)),
    )


def failed_line(command: AdapterCommand, event: Failed, earlier: AdapterLine | None) -> AdapterLine:
    """Return the line of an adapter that failed. earlier: its line from when it was ready, None if it never was."""
    return AdapterLine(
        name=event.adapter,
        state="failed",
        required=command.required,
        target=earlier.target if earlier else "",
        version=earlier.version if earlier else "",
        suites=earlier.suites if earlier else (),
        reason=words(event.reason),
        evidence=event.evidence,
        stderr=event.stderr,
    )
