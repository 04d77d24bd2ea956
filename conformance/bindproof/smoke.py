"""Walks one adapter through the protocol, step by step, and says in plain words what is missing next.

Enters: how to start an adapter, suites and their specs. Leaves: one finding a step. Nothing is written to a log: this
is for the author of an adapter at work, not for judging a binding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from bindproof.core.model import AdapterCommand, Plan, TargetInfo, Verdict
from bindproof.core.origins import FromSmoke, Origin
from bindproof.drive import Answer, Failed, Job, Limits, Ready, drive
from bindproof.runner.assignment import Assignment
from bindproof.runner.known_divergences import Expectations
from bindproof.runner.setting import Setting
from bindproof.spec.models import Spec
from bindproof.suites import SmokeStep, Suite

LIMITS = Limits(initialize=30.0, scenario=10.0, window=1)


class StepResult(Struct, frozen=True):
    """What one step came to."""

    title: str
    ok: bool
    fault: bool = False
    """The adapter broke the protocol or died."""
    missing: str = ""
    hint: str = ""
    """`missing` and `hint`: empty when it is well."""


def smoke(command: AdapterCommand, known: Sequence[tuple[Spec, Suite]]) -> Iterator[StepResult]:
    """Yield a finding for each step, as it comes: initialize, the steps of each suite that it speaks, shutdown.

    known: the suites that it may speak; it has to speak one.
    """
    walk = _Walk(known)
    for event in drive([(command, walk.jobs)], LIMITS):
        if isinstance(event, Ready):
            yield from walk.initialized(event.info)
        elif isinstance(event, Failed):
            yield StepResult("speaks the protocol", False, True, event.reason, _shown(event.evidence, event.stderr))
        elif isinstance(event, Answer):
            yield walk.finding(event)


class _Walk:
    """The steps of one adapter."""

    def __init__(self, known: Sequence[tuple[Spec, Suite]]) -> None:
        self._known = known
        self._assignments: dict[str, Assignment] = {}
        self._steps: dict[tuple[str, Origin], SmokeStep] = {}

    def jobs(self, info: TargetInfo) -> Iterable[Job]:
        """Return the jobs of the steps of each suite that the adapter speaks in a dialect of the spec."""
        for spec, suite in self._known:
            if str(info.suites.get(suite.name, {}).get("dialect")) not in spec.dialects:
                continue
            setting = Setting.of_target(spec, suite, info)
            known_here = Expectations((), info.target, info.version)
            self._assignments[suite.name] = Assignment(info.adapter, setting, known_here)
        return (job for assignment in self._assignments.values() for job in self._jobs(assignment))

    def _jobs(self, assignment: Assignment) -> Iterator[Job]:
        suite = assignment.setting.suite
        for number, step in enumerate(getattr(suite, "smoke", ())):  # `spec check` tells that there are none
            plan = Plan(FromSmoke(number), suite.name, suite.complete(step.scenario), step.title)
            if not _can_be_said(plan, assignment.setting):
                continue
            self._steps[suite.name, plan.origin] = step
            yield assignment.send(plan)

    def initialized(self, info: TargetInfo) -> Iterator[StepResult]:
        """Say whether the answer to `initialize` can be worked with, for each suite that is spoken."""
        title = f"answers initialize: {info.target} {info.version} on {info.language} {info.runtime}"
        spoken = [
            (spec, str(info.suites[suite.name].get("dialect")))
            for spec, suite in self._known
            if suite.name in info.suites
        ]
        if not spoken:
            names = ", ".join(suite.name for _, suite in self._known)
            yield StepResult(title, False, missing=f"it speaks no suite of {names}", hint="add one to `suites`")
        for spec, dialect in spoken:
            if dialect in spec.dialects:
                yield StepResult(f"{title}, suite {spec.name}, dialect {dialect}", True)
                continue
            hint = f"known: {', '.join(sorted(spec.dialects))}; a new one is a file in dialects/, or of --dialect"
            yield StepResult(title, False, missing=f"dialect {dialect!r} is not one of {spec.name}'s", hint=hint)

    def finding(self, answer: Answer) -> StepResult:
        """Say what one step came to."""
        assignment = self._assignments[answer.job.suite]
        verdict = assignment.verdict(answer)
        step = self._steps[answer.job.suite, verdict.plan.origin]
        if verdict.outcome == "conforms":
            return StepResult(step.title, True)
        fault = verdict.outcome != "diverges"
        return StepResult(step.title, False, fault, _missing(verdict), step.hint)


def _can_be_said(plan: Plan, setting: Setting) -> bool:
    """Tell whether a step is one for this dialect: a worker, say, has no program of its own."""
    return "inexpressible" not in setting.suite.prepare(plan.scenario, setting.edition, setting.dialect).prediction


def _missing(verdict: Verdict) -> str:
    if verdict.outcome != "diverges":
        return f"{verdict.outcome.replace('_', ' ')}: {verdict.reason}"
    broken = next(one for one in verdict.judgements if not one.holds)
    found = broken.failures[0]
    return f"{broken.requirement}, {found.text}: expected {_short(found.expected)}, observed {_short(found.observed)}"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) < 200 else f"{text[:200]}…"


SHOWN = 600
"""Characters of either end of what an adapter wrote to stderr: Node says first what was wrong, Python last."""


def _shown(evidence: str | None, stderr: str) -> str:
    said = stderr if len(stderr) <= 2 * SHOWN else f"{stderr[:SHOWN]}\n…\n{stderr[-SHOWN:]}"
    return "\n".join(part for part in (evidence, said.strip()) if part)
