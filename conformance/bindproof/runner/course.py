"""One adapter's course through one suite: its scenarios go out, its answers become verdicts.

Enters: what the adapter said of itself, the plans, answers of the drive. Leaves: jobs and verdicts. Must not know
processes.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from bindproof.core.errors import UsageError
from bindproof.core.model import REFERENCE_REQUIREMENT, Evidence, Judgement, Outcome, Plan, TargetInfo, Verdict
from bindproof.drive import Answer, Job
from bindproof.judge import judge
from bindproof.runner.expecting import Expectations
from bindproof.runner.preparing import Preparations, Ready
from bindproof.spec import edition_of, holds_in
from bindproof.spec.models import Suite as Spec
from bindproof.suites import Fault, ObservationError, Suite

Checks = dict[str, Callable[[Any], Sequence[Evidence] | None]]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a course is judged by. requirements: globs of those that the user chose, none: all."""

    spec: Spec
    suite: Suite
    edition: str
    dialect: str
    requirements: tuple[str, ...]
    fault: Fault | None

    @classmethod
    def of_target(cls, spec: Spec, suite: Suite, info: TargetInfo) -> Setting:
        """Return the setting of an adapter that says this of itself: edition of its release, all of it, no fault."""
        edition, _ = edition_of_target(spec, info)
        return cls(spec, suite, edition, str(info.suites[spec.name]["dialect"]), (), None)

    def checks(self) -> Checks:
        """Return the checks of the requirements that hold in this edition and dialect."""
        rules = self.spec.requirements
        return {
            name: check
            for name, check in self.suite.checks.items()
            if name in rules and holds_in(rules[name], self.edition, self.dialect)
        }

    def of_those_chosen(self, judgements: tuple[Judgement, ...]) -> tuple[Judgement, ...]:
        """Return the judgements that the user wants to hear of; that of the reference is always among them."""
        if not self.requirements:
            return judgements
        return tuple([one for one in judgements if self._chosen(one.requirement)])

    def _chosen(self, requirement: str) -> bool:
        return requirement == REFERENCE_REQUIREMENT or any(fnmatchcase(requirement, glob) for glob in self.requirements)


def edition_of_target(spec: Spec, info: TargetInfo) -> tuple[str, str | None]:
    """Return the edition that judges a target, and a warning where that was guessed.

    It is the one that the adapter names for the suite, as a reference does, else the one of the target's release.
    """
    named = info.suites[spec.name].get("edition")
    if named is None:
        return edition_of(spec, info.target, info.version)
    if named in spec.edition_names:
        return str(named), None
    newest = spec.newest.name
    return newest, f"it names the edition {named!r}, which suite {spec.name} lacks: judged under the newest, {newest}"


class Course:
    """The scenarios of one adapter in one setting. Prepared scenarios are kept until they are judged."""

    def __init__(self, adapter: str, setting: Setting, plans: list[Plan], expectations: Expectations) -> None:
        self.adapter, self.setting, self.expectations = adapter, setting, expectations
        self.waiting = {plan.id: plan for plan in plans}
        self._checks = setting.checks()
        self._preparations = Preparations(setting.suite, setting.edition, setting.dialect)
        self._ready: dict[str, Ready] = {}
        self._dialect = setting.spec.dialects[setting.dialect].as_json()
        self._twin_ids = {plan.twin for plan in plans if plan.twin is not None}
        self._twins: dict[str, Verdict] = {}

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs of the plans, each made ready when it is asked for.

        Raises UsageError for a scenario that nobody can act out.
        """
        for plan in list(self.waiting.values()):
            yield self.job(plan)

    def take(self, plan: Plan) -> Job:
        """Return the job of a plan that was not known before: one that is generated as the run goes on."""
        self.waiting[plan.id] = plan
        return self.job(plan)

    def beyond_words(self, plan: Plan) -> Verdict | None:
        """Return the verdict of a plan that was taken and need not be sent, as its dialect cannot express it; or None.

        For a generated scenario, of which an adapter may not reach the part that it could not say.
        """
        path = _inexpressible(self._prepare(plan).prepared.prediction)
        if path is None:
            return None
        self.waiting.pop(plan.id)
        self._ready.pop(plan.id)
        return Verdict(plan, self.adapter, "inexpressible", reason=f"the dialect cannot express {path!r}")

    def job(self, plan: Plan) -> Job:
        """Return the job of one plan."""
        return self._prepare(plan).job(plan, leads=plan.id in self._twin_ids)

    def _prepare(self, plan: Plan) -> Ready:
        ready = self._ready.get(plan.id)
        if ready is None:
            try:
                ready = self._ready[plan.id] = self._preparations.of(plan)
            except ValueError as error:
                raise UsageError(f"{plan.id}: this scenario cannot be acted out, mend it: {error}") from error
        return ready

    def verdict(self, answer: Answer) -> Verdict:
        """Return the verdict that an answer comes to; a negative's also depends on its twin's."""
        plan = self.waiting.pop(answer.job.id)
        verdict = self._judged(plan, answer)
        if plan.id in self._twin_ids:
            self._twins[plan.id] = verdict
        if plan.twin is not None:
            twin = self._twins.pop(plan.twin, None)
            refused = verdict.outcome in {"unsupported", "inexpressible"}  # what neither can be is no riddle
            if twin is not None and twin.outcome != "conforms" and not (refused and twin.outcome == verdict.outcome):
                verdict = replace(
                    _bare(verdict), outcome="not_run", reason=f"its positive twin {twin.outcome}: {plan.twin}"
                )
                verdict = replace(verdict, expected_by=self.expectations.of_twin(twin))
        self._ready.pop(plan.id, None)
        return verdict

    def accept(self, verdict: Verdict) -> None:
        """Take a verdict that was reached before this run, so that its scenario is not sent."""
        plan = self.waiting.pop(verdict.plan.id)
        self.expectations.see(verdict)
        if plan.id in self._twin_ids:
            self._twins[plan.id] = verdict

    def again(self, plan: Plan, answer: Answer) -> Verdict:
        """Return the verdict of a plan that is tried again, without its twin."""
        return self._judged(plan, answer)

    def left_over(self, reason: str) -> list[Verdict]:
        """Return a verdict `not_run` for every plan that has none yet."""
        rest = [Verdict(plan, self.adapter, "not_run", reason=reason) for plan in self.waiting.values()]
        self.waiting.clear()
        return rest

    def demanded(self, verdict: Verdict, answer: Answer) -> bool:
        """Tell whether an answer that is no observation is one that edition, dialect and expectations do not allow."""
        if self.expectations.of_outcome(verdict) is not None:
            return False
        if verdict.outcome == "unsupported":
            capabilities = self.setting.spec.edition(self.setting.edition).capabilities
            return not capabilities or answer.payload.get("capability") in capabilities
        if verdict.outcome == "inexpressible":
            listed = {entry["path"] for entry in self._dialect["inexpressible"]}
            return answer.payload.get("path") not in listed
        return False

    def _judged(self, plan: Plan, answer: Answer) -> Verdict:
        if answer.outcome != "observation":
            return Verdict(plan, self.adapter, answer.outcome, reason=answer.reason, evidence=answer.evidence)
        try:
            return self._observed(plan, answer)
        except ObservationError as error:
            reason = f"the observation is none: {error}"
            return Verdict(plan, self.adapter, "protocol_error", reason=reason, evidence=answer.evidence)
        except Exception:
            return Verdict(plan, self.adapter, "harness_error", reason=traceback.format_exc(limit=-4))

    def _observed(self, plan: Plan, answer: Answer) -> Verdict:
        ready, log = self._prepare(plan), answer.payload["log"]
        prepared = ready.prepared
        unclean = _unclean(answer.payload) or _beyond_words(prepared.prediction)
        if unclean is not None:
            return Verdict(plan, self.adapter, "adapter_error", reason=unclean, evidence=answer.evidence)
        line = answer.raw
        if self.setting.fault is not None:
            log, line = self.setting.fault.plant(plan.scenario, log, self._dialect, self.setting.edition) or log, None
        judgements = ready.memory.judged(line, log, lambda: judge(prepared, log, self._checks, ready.lane_of))
        chosen = self.setting.of_those_chosen(judgements)
        reason, allowed = _reason(chosen), prepared.prediction
        outcome: Outcome = "diverges" if reason else "conforms"
        return Verdict(plan, self.adapter, outcome, chosen, reason, observation=log, prediction=allowed)


def _bare(verdict: Verdict) -> Verdict:
    return replace(verdict, judgements=(), observation=None, prediction=None, evidence=None)


def _reason(judgements: Sequence[Judgement]) -> str:
    return "; ".join(f"{one.requirement}: {one.failures[0].text}" for one in judgements if one.failures)


def _inexpressible(prediction: Any) -> str | None:
    path: str | None = prediction.get("inexpressible", {}).get("path")
    return path


def _beyond_words(prediction: Any) -> str | None:
    """Say that a scenario was acted out which the dialect says cannot be; None when it can."""
    path = _inexpressible(prediction)
    return None if path is None else f"it acted out {path!r}, which its dialect cannot express; answer `inexpressible`"


def _unclean(observation: Any) -> str | None:
    """Say what a scenario left behind, or what of an earlier one came late; None when all is clean."""
    if observation.get("left"):
        names = ", ".join(f"{one.get('family')} {one.get('name')!r}" for one in observation["left"])
        return (
            f"left registered after its clean-up: {names}; the adapter must deregister all that a scenario registered"
        )
    if observation.get("stray"):
        count = len(observation["stray"])
        return f"{count} records of an earlier scenario arrived late; the adapter must flush before it deregisters"
    return None
