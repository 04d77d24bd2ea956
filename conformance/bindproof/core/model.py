"""The values that flow through a run: frozen, plain, no IO.

Enters: nothing. Leaves: the types that every later module speaks in. Must not know processes, files or suites.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from bindproof.core.origins import Origin, name_of

Json = Any
"""A JSON value: None, bool, int, float, str, list of Json, dict of str to Json."""


def same(left: Json, right: Json) -> bool:
    """Compare JSON values strictly: true, 1 and 1.0 differ; the order of an object's keys does not matter."""
    return left is right or (bool(left == right) and _alike(left, right))


def _alike(left: Json, right: Json) -> bool:
    """Compare the types of two values that Python takes for equal."""
    kind = type(left)
    if kind is not type(right):
        return False
    if kind is dict:
        return all(map(_alike, left.values(), [right[key] for key in left]))
    return kind is not list or all(map(_alike, left, right))


def copied(value: Json) -> Json:
    """Return a copy of a JSON value of which no part is shared; in a fraction of the time that `deepcopy` takes."""
    kind = type(value)
    if kind is dict:
        return {key: copied(item) if type(item) in _DEEP else item for key, item in value.items()}
    return [copied(item) if type(item) in _DEEP else item for item in value] if kind is list else value


_DEEP = (dict, list)


VerdictOutcome = Literal[
    "conforms",
    "diverges",
    "unsupported",
    "inexpressible",
    "adapter_error",
    "protocol_error",
    "crash",
    "timeout",
    "not_run",
    "harness_error",
]
"""The closed set of verdicts on one scenario (protocol chapter)."""

ADAPTER_FAULTS: frozenset[str] = frozenset({"adapter_error", "protocol_error", "crash", "timeout"})
"""Verdicts that blame the adapter or the process of its binding."""

REFERENCE_REQUIREMENT = "REF-000"
"""The built-in requirement: a difference from the reference that no requirement explains."""


class Defect(Struct, frozen=True):
    """What turns a positive scenario into a negative one."""

    at: str
    """JSON pointer into the scenario."""
    breaks: str
    """The requirement id whose rejection is expected."""
    kind: str
    """The error kind that must be seen."""
    put: Json = None
    """The value to place there."""
    cut: bool = False
    """True removes it instead."""


class Expect(Struct, frozen=True):
    """What a vector says of its outcome: a value, or an error of a kind. One of the two is given."""

    value: Json | UnsetType = UNSET
    """As a prediction has it: it may hold matchers."""
    error: str | None = None


class Plan(Struct, frozen=True):
    """One scenario to act out, canonical spelling, with why it is run."""

    origin: Origin
    suite: str
    scenario: Json
    title: str = ""
    exercises: tuple[str, ...] = ()
    """The requirement ids that its author wants judged."""
    defect: Defect | None = None
    """Of a negative, which is judged after its twin."""
    seconds: float | None = None
    """What it may take, where that is less than the limit for every scenario."""
    expect: Expect | None = None
    """What it is judged by besides, under the one requirement that it exercises."""

    @property
    def id(self) -> str:
        """What people call it, such as `relay/marks/two-in-order`; it tells nothing of the origin."""
        return name_of(self.origin)


EVERY_LANE = "*"
"""The lane of an evidence that speaks of records in several lanes."""


class Evidence(Struct, frozen=True):
    """Why a judgement fails: one place in one observation, and what else is wrong there for the same reason."""

    lane: str
    """The lane of the log it is about (`program`, or a subscriber's id), EVERY_LANE where it is about several."""
    text: str
    """What is wrong, in a sentence."""
    record: int | None = None
    """Index into the log, or None for something that is missing."""
    expected: Json = None
    """What was due."""
    observed: Json = None
    """What came. Both are shown side by side, as JSON values or short text."""
    at: str = ""
    """JSON pointer to the place in the record, empty for the record as a whole."""
    also: tuple[int, ...] = ()
    """Further records that it speaks of, by index."""
    about: tuple[str, ...] = ()
    """Names of what it says that something is missing of, or too much, as the prediction has them (a step, a part of
    it), in its lane or in every one. What no failing check speaks of is compared with the reference (see
    `judge.explanation`)."""
    accepted: tuple[str, ...] = ()
    """Names of what was accepted and had to be refused. A suite that can tell what follows from that (`Lenient`) has
    all else compared with it."""


class Judgement(Struct, frozen=True):
    """One requirement on one observation. It holds when `failures` is empty; one that does not apply is not made."""

    requirement: str
    failures: tuple[Evidence, ...] = ()

    @property
    def holds(self) -> bool:
        """True when no failure was found."""
        return not self.failures


class Verdict(Struct, frozen=True):
    """The outcome of one plan on one adapter."""

    plan: Plan
    adapter: str
    outcome: VerdictOutcome
    judgements: tuple[Judgement, ...] = ()
    reason: str = ""
    """Plain words for every outcome but `conforms`."""
    reproduced: str | None = None
    """`always`, `sometimes n/k` or `in_company`, set when an unexpected failure was tried again alone."""
    expected_by: str | None = None
    observation: Json = None
    prediction: Json = None
    evidence: str | None = None
    """The adapter's offending line, for protocol faults."""
    cut: str = ""
    """What of it is not kept because it is too much, in plain words."""

    @property
    def broken(self) -> tuple[str, ...]:
        """Ids of the requirements that this verdict shows broken."""
        return tuple(j.requirement for j in self.judgements if not j.holds)


class TargetInfo(Struct, frozen=True):
    """What an adapter says of itself in its `initialize` reply; `dialect` and `capabilities` are for one suite."""

    adapter: str
    adapter_version: str
    target: str
    version: str
    language: str
    runtime: str
    suites: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)


class AdapterCommand(Struct, frozen=True):
    """How to start one adapter process: found and built by `targets`, started by `protocol.process`."""

    name: str
    """As the user wrote it (`python@0.9.4`)."""
    argv: tuple[str, ...]
    env: Mapping[str, str]
    """The whole environment; it holds only allowed names."""
    cwd: str
    files: Mapping[str, str] = field(default_factory=dict)
    """Sha256 by path relative to the target's folder, taken by the harness."""
    version: str | None = None
    """The target's version when it is known before the process starts."""
    program: str = ""
    """Sha256 over the adapter's own code."""
    required: bool = False
    """Named on the command line."""
    notes: Sequence[str] = ()
    claims: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By suite, the conformance classes that the target is meant to keep."""
    scenarios: int | None = None
    """How many one process acts out, before another takes its place; None: all that there are."""
    processes: int = 1
    """How many work at the same time, where nobody asks for another number."""


class Unavailable(Struct, frozen=True):
    """An adapter that cannot run here: why, and the command that would provide it."""

    name: str
    reason: str
    remedy: str
    required: bool = False
