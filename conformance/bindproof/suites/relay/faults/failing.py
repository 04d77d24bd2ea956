"""Planted faults of what fails (MID, TOL, STR): a binding goes on all the same."""

from __future__ import annotations

from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.transcript import Act, Entry
from bindproof.suites.relay.scenario.families import CONDITIONALS

FAULTS: dict[str, Fault] = {}


@plant(
    FAULTS,
    "fail_open_conditionals",
    "a call succeeds whose conditional fails",
    "MID-008",
    also=("LIF-005", "LIF-008", "STR-005", "TOL-005", "TOL-012"),
)
def fail_open_conditionals(spoiled: Spoiled) -> bool:
    """Let every call succeed of which a conditional raised."""
    found = [act for act, _ in _failed(spoiled, *CONDITIONALS)]
    for act in found:
        spoiled.succeed(act, None if act.step["kind"] == "llm_stream" else PLANTED)
    return bool(found)


def _failed(spoiled: Spoiled, *families: str) -> list[tuple[Act, Entry]]:
    """Return the calls of which a callback of these families raised, with that."""
    acts = [act for act in spoiled.transcript.of_kind("call") if act.error is not None and act.done is not None]
    return [(act, run) for act in acts for run in act.of(*families) if run.raised is not None]


@plant(
    FAULTS,
    "fail_open_requests",
    "a tool call succeeds whose request intercept fails",
    "MID-008",
    also=("TOL-005", "TOL-012"),
)
def fail_open_requests(spoiled: Spoiled) -> bool:
    """Let the only call succeed, where it is of a tool of which a request intercept raised."""
    found = _failed(spoiled, "tool.request") if _is_alone(spoiled) else []
    for act, _ in found:
        spoiled.succeed(act, PLANTED)
    return bool(found)


def _is_alone(spoiled: Spoiled) -> bool:
    """Tell whether a scenario makes one call, with nothing else that is due in it behind a request intercept."""
    families = [act.step["family"] for act in spoiled.transcript.of_kind("register")]
    return len(spoiled.transcript.of_kind("call")) == 1 and not set(families) & BEHIND


BEHIND = {"tool.execution", "tool.sanitize_request", "tool.sanitize_response", "event.metadata"}
"""Families that run in a call, or when it is told of, where a request intercept fails nothing."""


@plant(FAULTS, "run_a_failed_tool", "a tool runs though a request intercept failed", "MID-008", also=("TOL-007",))
def run_a_failed_tool(spoiled: Spoiled) -> bool:
    """Let the tool of the only call run, whose caller is given the error all the same."""
    for act, run in _failed(spoiled, "tool.request") if _is_alone(spoiled) else []:
        key = {"callback": f"{act.step['as']}.provider", "k": 0}
        reply = {"result": {"ok": True}, "annotation": None}
        spoiled.insert(
            run.left or 0,
            {"fact": "enter", **key, "given": {"args": run.given["args"]}},
            {"fact": "leave", **key, "reply": reply},
        )
        return True
    return False


@plant(FAULTS, "lose_a_wrapped_failure", "what a tool raises is lost on its way out", "TOL-012")
def lose_a_wrapped_failure(spoiled: Spoiled) -> bool:
    """Let every `next` of a tool's intercept give nothing where what it wraps raised."""
    return _lose(spoiled, "tool", "tool.execution")


@plant(FAULTS, "lose_a_failure_at_once", "what gives no stream is taken for a stream that is wrapped", "STR-015")
def lose_a_failure_at_once(spoiled: Spoiled) -> bool:
    """Let every `next` of a stream intercept give a stream where what it wraps raised at once."""
    return _lose(spoiled, "llm_stream", "llm.stream")


def _lose(spoiled: Spoiled, kind: str, family: str) -> bool:
    runs = [run for act in spoiled.transcript.calls(kind) for run in act.everything if run.part == family]
    found = [
        asked
        for run in runs
        for asked in run.asked
        if asked.error is not None and any(inner.raised is not None for inner in asked.inside)
    ]
    for asked in found:
        record = spoiled.log[asked.answered or 0]
        del record["error"]
        record["value"] = None
    return bool(found)
