"""The reference of `interaction`: which models a step calls, and how a run comes out."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.interaction import predict
from tests.interaction import EDITION, INTERACTION, SUITE

Json = Any


def records(*steps: Json, **run: Json) -> list[Json]:
    """The records that are allowed of a run."""
    prepared = INTERACTION.prepared(SUITE.complete({"steps": list(steps), **run}))
    lane: list[Json] = prepared.prediction["lanes"]["program"]
    return lane


def models(*steps: Json, **run: Json) -> list[str]:
    """The models that are called."""
    return [record["model"] for record in records(*steps, **run) if record["fact"] == "called"]


def outcome(*steps: Json, **run: Json) -> Json:
    """What the run comes to: a state, the kind of an error, or None."""
    ended = records(*steps, **run)[-1]
    assert ended["fact"] == "ended"
    return ended["error"]["kind"] if "error" in ended else ended["value"] and ended["value"]["state"]


def test_a_chain_is_tried_once_and_in_its_order() -> None:
    chain = [" m3", "", "m1", "m2 ", "m3"]
    assert models({"fails": ["m1", "m2", "m3"]}, fallbacks=chain) == ["m1", "m3", "m2"]


def test_each_step_begins_with_the_primary() -> None:
    assert models({"tool": True, "fails": ["m1"]}, {}, fallbacks=["m2"]) == ["m1", "m2", "m1"]


@pytest.mark.parametrize(
    ("policy", "come_to"),
    [
        ("retry_then_fail", "fail"),
        ("fail_fast", "fail"),
        ("fail_run", "fail"),
        ("retry_then_degrade", "degraded"),
        ("continue", "degraded"),
        ("continue_with_error", "degraded"),
        ("retry_then_continue", "degraded"),
        ("skip_action", "degraded"),
    ],
)
def test_the_table_of_policies(policy: str, come_to: str) -> None:
    found = (
        outcome({"fails": ["m1"]}, on_failure=policy),
        outcome({"gate": "deny"}, on_failure=policy),
        outcome({"gate": "approval", "answer": "deny"}, on_refusal=policy),
    )
    assert found == (("failed", "denied", "refused") if come_to == "fail" else ("degraded",) * 3)


@pytest.mark.parametrize(("most", "come_to"), [(2, "over_budget"), (3, "completed"), (4, "completed")])
def test_a_run_may_cost_what_its_limit_is(most: int, come_to: str) -> None:
    assert outcome({"tool": True, "cost": 2}, {"cost": 1}, most_cost=most) == come_to


@pytest.mark.parametrize(("most", "calls"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_a_run_calls_in_as_many_steps_as_it_may(most: int, calls: int) -> None:
    steps: list[Json] = [{"tool": True}, {}]
    assert len(models(*steps, most_calls=most)) == calls
    assert outcome(*steps, most_calls=most) == ("over_budget" if calls < 2 else "completed")


@pytest.mark.parametrize(("begun", "calls"), [(False, ["m1", "m1", "m1"]), (True, ["m1", "m2"])])
def test_of_a_stream_its_opening_alone_is_tried_again(begun: bool, calls: list[str]) -> None:
    step = {"fails": ["m1"], "error": "503", "times": 2, "begun": begun}
    assert models(step, streams=True, idempotent=True, fallbacks=["m2"]) == calls


@pytest.mark.parametrize(
    ("error", "idempotent", "calls"),
    [("429", True, 3), ("slow", True, 3), ("401", True, 1), ("plain", True, 1), ("429", False, 1)],
)
def test_what_may_pass_is_tried_again_where_that_is_safe(error: str, idempotent: bool, calls: int) -> None:
    run: Json = {"idempotent": idempotent, "retries": 2, "fallbacks": ["m2"]}
    assert models({"fails": ["m1"], "error": error}, **run) == ["m1"] * calls + ["m2"]


def test_the_pause_doubles_and_has_a_jitter() -> None:
    run: Json = {"idempotent": True, "retries": 2, "base": 50, "jitter": 2}
    pauses = [one["waited"] for one in records({"fails": ["m1"], "error": "500"}, **run) if one["fact"] == "called"]
    assert pauses == [0, {"$one_of": [50, 51, 52]}, {"$one_of": [100, 101, 102]}]


def test_a_model_that_gives_no_answer_has_no_words() -> None:
    ended = records({"fails": ["m1"], "error": "slow"})[-1]
    assert ended["error"] == {"kind": "failed", "type": "AgentExecutionError", "message": {"$any": True}}


def test_a_run_that_is_stopped_calls_no_more() -> None:
    assert models({"tool": True}, {"stop": "interrupt"}, fallbacks=["m2"]) == ["m1", "m1"]
    assert outcome({"stop": "interrupt"}) == "interrupted"
    assert outcome({"stop": "cancel"}) is None


@pytest.mark.parametrize(
    ("answers", "calls", "come_to"),
    [
        (["payload"], 1, {"name": "[1]", "count": 1}),
        (["bad payload", "words", "fenced"], 3, {"name": "[3]", "count": 3}),
        (["words", "bad text", "words"], 3, "invalid"),
        (["words", "slow"], 2, "failed"),
    ],
)
def test_an_output_is_repaired_until_there_is_one(answers: list[str], calls: int, come_to: Json) -> None:
    log = records(*({"says": says} for says in answers), of="output")
    assert [one["fact"] for one in log] == ["called"] * calls + ["ended"]
    assert (log[-1]["error"]["kind"] if "error" in log[-1] else log[-1]["value"]["output"]) == come_to


@pytest.mark.parametrize(
    ("acts", "come_to"),
    [
        (["waits", "completes"], {"text": "a"}),
        (["waits", "delta"], "invalid"),
        (["waits", "completes", "completes"], "invalid"),
        (["waits", "breaks"], "failed"),
        (["waits", "cancels"], None),
        (["cancels", "waits"], None),
        (["waits", "completes", "ends", "interrupts"], {"text": "a"}),
    ],
)
def test_whoever_waits_for_a_stream_is_told(acts: list[str], come_to: Json) -> None:
    prepared = INTERACTION.prepared(SUITE.complete({"of": "stream", "steps": [{"does": does} for does in acts]}))
    (told,) = prepared.prediction["lanes"]["waiter 1"]
    assert (told["error"]["kind"] if "error" in told else told["value"]) == come_to


@pytest.mark.parametrize(
    ("dies", "before", "after"),
    [("pre_llm", [1], [2, 3]), ("called", [1, 2], [2, 3]), ("runtime_state", [1, 2], [3]), ("tool", [1, 2], [3])],
)
def test_a_run_that_is_taken_up_goes_on_where_it_was(dies: str, before: list[int], after: list[int]) -> None:
    log = records({}, {}, {}, of="resume", dies=dies, step=2)
    died = log.index({"fact": "died"})
    steps = [[one["request"][-1:] for one in part if one["fact"] == "called"] for part in (log[:died], log[died:])]
    assert steps == [[str(one) for one in before], [str(one) for one in after]]


@pytest.mark.parametrize(
    ("step", "come_to"),
    [
        ({}, {"text": "[1]"}),
        ({"top_p": 1.0, "temperature": 2.0, "most_tokens": 1}, {"text": "[1]"}),
        ({"model": " "}, "malformed"),
        ({"temperature": 2.5}, "malformed"),
        ({"top_p": 0.0}, "malformed"),
        ({"key": ""}, "malformed"),
        ({"key": None}, {"text": "[1]"}),
        ({"streams": True}, "unsupported"),
    ],
)
def test_a_request_reaches_the_provider_where_nothing_is_wrong_with_it(step: Json, come_to: Json) -> None:
    log = records(step, of="request", lacks=["streaming"])
    assert [one["fact"] for one in log] == (["called"] if isinstance(come_to, dict) else []) + ["ended"]
    assert (log[-1]["error"]["kind"] if "error" in log[-1] else log[-1]["value"]) == come_to


@pytest.mark.parametrize(
    ("step", "calls", "come_to"),
    [
        ({"fails": "429", "times": 2}, 3, {"text": "[1]"}),
        ({"fails": "slow"}, 3, "failed"),
        ({"fails": "503", "times": 3}, 3, "failed"),
        ({"fails": "503", "times": 1, "key": None}, 1, "failed"),
        ({"fails": "invalid"}, 1, "failed"),
    ],
)
def test_a_request_that_fails_is_made_again_where_that_is_safe(step: Json, calls: int, come_to: Json) -> None:
    log = records(step, of="request", idempotent=True, retries=2)
    assert [one["fact"] for one in log] == ["called"] * calls + ["ended"]
    assert (log[-1]["error"]["kind"] if "error" in log[-1] else log[-1]["value"]) == come_to


@pytest.mark.parametrize(
    ("rules", "roles", "facts"),
    [
        ([], [], ["allow", "called"]),
        ([{"id": "b", "action": "deny"}, {"id": "a", "action": "input"}], ["deny"], ["input", "asked", "called"]),
        ([{"id": "a", "action": "deny"}, {"id": "b", "action": "allow", "priority": 200}], [], ["allow", "called"]),
        ([{"id": "a", "action": "deny", "subject": "tool"}], ["nothing"], ["consulted", "allow", "called"]),
        ([{"id": "a", "action": "deny", "when": "function"}], [], ["deny"]),
        ([], ["allow", "deny", "allow"], ["consulted", "consulted", "deny"]),
        ([], ["allow", "crash"], ["consulted", "consulted"]),
    ],
)
def test_rules_and_roles_decide_in_their_order(rules: list[Json], roles: list[str], facts: list[str]) -> None:
    log = records(*rules, of="policy", roles=roles)
    assert [one.get("action", one["fact"]) for one in log] == [*facts, "ended"]


@pytest.mark.parametrize(
    ("names", "more", "tried"),
    [
        (["gpt-4", "OpenAI/gpt-4", " claude/x"], {}, ["openai gpt-4", "anthropic_agent x"]),
        (["litellm/x", "gemini/x", "x"], {}, ["litellm litellm/x", "litellm gemini/x", "litellm x"]),
        (["mine/x", "x"], {"default": "mine"}, ["mine x"]),
        ([" openai/x", "y"], {"resolver": True}, ["own openai/x", "own y"]),
    ],
)
def test_a_name_leads_to_a_provider_and_a_model(names: list[str], more: Json, tried: list[str]) -> None:
    log = records(*({"name": name} for name in names), of="names", **more)
    assert [f"{one['provider']} {one['model']}" for one in log if one["fact"] == "tried"] == tried


@pytest.mark.parametrize(
    ("steps", "limits", "facts", "come_to"),
    [
        ([{"tools": 2}, {}], {"most_tools": 2}, ["called", "used", "used", "called"], "completed"),
        ([{"tools": 2}, {"tools": 1}], {"most_tools": 2}, ["called", "used", "used", "called"], "over_budget"),
        ([{"tools": 3}], {"most_tools": 0}, ["called"], "over_budget"),
        ([{"silent": 2}], {"most_time": 40}, ["called", "called"], "interrupted"),
        ([{"tools": 2, "rests": 7}], {"most_time": 5}, ["called", "used", "used"], "interrupted"),
        (
            [{"silent": 1, "tools": 1, "rests": 4}, {}],
            {"most_time": 40},
            ["called"] * 2 + ["used", "called"],
            "completed",
        ),
    ],
)
def test_a_run_keeps_to_its_budgets(steps: list[Json], limits: Json, facts: list[str], come_to: str) -> None:
    *log, ended = records(*steps, of="budget", **limits)
    assert [one["fact"] for one in log] == facts
    assert (ended["error"]["kind"] if "error" in ended else ended["value"]["state"]) == come_to


@pytest.mark.parametrize(
    ("at", "step", "facts"),
    [
        ("policy", 1, []),
        ("llm_called", 2, ["called", "used"]),
        ("called", 1, ["called"]),
        ("llm_completed", 2, ["called", "used", "called"]),
        ("tool", 1, ["called", "used"]),
    ],
)
def test_a_run_is_stopped_where_it_is(at: str, step: int, facts: list[str]) -> None:
    for how, event in (("cancel", "run_cancelled"), ("interrupt", "run_interrupted")):
        *log, over, ended = records({}, {}, {}, of="stop", how=how, at=at, step=step)
        assert [one["fact"] for one in log] == facts
        assert over["type"] == event
        assert "value" in ended if how == "cancel" else ended["error"]["kind"] == "interrupted"


def test_what_holds_where_nobody_sets_anything() -> None:
    log = records({"of": "max_steps"}, {"of": "AFK_EMBED_MODEL"}, of="defaults")
    assert [(one["name"], one["value"]) for one in log] == [("max_steps", 20), ("AFK_EMBED_MODEL", None)]


def test_each_change_of_state_is_allowed_or_not() -> None:
    asked = [
        {"from": "paused", "to": "running"},
        {"from": "degraded", "to": "cancelled"},
        {"from": "failed", "to": "failed"},
    ]
    assert [one["allowed"] for one in records(*asked, of="states")] == [True, False, True]


def test_of_what_is_too_long_one_end_is_sent() -> None:
    (message,) = records({"messages": ["more than ten"]}, of="request", ceiling=10)[0]["messages"]
    assert message["text"] == {"$one_of": ["more than ", "e than ten"]}


def test_an_edition_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match=f"no edition '9'; it knows {EDITION}"):
        predict(SUITE.complete({"steps": [{}]}), "9", {})
