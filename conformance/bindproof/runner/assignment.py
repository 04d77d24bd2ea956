"""What one adapter has to do in one suite: its scenarios go out, its answers become verdicts.

Enters: a setting, plans, answers of the drive. Leaves: jobs and verdicts. Must not know processes.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bindproof.core.errors import SuiteError, UsageError
from bindproof.core.model import REFERENCE_REQUIREMENT, Judgement, Plan, Verdict, VerdictOutcome, copied
from bindproof.core.nesting import depth_is_above
from bindproof.core.origins import FromFile, FromVector, Generated, Origin, TwinOf
from bindproof.drive import Answer, Job
from bindproof.judge import UnreadableError, judge
from bindproof.protocol.messages import shown
from bindproof.runner.known_divergences import Expectations
from bindproof.runner.preparing import Preparations, Ready
from bindproof.runner.setting import Setting
from bindproof.suites import ObservationError, foreign_reference
from bindproof.suites.mistakes import mistake_in, with_place
from bindproof.suites.runs import acted_out

OURS_TOO = (
    "The reference does not allow what was observed, so it is for the adapter or its target to mend; that bindproof "
    "cannot say in which way is for bindproof to mend: please report it with the scenario and the adapter's line"
)
"""Follows the reason where an observation is wrong in a way that no check can read."""

SAID_BY_NOBODY = {"adapter_error", "protocol_error"}
"""What a reference's own process comes to by a mistake in the reference."""

DEEPEST = 250
"""Lists and objects in one another, in an observation that does not conform: a scenario's 200, and what is around."""


class _Open(Struct, frozen=True):
    """A plan that was taken and has no verdict yet."""

    plan: Plan
    ready: Ready


class Assignment:
    """The scenarios of one adapter in one setting, each kept from the moment it is taken until it is judged.

    recalls: an observation just like one that conformed need not be read; its verdict does not show it then.
    preparations: what makes scenarios of this setting ready, which other adapters in the same one may share; None: its
    own. acts_by_reference: the adapter is the suite's reference in a process of its own.
    """

    def __init__(
        self,
        adapter: str,
        setting: Setting,
        expectations: Expectations,
        *,
        recalls: bool = False,
        preparations: Preparations | None = None,
        acts_by_reference: bool = False,
    ) -> None:
        self.adapter, self.setting, self.expectations = adapter, setting, expectations
        self._acts_by_reference = acts_by_reference
        self._recalls = recalls and setting.fault is None
        self._checks = setting.checks()
        self._preparations = preparations or Preparations(setting.suite, setting.edition, setting.dialect)
        self._dialect = setting.spec.dialects[setting.dialect].as_json()
        self._open: dict[str, _Open] = {}
        self._twins: dict[TwinOf, Verdict] = {}
        self.mistake: SuiteError | None = None
        """The first mistake that was met in the suite's code; the scenarios in which it was are `not_run`."""

    def take(self, plan: Plan) -> Job | Verdict:
        """Return the job of a plan; or its verdict, where it is generated and the dialect cannot express it.

        An adapter may not reach the part of a generated scenario that it could not say. Raises UsageError as `send`.
        """
        try:
            ready = self._prepare(plan)
        except SuiteError as error:
            return self._unjudged(plan, error)
        if isinstance(plan.origin, Generated) and (path := _inexpressible(ready.prepared.prediction)) is not None:
            return Verdict(plan, self.adapter, "inexpressible", reason=f"the dialect cannot express {path!r}")
        return self._sent(plan, ready, kills=self.expectations.kills(plan.origin))

    def send(self, plan: Plan) -> Job:
        """Return the job of a plan, which goes in its turn, whatever is known of it. A negative's is after its twin's.

        Raises UsageError for a scenario that nobody can act out.
        """
        return self._sent(plan, self._prepare(plan))

    def _sent(self, plan: Plan, ready: Ready, *, kills: bool = False) -> Job:
        name = plan.id
        while name in self._open:  # a vector may be called as the twin of another is
            name += "+"
        self._open[name] = _Open(plan, ready)
        leads = isinstance(plan.origin, TwinOf)
        return ready.job(plan, name, leads=leads, kills=kills, recalls=self._recalls)

    def alone(self, plan: Plan) -> Job:
        """Return the job of a plan that is tried again by itself; `again` judges what comes of it."""
        return self._prepare(plan).job(plan, plan.id)

    def plan_of(self, job: Job) -> Plan:
        """Return the plan whose job this is, while it is not judged."""
        return self._open[job.id].plan

    def withdraw(self, job: Job) -> None:
        """Forget a job that nobody will judge."""
        del self._open[job.id]

    def verdict(self, answer: Answer) -> Verdict:
        """Return the verdict that an answer comes to; a negative's also depends on its twin's."""
        taken = self._open.pop(answer.job.id)
        verdict = self._judged(taken.plan, taken.ready, answer)
        origin = taken.plan.origin
        if isinstance(origin, TwinOf):
            self._twins[origin] = verdict
        return self._beside_its_twin(verdict, origin) if self._twins else verdict

    def _beside_its_twin(self, verdict: Verdict, origin: Origin) -> Verdict:
        """Return the verdict on a negative: it counts only beside a positive twin that conforms, or fails alike."""
        twin = self._twins.pop(TwinOf(origin), None) if isinstance(origin, FromVector | FromFile) else None
        if twin is None or twin.outcome == "conforms":
            return verdict
        if verdict.outcome in {"unsupported", "inexpressible"} and twin.outcome == verdict.outcome:
            return verdict
        reason = f"its positive twin {twin.outcome}: {twin.plan.id}"
        known = self.expectations.of_twin(twin)
        return replace(_bare(verdict), outcome="not_run", reason=reason, expected_by=known)

    def accept(self, verdict: Verdict) -> None:
        """Take a verdict that was reached before this run, so that its scenario is not sent."""
        if isinstance(verdict.plan.origin, TwinOf):
            self._twins[verdict.plan.origin] = verdict

    def again(self, plan: Plan, answer: Answer) -> Verdict:
        """Return the verdict of a plan that is tried again, without its twin."""
        return self._judged(plan, self._prepare(plan), answer)

    def left_over(self, reason: str) -> list[Verdict]:
        """Return a verdict `not_run` for every plan that was taken and has none yet."""
        rest = [Verdict(one.plan, self.adapter, "not_run", reason=reason) for one in self._open.values()]
        self._open.clear()
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

    def _prepare(self, plan: Plan) -> Ready:
        try:
            return self._preparations.of(plan)
        except ValueError as error:
            if isinstance(plan.origin, Generated) and (mistake := mistake_in(error)) is not None:
                raise mistake from error  # nobody wrote the scenario
            said = f"{plan.id}: this scenario cannot be acted out, mend it: {with_place(error)}"
            raise UsageError(said) from error
        except Exception as error:
            raise mistake_in(error) or error from error

    def _judged(self, plan: Plan, ready: Ready, answer: Answer) -> Verdict:
        verdict = self._of_answer(plan, ready, answer)
        if self._acts_by_reference and verdict.outcome in SAID_BY_NOBODY and (mistake := self._mistake_met(ready)):
            return self._unjudged(plan, mistake)
        return verdict

    def _mistake_met(self, ready: Ready) -> SuiteError | None:
        """Return the mistake of another package's suite that its reference's own run of a scenario meets."""
        try:
            reference = foreign_reference(self.setting.spec)
            if reference is not None:
                reference.predict(copied(ready.prepared.spelled), self.setting.edition, self._dialect)
                ready.prepared.observe(acted_out(reference.resolve, ready.prepared, 0, self._dialect))
        except Exception as error:
            return mistake_in(error)
        return None

    def _of_answer(self, plan: Plan, ready: Ready, answer: Answer) -> Verdict:
        if answer.outcome != "observation":
            return Verdict(plan, self.adapter, answer.outcome, reason=answer.reason, evidence=answer.evidence)
        verdict = self._judgement(plan, ready, answer)
        if answer.recalled is not None or (verdict.outcome == "conforms" and self._recalls):
            return verdict
        if depth_is_above(DEEPEST, answer.payload["log"]):
            reason = f"the observation is nested deeper than {DEEPEST} lists and objects; it is not judged"
            return Verdict(plan, self.adapter, "protocol_error", reason=reason, evidence=_evidence(answer))
        return verdict

    def _judgement(self, plan: Plan, ready: Ready, answer: Answer) -> Verdict:
        try:
            return self._observed(plan, ready, answer)
        except ObservationError as error:
            reason = f"the observation is none: {error}"
            return Verdict(plan, self.adapter, "protocol_error", reason=reason, evidence=_evidence(answer))
        except UnreadableError as error:
            if (mistake := self._mistake_met(ready)) is not None:
                return self._unjudged(plan, mistake)
            reason = f"{error}. {OURS_TOO}"
            return Verdict(plan, self.adapter, "adapter_error", reason=reason, evidence=_evidence(answer))
        except MemoryError:  # it ends the run, and is nobody's verdict
            raise
        except Exception as error:
            if (mistake := mistake_in(error)) is not None:
                return self._unjudged(plan, mistake)
            return Verdict(plan, self.adapter, "harness_error", reason=traceback.format_exc(limit=-4))

    def _unjudged(self, plan: Plan, mistake: SuiteError) -> Verdict:
        self.mistake = self.mistake or mistake
        return Verdict(plan, self.adapter, "not_run", reason=str(mistake))

    def _observed(self, plan: Plan, ready: Ready, answer: Answer) -> Verdict:
        if answer.recalled is not None:
            return Verdict(plan, self.adapter, "conforms", self.setting.of_those_chosen(answer.recalled))
        log = answer.payload["log"]
        beyond = None if ready.is_expressible else _beyond_words(ready.prepared.prediction)
        if beyond is not None:
            return Verdict(plan, self.adapter, "adapter_error", reason=beyond, evidence=answer.evidence)
        unclean = _unclean(answer.payload)
        line = answer.raw if unclean is None else None
        if self.setting.fault is not None:
            log, line = self.setting.fault.plant(plan.scenario, log, self._dialect, self.setting.edition) or log, None
        expected = self.setting.expected(plan)
        judgements = ready.memory.judged(
            line, log, lambda: judge(ready.prepared, log, self._checks, ready.lane_of, expected)
        )
        chosen = self.setting.of_those_chosen(judgements)
        if unclean is not None and not _names_a_rule(judgements):
            return Verdict(plan, self.adapter, "adapter_error", reason=unclean, evidence=answer.evidence)
        reason = _reason(chosen)
        if not reason and self._recalls:  # nobody asks what was seen
            return Verdict(plan, self.adapter, "conforms", chosen)
        prediction = ready.prepared.prediction
        allowed = None if prediction.get("open") else prediction
        outcome: VerdictOutcome = "diverges" if reason else "conforms"
        return Verdict(plan, self.adapter, outcome, chosen, reason, observation=log, prediction=allowed)


def _bare(verdict: Verdict) -> Verdict:
    return replace(verdict, judgements=(), observation=None, prediction=None, evidence=None)


def _evidence(answer: Answer) -> str | None:
    """Return what an adapter answered, as evidence."""
    return answer.evidence if answer.raw is None else shown(answer.raw)


def _names_a_rule(judgements: Sequence[Judgement]) -> bool:
    """Tell whether a rule by name is broken: then it may be the binding that leaves something behind."""
    return any(not one.holds and one.requirement != REFERENCE_REQUIREMENT for one in judgements)


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
