"""What an adapter that has answered `initialize` is judged by, and the lines of the log that introduce it.

Enters: the request, what is read of the suites, what the adapter said of itself. Leaves: settings, notes, adapter
lines. Must not know scenarios.
"""

from __future__ import annotations

from collections.abc import Iterable

from bindproof.core.model import AdapterCommand, TargetInfo
from bindproof.drive import Failed
from bindproof.results import AdapterLine, Speaks
from bindproof.runner.adapters import option
from bindproof.runner.course import Setting, edition_of_target
from bindproof.runner.request import RunRequest
from bindproof.spec.models import Suite as Spec
from bindproof.suites import Fault, Suite


def settings(
    request: RunRequest, known: Iterable[tuple[Spec, Suite, Fault | None]], info: TargetInfo
) -> tuple[list[Setting], list[str]]:
    """Return a setting for each known suite that the adapter speaks, and what a user should know of them."""
    found: list[Setting] = []
    notes: list[str] = []
    for spec, suite, fault in known:
        spoken = info.suites.get(spec.name)
        if spoken is None:
            continue
        dialect = str(spoken.get("dialect"))
        if dialect not in spec.dialects:
            names = ", ".join(spec.dialects)
            notes.append(f"it speaks {spec.name} in a dialect {dialect!r} that the spec does not have; known: {names}")
            continue
        edition, warning = _edition(request, spec, info)
        notes += [warning] if warning else []
        found.append(Setting(spec, suite, edition, dialect, request.requirements, fault))
    return found, notes


def _edition(request: RunRequest, spec: Spec, info: TargetInfo) -> tuple[str, str | None]:
    if request.edition is not None:
        return request.edition, None
    return edition_of_target(spec, info)


def ready_line(
    request: RunRequest, command: AdapterCommand, info: TargetInfo, speaks: tuple[Speaks, ...], notes: tuple[str, ...]
) -> AdapterLine:
    """Return the line of an adapter that is ready."""
    return AdapterLine(
        name=command.name,
        state="ready",
        required=command.required,
        target=info.target,
        version=info.version,
        language=info.language,
        runtime=info.runtime,
        suites=speaks,
        files=dict(command.files),
        option=option(request, command.name),
        notes=notes,
    )


def failed_line(
    request: RunRequest, command: AdapterCommand, event: Failed, earlier: AdapterLine | None
) -> AdapterLine:
    """Return the line of an adapter that failed. earlier: its line from when it was ready, None if it never was."""
    return AdapterLine(
        name=event.adapter,
        state="failed",
        required=command.required,
        target=earlier.target if earlier else "",
        version=earlier.version if earlier else "",
        suites=earlier.suites if earlier else (),
        reason=event.reason,
        evidence=event.evidence,
        stderr=event.stderr,
        option=option(request, event.adapter),
    )
