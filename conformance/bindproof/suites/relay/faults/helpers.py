"""Planted faults of the chapter *Helpers* (HLP)."""

from __future__ import annotations

from copy import deepcopy

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.scopes import open_scopes
from bindproof.suites.relay.observation.transcript import Act, Entry
from bindproof.suites.relay.scenario.families import CONDITIONALS

FAULTS: dict[str, Fault] = {}

REQUESTS = ("llm.request", "tool.request")


def _helpers(spoiled: Spoiled, *kinds: str) -> list[Act]:
    found = [act for act in spoiled.transcript.acts if act.step["step"] == "helper"]
    return [act for act in found if act.step["kind"] in kinds]


def _record(spoiled: Spoiled, act: Act) -> Json:
    return spoiled.log[act.done or 0]


@plant(FAULTS, "helper_executes", "a helper runs another family", "HLP-001", also=("MID-012", "MID-027"))
def helper_executes(spoiled: Spoiled) -> bool:
    """Let a global request intercept of a tool run in the first helper of conditionals that lets pass."""
    steps = [act.step for act in spoiled.transcript.acts if act.step["step"] == "register" and act.error is None]
    names = [step["as"] for step in steps if step["family"] == "tool.request" and step["scope"] == "global"]
    found = [act for act in _helpers(spoiled, *CONDITIONALS) if act.error is None]
    if not names or not found:
        return False
    key, args = {"callback": names[0], "k": 9}, {"name": "t", "args": {}}
    records = {"fact": "enter", **key, "given": args}, {"fact": "leave", **key, "reply": {}}
    spoiled.insert((found[0].done or 0) - 1, *records)
    return True


@plant(FAULTS, "stale_args", "the helper of a tool answers with other args", "HLP-002")
def stale_args(spoiled: Spoiled) -> bool:
    """Replace what every helper of a tool's request intercepts answers."""
    found = [act for act in _helpers(spoiled, "tool.request") if act.error is None]
    for act in found:
        _record(spoiled, act)["value"] = PLANTED
    return bool(found)


@plant(
    FAULTS,
    "skip_in_helper",
    "an intercept does not run in a helper",
    "HLP-003",
    also=("MID-004", "MID-021", "MID-025", "GAT-002"),
)
def skip_in_helper(spoiled: Spoiled) -> bool:
    """Take out the records of the last intercept of a helper, where it changed nothing."""
    for act in _helpers(spoiled, "tool.request"):
        run = act.runs[-1] if act.runs else None
        if run is not None and _idle(run) and act.error is None and not _breaks(act):
            del spoiled.log[run.entered : run.entered + 2]
            return True
    return False


def _idle(run: Entry) -> bool:
    return run.left == run.entered + 1 and run.replied and run.reply == run.given["args"]


def _breaks(act: Act) -> bool:
    return any(run.step["break_chain"] for run in act.runs)


@plant(FAULTS, "helper_always_says", "a helper whose conditionals let pass has something to say", "HLP-004")
def helper_always_says(spoiled: Spoiled) -> bool:
    """Give every helper that let pass a value."""
    found = [act for act in _helpers(spoiled, *CONDITIONALS) if act.error is None]
    for act in found:
        _record(spoiled, act)["value"] = "planted"
    return bool(found)


@plant(FAULTS, "helper_publishes", "a helper emits a mark that it answers with", "HLP-005", also=("LIF-002", "MRK-001"))
def helper_publishes(spoiled: Spoiled) -> bool:
    """Repeat a mark of a call as one of its own, where a helper answers with one of its name."""
    helped = {
        mark["name"]
        for act in _helpers(spoiled, "llm.request")
        for run in act.runs
        for mark in (run.reply or {}).get("pending_marks", [])
    }
    return _repeat(spoiled, lambda event: event["kind"] == "mark" and event["name"] in helped)


@plant(
    FAULTS, "helper_leaves_mark", "a conditional helper that is rejected leaves a mark", "HLP-006", also=("EVT-051",)
)
def helper_leaves_mark(spoiled: Spoiled) -> bool:
    """Repeat the mark of a call that was rejected, where a helper was too."""
    if not any(act.error is not None for act in _helpers(spoiled, *CONDITIONALS)):
        return False
    return _repeat(spoiled, lambda event: event["kind"] == "mark" and _says_rejected(event["data"]))


def _says_rejected(data: Json) -> bool:
    return isinstance(data, dict) and data.get("rejected") is True


def _repeat(spoiled: Spoiled, wanted: object) -> bool:
    """Tell every subscriber once more, with another uuid, of the first event that is wanted."""
    done = False
    for subscriber, events in spoiled.transcript.events.items():
        for _, event in events:
            if wanted(event):  # type: ignore[operator]
                again = {**deepcopy(event), "uuid": FOREIGN_UUID}
                spoiled.log.insert(len(spoiled.log) - 1, {"fact": "event", "subscriber": subscriber, "event": again})
                done = True
                break
    return done


@plant(
    FAULTS,
    "swallow_in_helper",
    "what a helper's callback raises is lost",
    "HLP-007",
    "HLP-003",
    also=("HLP-012", "OUT-007"),
)
def swallow_in_helper(spoiled: Spoiled) -> bool:
    """Let every helper succeed whose last callback raised."""
    found = [act for act in _helpers(spoiled, *REQUESTS, *CONDITIONALS) if act.runs and act.runs[-1].raised is not None]
    for act in found:
        spoiled.succeed(act, None)
    return bool(found)


def _heads(spoiled: Spoiled, *, inside: bool) -> list[Json]:
    """The headers that helpers answered with inside a scope, or outside any."""
    found = [act for act in _helpers(spoiled, "llm.request") if act.error is None]
    found = [act for act in found if bool(open_scopes(spoiled.transcript, act.began)) is inside]
    return [_record(spoiled, act)["value"]["request"]["headers"] for act in found]


@plant(
    FAULTS,
    "helper_names_another",
    "a helper's traceparent names another scope",
    "HLP-008",
    "HLP-010",
    also=("PRP-005",),
)
def helper_names_another(spoiled: Spoiled) -> bool:
    """Replace the traceparent of every helper inside a scope."""
    found = _heads(spoiled, inside=True)
    for headers in found:
        headers["traceparent"] = f"00-{'ab' * 16}-{'cd' * 8}-01"
    return bool(found)


@plant(
    FAULTS,
    "helper_invents_trace",
    "outside any scope a helper's request gains a traceparent",
    "HLP-009",
    also=("PRP-005",),
)
def helper_invents_trace(spoiled: Spoiled) -> bool:
    """Add a traceparent to every helper's outcome outside any scope."""
    found = _heads(spoiled, inside=False)
    for headers in found:
        headers["traceparent"] = f"00-{'ab' * 16}-{'cd' * 8}-01"
    return bool(found)


@plant(FAULTS, "helper_keeps_tracestate", "inside a scope a helper's request has a tracestate", "HLP-011", "HLP-010")
def helper_keeps_tracestate(spoiled: Spoiled) -> bool:
    """Put a trace state where an intercept, or the caller, had left one."""
    done = False
    for act in _helpers(spoiled, "llm.request"):
        if act.error is not None or not open_scopes(spoiled.transcript, act.began):
            continue
        left = act.runs[-1].reply["request"] if act.runs and act.runs[-1].replied else act.step["request"]
        if "tracestate" in left["headers"]:
            _record(spoiled, act)["value"]["request"]["headers"]["tracestate"] = "planted"
            done = True
    return done


@plant(
    FAULTS,
    "stale_outcome",
    "a helper's outcome has another body than its intercepts left",
    "HLP-012",
    also=("OUT-009",),
)
def stale_outcome(spoiled: Spoiled) -> bool:
    """Replace the content of every helper's outcome."""
    found = [_record(spoiled, act) for act in _helpers(spoiled, "llm.request") if act.error is None]
    for record in found:
        record["value"]["request"]["content"] = PLANTED
    return bool(found)
