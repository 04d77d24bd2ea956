"""Planted faults of *Managed LLM lifecycle* (LIF) about scopes."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, Spoiled, plant
from bindproof.suites.relay.observation.scopes import open_scopes
from bindproof.suites.relay.observation.spans import ToldSpan, all_spans, spans
from bindproof.suites.relay.observation.transcript import Act

FAULTS: dict[str, Fault] = {}

SESSION = "x-dynamo-session-id"
ENDED = ("LIF-019", "EVT-015")


@plant(FAULTS, "forget_agent", "the provider is not told of the agent", "LIF-017")
def forget_agent(spoiled: Spoiled) -> bool:
    """Take the innermost agent from what every provider is given."""
    calls = [act for act in spoiled.transcript.calls("llm") if SESSION not in str(act.step["request"])]
    runs = [run for act in calls for run in act.of("provider")]
    found = [spoiled.log[run.entered]["given"]["request"]["headers"] for run in runs]
    found = [headers for headers in found if SESSION in headers]
    for headers in found:
        headers[SESSION] = "planted"
    return bool(found)


@plant(FAULTS, "own_trace", "a call inside a scope is a trace of its own", "LIF-023", also=("PRP-005",))
def own_trace(spoiled: Spoiled) -> bool:
    """Let the trace headers of calls inside scopes name the call as the trace too."""
    done = False
    for span in spans(spoiled.transcript, "llm"):
        runs = [] if span.act.of("llm.execution") else span.act.of("provider")
        for run in runs if _is_nested(spoiled, span.act) else []:
            headers = spoiled.log[run.entered]["given"]["request"]["headers"]
            fields = str(headers.get("traceparent")).split("-")
            if len(fields) == 4:
                fields[1] = span.start[1]["uuid"].replace("-", "")
                headers["traceparent"] = "-".join(fields)
                done = True
    return done


def _spans(spoiled: Spoiled) -> list[ToldSpan]:
    if spoiled.transcript.published:
        return []
    return all_spans(spoiled.transcript)


def _is_nested(spoiled: Spoiled, act: Act) -> bool:
    at = act.began if act.step["step"] == "call" else act.done or 0
    return act.within is None and bool(open_scopes(spoiled.transcript, at))


@plant(
    FAULTS,
    "wrong_parent",
    "what is inside a scope has another parent",
    "LIF-018",
    "FLT-005",
    also=("LIF-028", "EVT-031"),
)
def wrong_parent(spoiled: Spoiled) -> bool:
    """Give start and end of everything inside a scope another parent."""
    events = [e for span in _spans(spoiled) if _is_nested(spoiled, span.act) for _, e in [span.start, *span.ends]]
    for event in events:
        event["parent_uuid"] = FOREIGN_UUID
    return bool(events)


@plant(FAULTS, "end_any_scope", "a scope that is not the innermost can be ended, and is not told of", *ENDED)
def end_any_scope(spoiled: Spoiled) -> bool:
    """Let the last step that ends a scope succeed, where it was refused."""
    ends = [act for act in spoiled.transcript.acts if act.step["step"] == "end"]
    if not ends or ends[-1].error is None or spoiled.transcript.events.get("s") is None:
        return False
    spoiled.succeed(ends[-1], None)
    return True


@plant(FAULTS, "own_root", "an agent inside an agent is a root of its own", "LIF-020")
def own_root(spoiled: Spoiled) -> bool:
    """Give start and end of everything inside a scope itself as root."""
    found: list[Json] = []
    for span in _spans(spoiled):
        around = open_scopes(spoiled.transcript, span.act.done or 0)
        if span.act.step["kind"] == "scope" and any(act.step["type"] == "agent" for act in around):
            found += [event for _, event in [span.start, *span.ends] if "propagation_root_uuid" in event]
    for event in found:
        event["propagation_root_uuid"] = FOREIGN_UUID
    return bool(found)


@plant(FAULTS, "stray_mark", "a mark inside a scope has another parent", "LIF-021")
def stray_mark(spoiled: Spoiled) -> bool:
    """Give every mark of a program or a provider inside a scope another parent."""
    if spoiled.transcript.published:
        return False
    acts = [
        act
        for act in spoiled.transcript.acts
        if act.step["step"] == "mark" and open_scopes(spoiled.transcript, act.done or 0)
    ]
    names = {act.step["name"] for act in acts if act.within is None or act.within.part == "provider"}
    told = [event for events in spoiled.transcript.events.values() for _, event in events]
    found = [event for event in told if event["kind"] == "mark" and event["name"] in names]
    for event in found:
        event["parent_uuid"] = FOREIGN_UUID
    return bool(found)


@plant(FAULTS, "manual_middleware", "a conditional runs for a manual call", "LIF-022", also=("MID-027",))
def manual_middleware(spoiled: Spoiled) -> bool:
    """Let a conditional run before the first manual call, where nothing is called."""
    acts = spoiled.transcript.acts
    starts = [act for act in acts if act.step["step"] == "start" and act.step["kind"] != "scope"]
    guards = [act.step for act in acts if act.step["step"] == "register" and "conditional" in act.step["family"]]
    if not starts or not guards or any(act.step["step"] in ("call", "helper") for act in acts):
        return False
    key = {"callback": guards[0]["as"], "k": 0}
    spoiled.insert(
        (starts[0].done or 0) - 1, {"fact": "enter", **key, "given": {}}, {"fact": "leave", **key, "reply": None}
    )
    return True
