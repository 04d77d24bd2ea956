"""Answers that no adapter gave become verdicts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bindproof.core.model import Defect, Judgement, Plan, Verdict
from bindproof.core.origins import FromVector, Generated
from bindproof.drive import Answer
from bindproof.protocol.messages import read_run_reply
from bindproof.runner.assignment import DEEPEST, Assignment
from bindproof.runner.known_divergences import Expectations
from bindproof.runner.plans import plans_of
from bindproof.runner.setting import Setting
from bindproof.spec import Divergence, Vector
from bindproof.spec.models import Sign
from tests.relay import NEWEST, SPEC, SUB, SUITE, call, intercept, lawful, marks

Json = Any

APPEND = {"op": "edit", "append": {"/pending_marks": [{"name": "m1"}, {"name": "m2"}]}}
DEFECT = Defect("/steps/1/do/0/append/~1pending_marks/0/name", "MRK-007", "outcome_malformed", cut=True)


def setting(dialect: str = "wire", *requirements: str) -> Setting:
    return Setting(SPEC, SUITE, NEWEST, dialect, requirements, None)


class Acted:
    """The plans of one vector, with fake answers."""

    def __init__(
        self,
        *steps: Json,
        defect: Defect | None = None,
        dialect: str = "wire",
        requirements: tuple[str, ...] = (),
        known: tuple[Divergence, ...] = (),
    ) -> None:
        scenario = {"steps": list(steps) or [SUB, intercept(APPEND), call()]}
        vector = Vector("relay/x/y", "", ("MRK-002",), SPEC.edition_names, ("all",), scenario, defect, "x.json")
        self.dialect = dialect
        self.plans = plans_of(SUITE, vector)
        self.assignment = Assignment("a", setting(dialect, *requirements), Expectations(known, "t", "1"))
        self.jobs = list(map(self.assignment.send, self.plans))

    def log(self, number: int = 0) -> list[Json]:
        return lawful(SUITE.prepare(self.plans[number].scenario, NEWEST, self.dialect), 0, self.dialect)

    def answer(self, number: int = 0, outcome: Json = "observation", **more: Json) -> Answer:
        return Answer("a", self.jobs[number], outcome, **more)

    def observed(self, log: list[Json], number: int = 0, **more: Json) -> Verdict:
        payload = {"log": log, "left": [], "stray": [], **more}
        return self.assignment.verdict(self.answer(number, payload=payload))


def swapped(log: list[Json]) -> list[Json]:
    """The same log with its two marks exchanged."""
    first, second = (r for r in log if r["fact"] == "event" and r["event"]["kind"] == "mark")
    first["event"], second["event"] = second["event"], first["event"]
    return log


def test_a_job_is_the_spelled_scenario_in_ascii() -> None:
    acted = Acted(SUB, intercept(marks("ж")), call(), dialect="node")
    (job,) = acted.jobs
    assert (job.id, job.suite) == ("relay/x/y", "relay")
    assert job.params.isascii()
    params = json.loads(job.params)
    assert params["suite"] == "relay"
    assert params["scenario"]["steps"][1]["do"][0]["append"] == {"/pendingMarks": [{"name": "ж"}]}


def test_a_lawful_log_conforms() -> None:
    acted = Acted()
    verdict = acted.observed(acted.log())
    assert (verdict.outcome, verdict.reason, verdict.broken) == ("conforms", "", ())
    assert {"MRK-002", "REF-000"} <= {judgement.requirement for judgement in verdict.judgements}


def test_an_unlawful_log_diverges_and_keeps_what_was_seen() -> None:
    acted = Acted()
    log = swapped(acted.log())
    verdict = acted.observed(log)
    assert (verdict.outcome, verdict.broken) == ("diverges", ("MRK-002",))
    assert verdict.reason == "MRK-002: marks come in the outcomes' order"
    assert verdict.observation == log
    assert verdict.prediction["lanes"]["s"]


def test_only_the_chosen_requirements_are_told_and_the_reference() -> None:
    acted = Acted(requirements=("MRK-*", "LIF-001"))
    names = {judgement.requirement for judgement in acted.observed(acted.log()).judgements}
    assert {"MRK-001", "LIF-001", "REF-000"} <= names
    assert all(name.startswith("MRK-") or name in ("LIF-001", "REF-000") for name in names)
    acted = Acted(requirements=("LIF-*",))
    assert acted.observed(swapped(acted.log())).outcome == "conforms"


@pytest.mark.parametrize(
    ("unclean", "what"),
    [
        (
            {"left": [{"family": "subscriber", "name": "s"}, {"family": "llm.request", "name": "i"}]},
            "left registered after its clean-up: subscriber 's', llm.request 'i'; the adapter must deregister all",
        ),
        ({"stray": [{}, {}]}, "2 records of an earlier scenario arrived late; the adapter must flush before"),
    ],
)
def test_what_is_left_or_late_is_the_adapters_fault(unclean: Json, what: str) -> None:
    acted = Acted()
    verdict = acted.observed(acted.log(), **unclean)
    assert verdict.outcome == "adapter_error"
    assert what in verdict.reason
    assert verdict.judgements == ()


@pytest.mark.parametrize("record", [{"fact": "guess"}, {"fact": "done", "step": "c"}, {"fact": "enter"}, None])
def test_a_log_that_is_none_is_a_protocol_error(record: Json) -> None:
    acted = Acted()
    verdict = acted.observed([*acted.log(), record])
    assert verdict.outcome == "protocol_error"
    assert verdict.reason.startswith("the observation is none: log record ")


@pytest.mark.parametrize("outcome", ["unsupported", "inexpressible", "adapter_error", "crash", "timeout", "not_run"])
def test_an_answer_without_observation_stays_what_it_is(outcome: str) -> None:
    acted = Acted()
    verdict = acted.assignment.verdict(acted.answer(0, outcome, reason="so it is", evidence="line"))
    assert (verdict.outcome, verdict.reason, verdict.evidence, verdict.judgements) == (outcome, "so it is", "line", ())


def test_an_observation_of_what_cannot_be_said_is_the_adapters_fault() -> None:
    edit = {"op": "edit", "set": {"/pending_marks": {"$none": True}}}
    acted = Acted(intercept(edit), call(), dialect="python")
    verdict = acted.observed([{"fact": "settled"}])
    assert verdict.outcome == "adapter_error"
    assert "$none" in verdict.reason


def test_an_error_of_ours_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> tuple[Judgement, ...]:
        raise ZeroDivisionError("boom-9!")

    monkeypatch.setattr("bindproof.runner.assignment.judge", fails)
    acted = Acted()
    verdict = acted.observed(acted.log())
    assert verdict.outcome == "harness_error"
    assert "ZeroDivisionError: boom-9!" in verdict.reason


def test_a_lack_of_memory_is_nobodys_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> tuple[Judgement, ...]:
        raise MemoryError

    monkeypatch.setattr("bindproof.runner.assignment.judge", fails)
    acted = Acted()
    with pytest.raises(MemoryError):
        acted.observed(acted.log())


def test_what_we_cannot_read_of_an_unlawful_observation_is_the_adapters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stumbles(view: object) -> None:
        raise TypeError("boom-11!")

    monkeypatch.setattr(SUITE, "checks", {**SUITE.checks, "MRK-002": stumbles})
    acted = Acted()
    verdict = acted.observed(swapped(acted.log()))
    assert verdict.outcome == "adapter_error"
    assert "the check of MRK-002 cannot be made: TypeError: boom-11!" in verdict.reason
    assert "report it" in verdict.reason
    lawful_one = Acted()
    assert lawful_one.observed(lawful_one.log()).outcome == "harness_error"


@pytest.mark.parametrize("left", [[1], ["x"], [None], [{"name": "n"}], [{"family": 1, "name": "n"}]])
def test_what_is_left_and_is_nothing_is_no_reply(left: Json) -> None:
    acted = Acted()
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"observation": {"log": acted.log(), "left": left}}})
    reply = read_run_reply(line.encode())
    verdict = acted.assignment.verdict(acted.answer(0, reply.kind, payload=reply.payload, reason=reply.reason))
    assert verdict.outcome == "protocol_error"
    assert "left[0]" in verdict.reason


def test_a_negative_is_judged_when_its_twin_conforms() -> None:
    acted = Acted(defect=DEFECT)
    assert [plan.id for plan in acted.plans] == ["relay/x/y+twin", "relay/x/y"]
    assert acted.observed(acted.log(0), 0).outcome == "conforms"
    verdict = acted.observed(acted.log(1), 1)
    assert verdict.outcome == "conforms"
    assert "MRK-007" in {judgement.requirement for judgement in verdict.judgements}


def test_a_negative_is_not_judged_when_its_twin_diverges() -> None:
    acted = Acted(defect=DEFECT)
    assert acted.observed(swapped(acted.log(0)), 0).outcome == "diverges"
    verdict = acted.observed(acted.log(1), 1)
    assert (verdict.outcome, verdict.reason) == ("not_run", "its positive twin diverges: relay/x/y+twin")
    assert (verdict.judgements, verdict.observation, verdict.prediction) == ((), None, None)
    assert verdict.expected_by is None


@pytest.mark.parametrize("twin", ["crash", "timeout", "adapter_error", "unsupported", "not_run"])
def test_a_negative_is_not_judged_when_its_twin_never_ran(twin: str) -> None:
    acted = Acted(defect=DEFECT)
    acted.assignment.verdict(acted.answer(0, twin))
    verdict = acted.observed(acted.log(1), 1)
    assert (verdict.outcome, verdict.reason) == ("not_run", f"its positive twin {twin}: relay/x/y+twin")


@pytest.mark.parametrize("outcome", ["unsupported", "inexpressible"])
def test_what_neither_twin_nor_negative_can_be_is_said_of_both(outcome: str) -> None:
    acted = Acted(defect=DEFECT)
    acted.assignment.verdict(acted.answer(0, outcome))
    assert acted.assignment.verdict(acted.answer(1, outcome)).outcome == outcome


def expected(**named: str) -> Divergence:
    base: Json = {"target": "t", "vectors": ("relay/x/*",), "reason": "why", "source": "seen"}
    sign = Sign(observed_matches=".") if "requirement" in named else None
    return Divergence(**base | named, sign=sign)


def test_an_expected_divergence_of_the_twin_explains_the_negative() -> None:
    acted = Acted(defect=DEFECT, known=(expected(requirement="MRK-002"),))
    acted.observed(swapped(acted.log(0)), 0)
    assert acted.observed(acted.log(1), 1).expected_by == "t MRK-002 on relay/x/*"


def test_an_expected_crash_of_the_twin_explains_the_negative() -> None:
    acted = Acted(defect=DEFECT, known=(expected(verdict="crash"),))
    acted.assignment.verdict(acted.answer(0, "crash"))
    assert acted.observed(acted.log(1), 1).expected_by == "t crash on relay/x/*"


def test_a_plan_tried_again_is_judged_without_its_twin() -> None:
    acted = Acted(defect=DEFECT)
    payload = {"log": acted.log(1), "left": [], "stray": []}
    assert acted.assignment.again(acted.plans[1], acted.answer(1, payload=payload)).outcome == "conforms"


def test_what_was_never_answered_is_not_run() -> None:
    acted = Acted(defect=DEFECT)
    acted.observed(acted.log(0), 0)
    (rest,) = acted.assignment.left_over("the adapter ended")
    assert (rest.plan.id, rest.outcome, rest.reason) == ("relay/x/y", "not_run", "the adapter ended")
    assert acted.assignment.left_over("again") == []


@pytest.mark.parametrize(
    ("outcome", "payload", "dialect", "demanded"),
    [
        ("inexpressible", {"path": "$none"}, "python", False),
        ("inexpressible", {"path": "$none"}, "node", True),
        ("inexpressible", {"path": "/steps"}, "python", True),
        ("unsupported", {"capability": "llm.request"}, "python", True),
        ("unsupported", {"capability": "tool.request"}, "python", False),
        ("crash", None, "python", False),
    ],
)
def test_what_the_edition_or_the_dialect_does_not_excuse(
    outcome: str, payload: Json, dialect: str, demanded: bool
) -> None:
    acted = Acted(dialect=dialect)
    answer = acted.answer(0, outcome, payload=payload)
    assert acted.assignment.demanded(acted.assignment.verdict(answer), answer) is demanded


def test_what_is_expected_to_be_unsupported_is_excused() -> None:
    known = Divergence(target="t", vectors=("relay/*",), reason="r", source="s", verdict="unsupported")
    acted = Acted(known=(known,))
    answer = acted.answer(0, "unsupported", payload={"capability": "mark"})
    assert acted.assignment.demanded(acted.assignment.verdict(answer), answer) is False


def test_checks_are_those_in_force() -> None:
    assert "DLC-005" not in setting("wire").checks()
    assert "DLC-005" in setting("node").checks()
    assert "OUT-012" in setting("python").checks()
    assert "OUT-012" not in Setting(SPEC, SUITE, SPEC.edition_names[0], "python", (), None).checks()


def test_a_plan_that_is_no_vector_has_no_twin() -> None:
    plan = Plan(Generated(1, 0), "relay", SUITE.complete({"steps": [call()]}))
    assignment = Assignment("a", setting(), Expectations((), "t", "1"))
    job = assignment.send(plan)
    log = lawful(SUITE.prepare(plan.scenario, NEWEST, "wire"), 0, "wire")
    answer = Answer("a", job, "observation", {"log": log, "left": [], "stray": []})
    assert assignment.verdict(answer).outcome == "conforms"


def test_a_vector_that_is_called_as_the_twin_of_another_is_judged_by_itself() -> None:
    acted = Acted(defect=DEFECT)
    namesake = Plan(FromVector("relay/x/y+twin"), "relay", acted.plans[0].scenario)
    job = acted.assignment.send(namesake)
    answer = Answer("a", job, "crash")
    assert acted.assignment.verdict(answer).plan.origin == FromVector("relay/x/y+twin")
    assert acted.observed(acted.log(0), 0).outcome == "conforms"
    assert acted.observed(acted.log(1), 1).outcome == "conforms"
    assert acted.assignment.left_over("over") == []


def test_a_generated_scenario_that_the_dialect_cannot_express_is_not_sent_and_a_vector_is() -> None:
    edit = {"op": "edit", "set": {"/pending_marks": {"$none": True}}}
    full = SUITE.complete({"steps": [SUB, intercept(edit), call()]})
    assignment = Assignment("a", setting("python"), Expectations((), "t", "1"))
    taken = assignment.take(Plan(Generated(1, 0), "relay", full))
    assert isinstance(taken, Verdict)
    assert (taken.outcome, taken.reason) == ("inexpressible", "the dialect cannot express '$none'")
    assert not isinstance(assignment.take(Plan(FromVector("relay/x"), "relay", full)), Verdict)


def recalling(requirements: tuple[str, ...] = ()) -> tuple[Assignment, Plan, bytes]:
    """An assignment that recalls, its plan, and a lawful reply to it."""
    assignment = Assignment("a", setting("wire", *requirements), Expectations((), "t", "1"), recalls=True)
    plan = Plan(FromVector("relay/x/y"), "relay", SUITE.complete({"steps": [SUB, intercept(APPEND), call()]}))
    log = lawful(SUITE.prepare(plan.scenario, NEWEST, "wire"), 0, "wire")
    return assignment, plan, json.dumps({"log": log}).encode()


def replied(assignment: Assignment, plan: Plan, observation: bytes) -> tuple[Any, Verdict]:
    """What is recalled of a reply, and its verdict, as the drive has them."""
    job = assignment.send(plan)
    result = b'"result":{"observation":%b}}' % observation
    assert job.recall is not None
    known = job.recall(result)
    payload = None if known is not None else {"left": [], "stray": [], **json.loads(observation)}
    raw = b'{"jsonrpc":"2.0","id":2,' + result
    return known, assignment.verdict(Answer("a", job, "observation", payload, raw=raw, recalled=known))


def test_an_answer_just_like_one_that_conformed_need_not_be_read() -> None:
    assignment, plan, observation = recalling()
    found = [replied(assignment, plan, observation) for _ in range(4)]

    assert [known is not None for known, _ in found] == [False, False, True, True]
    assert {verdict.outcome for _, verdict in found} == {"conforms"}
    assert {verdict.judgements for _, verdict in found} == {found[0][1].judgements}


def test_what_is_recalled_is_told_of_the_chosen_requirements_alone() -> None:
    assignment, plan, observation = recalling(("MRK-002",))
    verdicts = [replied(assignment, plan, observation)[1] for _ in range(3)]

    assert [[one.requirement for one in verdict.judgements] for verdict in verdicts] == [["MRK-002", "REF-000"]] * 3


def test_an_answer_that_left_something_is_never_recalled() -> None:
    assignment, plan, observation = recalling()
    left = b'%b,"left":[{"family":"llm.request","name":"i"}]}' % observation[:-1]
    found = [replied(assignment, plan, left) for _ in range(4)]

    assert [known for known, _ in found] == [None] * 4
    assert {verdict.outcome for _, verdict in found} == {"adapter_error"}


def test_nothing_is_recalled_where_a_fault_is_planted() -> None:
    fault = next(iter(SUITE.faults.values()))
    planted = Setting(SPEC, SUITE, NEWEST, "wire", (), fault)
    assignment = Assignment("a", planted, Expectations((), "t", "1"), recalls=True)

    assert assignment.send(recalling()[1]).recall is None


@pytest.mark.parametrize(("depth", "outcome"), [(DEEPEST - 60, "diverges"), (DEEPEST + 60, "protocol_error")])
def test_what_is_nested_too_deep_is_not_judged(depth: int, outcome: str) -> None:
    nested: Json = 0
    for _ in range(depth):
        nested = [nested]
    acted = Acted()
    log = acted.log()
    [record for record in log if record["fact"] == "done"][-1]["value"] = nested
    verdict = acted.observed(log)
    assert verdict.outcome == outcome
    if outcome == "protocol_error":
        assert verdict.reason == "the observation is nested deeper than 250 lists and objects; it is not judged"
