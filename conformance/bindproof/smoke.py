"""Walks one adapter through the protocol, step by step, and says in plain words what is missing next.

Enters: how to start an adapter, a suite and its spec. Leaves: one finding a step. Nothing is written to a log: this is
for the author of an adapter at work, not for judging a binding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bindproof.drive import Answer, Failed, Job, Limits, Ready, drive
from bindproof.model import AdapterCommand, Plan, TargetInfo, Verdict
from bindproof.run.course import Course, Setting
from bindproof.run.expecting import Expectations
from bindproof.spec.models import Suite as Spec
from bindproof.suites import Suite

LIMITS = Limits(initialize=30.0, scenario=10.0, window=1)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one step came to. fault: the adapter broke the protocol or died. missing and hint: empty when it is well."""

    title: str
    ok: bool
    fault: bool = False
    missing: str = ""
    hint: str = ""


def smoke(command: AdapterCommand, spec: Spec, suite: Suite) -> Iterator[Finding]:
    """Yield a finding for each step, as it comes: initialize, the suite's steps in order, shutdown."""
    walk = _Walk(spec, suite)
    for event in drive([(command, walk.jobs)], LIMITS):
        if isinstance(event, Ready):
            yield walk.initialized(event.info)
        elif isinstance(event, Failed):
            yield Finding("speaks the protocol", False, True, event.reason, _shown(event.evidence, event.stderr))
        else:
            yield walk.finding(event)


class _Walk:
    """The steps of one adapter; knows their order by the plans' ids."""

    def __init__(self, spec: Spec, suite: Suite) -> None:
        self._spec, self._suite = spec, suite
        self._course: Course | None = None

    def jobs(self, info: TargetInfo) -> Iterable[Job]:
        """Return the steps' jobs, none when the adapter does not speak the suite."""
        dialect = str(info.suites.get(self._suite.name, {}).get("dialect"))
        if dialect not in self._spec.dialects:
            return []
        plans = [
            Plan(f"smoke/{number:02}", self._suite.name, self._suite.complete(step.scenario), step.title)
            for number, step in enumerate(self._suite.smoke)
        ]
        setting = Setting.of_target(self._spec, self._suite, info)
        self._course = Course(info.adapter, setting, plans, Expectations((), info.target, info.version))
        return self._course.jobs()

    def initialized(self, info: TargetInfo) -> Finding:
        """Say whether the answer to `initialize` can be worked with."""
        title = f"answers initialize: {info.target} {info.version} on {info.language} {info.runtime}"
        spoken = info.suites.get(self._suite.name)
        known = ", ".join(sorted(self._spec.dialects))
        if spoken is None:
            return Finding(
                title, False, missing=f"it does not speak {self._suite.name}", hint=f"add it to `suites`: {known}"
            )
        if spoken.get("dialect") not in self._spec.dialects:
            missing = f"dialect {spoken.get('dialect')!r} is not one of the spec's"
            return Finding(title, False, missing=missing, hint=f"known: {known}; a new one is a file in dialects/")
        return Finding(f"{title}, dialect {spoken['dialect']}", True)

    def finding(self, answer: Answer) -> Finding:
        """Say what one step came to."""
        if self._course is None:
            raise RuntimeError("an answer before initialize")
        verdict = self._course.verdict(answer)
        step = self._suite.smoke[int(verdict.plan.id.rpartition("/")[2])]
        if verdict.outcome == "conforms":
            return Finding(step.title, True)
        fault = verdict.outcome != "diverges"
        return Finding(step.title, False, fault, _missing(verdict), step.hint)


def _missing(verdict: Verdict) -> str:
    if verdict.outcome != "diverges":
        return f"{verdict.outcome.replace('_', ' ')}: {verdict.reason}"
    broken = next(one for one in verdict.judgements if not one.holds)
    found = broken.failures[0]
    return f"{broken.requirement}, {found.text}: expected {_short(found.expected)}, observed {_short(found.observed)}"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) < 200 else f"{text[:200]}…"


def _shown(evidence: str | None, stderr: str) -> str:
    return " ".join(part for part in (evidence, stderr[-500:]) if part)
