"""What differs between the editions of `relay`: named rules, set here and nowhere else.

Enters: an edition's name. Leaves: its rules. Every other module asks a rule by name and never compares editions. Each
edition below says only what it changed; what it does not say stays as it was before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


class UnknownEditionError(ValueError):
    """The reference has no rules for this edition."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that an edition switches."""

    outcome_fields: tuple[str, ...]
    """Every key that an outcome may have (OUT-011)."""
    mark_fields: tuple[str, ...]
    """Every key that a pending mark may have (MRK-008)."""
    annotation_fields: tuple[str, ...]
    """What an annotation of a request says of itself, beside what is the program's own (DLC-009)."""
    answer_fields: tuple[str, ...]
    """The same of an annotation of an answer."""
    outcomes_are_closed: bool = False
    """What an intercept answers with has no other keys (OUT-011), else those are as if they were not (OUT-014)."""
    subscribers_settled: bool = False
    """Who is told of a call is settled when it starts (LIF-008), else of each of its events by itself."""
    agents_named: bool = False
    """The provider is given headers that name the agents around the call (LIF-017)."""
    runtime_traceparent: bool = False
    """The provider is given the runtime's own `traceparent` (LIF-010), else trace headers pass as they are (LIF-015).
    """
    propagation_root: bool = False
    """Events name the root of their trajectory (LIF-014)."""
    captured_roots: bool = False
    """What a program captures has a root (PRP-002), else only where it names one."""
    captured_trace: bool = False
    """What a program captures tells the trace, too (PRP-005)."""
    original_exception: bool = False
    """The caller is given the very exception that a callback raised (OUT-012)."""
    tracestate_removed: bool = False
    """The caller's `tracestate` does not reach the provider (LIF-011)."""
    first_chunk_time: bool = False
    """A stream's end says how long its first chunk took (STR-008)."""
    dropped_streams_end: bool = False
    """What hands over the chunks of a stream that its program forgets is closed, and the call has an end (STR-018),
    else it may run on."""
    tool_context: bool = False
    """A tool's execution intercept is given the call's id (TOL-016)."""
    sanitizers_fail_closed: bool = False
    next_ends: bool = False
    """What an execution intercept goes on with fails once that has answered (MID-030), else it runs."""
    credentials_hidden: bool = False
    """A start does not show the headers that hold credentials (LIF-026), else they stand there (LIF-027)."""
    cancelled_workers_told: bool = False
    """A worker is told that a call is cancelled which it has not answered (WRK-006)."""
    annotations_go_with_answers: bool = False
    """The annotation that a program gives an end is told with its answer alone (EVT-045), else always (EVT-046)."""
    stand_ins_sanitized: bool = False
    """The data that a program gives an end in place of an LLM's response are given to its sanitizers (EVT-047), else
    these are given null."""
    codec_context: bool = False
    """A sanitizer of an LLM's payload is told which codec the call has (AUT-017)."""
    execution_codecs: bool = False
    """An execution intercept of an LLM is told which codecs the call has (AUT-026)."""
    failed_finalizers_tell: bool = False
    """A finalizer that fails makes the end an error (STR-020), for bindings whose dialect says so."""
    stated_errors_stay: bool = False
    """The end of a call that a program ends itself is the error that the program says it is (EVT-034), else it is none
    (EVT-033)."""
    failures_typed: bool = False
    """The end of a call that failed says of which type its error is (EVT-054)."""
    tool_results_may_fail: bool = False
    """A tool's result can say that it is of a failure (EVT-035)."""
    finished_streams_end_well: bool = False
    """A stream that is closed after its answer was finished has no error (STR-019)."""


_FIRST = Rules(
    outcome_fields=("request", "annotated_request"),
    mark_fields=("name", "category", "category_profile", "data", "metadata"),
    annotation_fields=("messages", "model", "params", "tools", "tool_choice"),
    answer_fields=("id", "model", "message", "tool_calls", "finish_reason", "usage", "api_specific"),
)

_OUTCOME = (*_FIRST.outcome_fields, "pending_marks")

_CHANGES: Mapping[str, Mapping[str, object]] = {
    "0.4": {},
    "0.5": {"outcome_fields": _OUTCOME, "outcomes_are_closed": True, "subscribers_settled": True, "agents_named": True},
    "0.6": {
        "outcome_fields": (*_OUTCOME, "optimization_contributions"),
        "annotation_fields": (*_FIRST.annotation_fields, "instructions", "api_specific"),
        "answer_fields": (*_FIRST.answer_fields, "optimization_summary"),
        "dropped_streams_end": True,
    },
    "0.7": {
        "sanitizers_fail_closed": True,
        "next_ends": True,
        "credentials_hidden": True,
        "cancelled_workers_told": True,
        "annotations_go_with_answers": True,
        "stand_ins_sanitized": True,
        "codec_context": True,
        "finished_streams_end_well": True,
        "failures_typed": True,
    },
    "0.8": {"mark_fields": (*_FIRST.mark_fields, "data_schema", "severity"), "runtime_traceparent": True},
    "0.9": {"propagation_root": True, "first_chunk_time": True, "tool_context": True, "captured_roots": True},
    "0.10": {
        "original_exception": True,
        "tracestate_removed": True,
        "captured_trace": True,
        "execution_codecs": True,
    },
    "0.11": {"failed_finalizers_tell": True, "stated_errors_stay": True, "tool_results_may_fail": True},
}

EDITIONS = tuple(_CHANGES)
"""The editions that the reference knows, oldest first."""


def _each() -> dict[str, Rules]:
    """Return the rules of every edition: those of the one before, with what it changed."""
    found: dict[str, Rules] = {}
    current = _FIRST
    for edition, changes in _CHANGES.items():
        current = replace(current, **changes)  # type: ignore[arg-type]
        found[edition] = current
    return found


_RULES = _each()

_LESS = " less "


def reversions(edition: str) -> tuple[str, ...]:
    """Return the edition with each of its changes taken back, one at a time: names that are taken for an edition."""
    return tuple(f"{edition}{_LESS}{name}" for name in _CHANGES[edition])


def plain(edition: str) -> str:
    """Return the edition of which a reversion is one; an edition is its own."""
    return edition.partition(_LESS)[0]


def rules(edition: str) -> Rules:
    """Return the rules of `edition`, which may be a reversion; raises UnknownEditionError with the known names."""
    edition, less, name = edition.partition(_LESS)
    if less:
        before = EDITIONS[EDITIONS.index(edition) - 1]
        return replace(_RULES[edition], **{name: getattr(_RULES[before], name)})
    try:
        return _RULES[edition]
    except KeyError:
        raise UnknownEditionError(
            f"edition {edition!r} is not known to the reference; known: {', '.join(EDITIONS)}"
        ) from None
