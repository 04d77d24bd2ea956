"""Planted faults of the chapter *Helpers* (HLP)."""

from __future__ import annotations

from copy import deepcopy

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.altering import Altered, alter
from bindproof.suites.relay.faults.planting import FOREIGN_UUID, PLANTED
from bindproof.suites.relay.observation.scopes import open_scopes
from bindproof.suites.relay.observation.story import Act, Run

FAULTS: dict[str, Fault] = {}

REQUESTS = ("llm.request", "tool.request")
CONDITIONALS = ("llm.conditional", "tool.conditional")


def _helpers(altered: Altered, *kinds: str) -> list[Act]:
    found = [act for act in altered.story.acts if act.step["step"] == "helper"]
    return [act for act in found if act.step["kind"] in kinds]


def _record(altered: Altered, act: Act) -> Json:
    return altered.log[act.done or 0]


@alter(FAULTS, "helper_executes", "a helper runs another family", "HLP-001")
def helper_executes(altered: Altered) -> bool:
    """Let a global request intercept of a tool run in the first helper of conditionals that lets pass."""
    steps = [act.step for act in altered.story.acts if act.step["step"] == "register" and act.error is None]
    names = [step["as"] for step in steps if step["family"] == "tool.request" and step["scope"] == "global"]
    found = [act for act in _helpers(altered, *CONDITIONALS) if act.error is None]
    if not names or not found:
        return False
    key, args = {"callback": names[0], "k": 9}, {"name": "t", "args": {}}
    records = {"fact": "enter", **key, "given": args}, {"fact": "leave", **key, "reply": {}}
    altered.insert((found[0].done or 0) - 1, *records)
    return True


@alter(FAULTS, "stale_args", "the helper of a tool answers with other args", "HLP-002")
def stale_args(altered: Altered) -> bool:
    """Replace what every helper of a tool's request intercepts answers."""
    found = [act for act in _helpers(altered, "tool.request") if act.error is None]
    for act in found:
        _record(altered, act)["value"] = PLANTED
    return bool(found)


@alter(FAULTS, "skip_in_helper", "an intercept does not run in a helper", "HLP-003")
def skip_in_helper(altered: Altered) -> bool:
    """Take out the records of the last intercept of a helper, where it changed nothing."""
    for act in _helpers(altered, "tool.request"):
        run = act.runs[-1] if act.runs else None
        if run is not None and _idle(run) and act.error is None and not _breaks(act):
            del altered.log[run.entered : run.entered + 2]
            return True
    return False


def _idle(run: Run) -> bool:
    return run.left == run.entered + 1 and run.replied and run.reply == run.given["args"]


def _breaks(act: Act) -> bool:
    return any(run.step["break_chain"] for run in act.runs)


@alter(FAULTS, "helper_always_says", "a helper whose conditionals let pass has something to say", "HLP-004")
def helper_always_says(altered: Altered) -> bool:
    """Give every helper that let pass a value."""
    found = [act for act in _helpers(altered, *CONDITIONALS) if act.error is None]
    for act in found:
        _record(altered, act)["value"] = "planted"
    return bool(found)


@alter(FAULTS, "helper_publishes", "a helper emits a mark that it answers with", "HLP-005")
def helper_publishes(altered: Altered) -> bool:
    """Repeat a mark of a call as one of its own, where a helper answers with one of its name."""
    helped = {
        mark["name"]
        for act in _helpers(altered, "llm.request")
        for run in act.runs
        for mark in (run.reply or {}).get("pending_marks", [])
    }
    return _repeat(altered, lambda event: event["kind"] == "mark" and event["name"] in helped)


@alter(FAULTS, "helper_leaves_mark", "a conditional helper that is rejected leaves a mark", "HLP-006")
def helper_leaves_mark(altered: Altered) -> bool:
    """Repeat the mark of a call that was rejected, where a helper was too."""
    if not any(act.error is not None for act in _helpers(altered, *CONDITIONALS)):
        return False
    return _repeat(altered, lambda event: event["kind"] == "mark" and _says_rejected(event["data"]))


def _says_rejected(data: Json) -> bool:
    return isinstance(data, dict) and data.get("rejected") is True


def _repeat(altered: Altered, wanted: object) -> bool:
    """Tell every subscriber once more, with another uuid, of the first event that is wanted."""
    done = False
    for subscriber, events in altered.story.events.items():
        for _, event in events:
            if wanted(event):  # type: ignore[operator]
                again = {**deepcopy(event), "uuid": FOREIGN_UUID}
                altered.log.insert(len(altered.log) - 1, {"fact": "event", "subscriber": subscriber, "event": again})
                done = True
                break
    return done


@alter(FAULTS, "swallow_in_helper", "what a helper's callback raises is lost", "HLP-007", "HLP-003")
def swallow_in_helper(altered: Altered) -> bool:
    """Let every helper succeed whose last callback raised."""
    found = [act for act in _helpers(altered, *REQUESTS, *CONDITIONALS) if act.runs and act.runs[-1].raised is not None]
    for act in found:
        altered.succeed(act, None)
    return bool(found)


def _heads(altered: Altered, *, inside: bool) -> list[Json]:
    """The headers that helpers answered with inside a scope, or outside any."""
    found = [act for act in _helpers(altered, "llm.request") if act.error is None]
    found = [act for act in found if bool(open_scopes(altered.story, act.began)) is inside]
    return [_record(altered, act)["value"]["request"]["headers"] for act in found]


@alter(FAULTS, "helper_names_another", "a helper's traceparent names another scope", "HLP-008", "HLP-010")
def helper_names_another(altered: Altered) -> bool:
    """Replace the traceparent of every helper inside a scope."""
    found = _heads(altered, inside=True)
    for headers in found:
        headers["traceparent"] = f"00-{'ab' * 16}-{'cd' * 8}-01"
    return bool(found)


@alter(FAULTS, "helper_invents_trace", "outside any scope a helper's request gains a traceparent", "HLP-009")
def helper_invents_trace(altered: Altered) -> bool:
    """Add a traceparent to every helper's outcome outside any scope."""
    found = _heads(altered, inside=False)
    for headers in found:
        headers["traceparent"] = f"00-{'ab' * 16}-{'cd' * 8}-01"
    return bool(found)


@alter(FAULTS, "helper_keeps_tracestate", "inside a scope a helper's request has a tracestate", "HLP-011", "HLP-010")
def helper_keeps_tracestate(altered: Altered) -> bool:
    """Put a trace state where an intercept, or the caller, had left one."""
    done = False
    for act in _helpers(altered, "llm.request"):
        left = act.runs[-1].reply["request"] if act.runs and act.runs[-1].replied else act.step["request"]
        if act.error is None and open_scopes(altered.story, act.began) and "tracestate" in left["headers"]:
            _record(altered, act)["value"]["request"]["headers"]["tracestate"] = "planted"
            done = True
    return done


@alter(FAULTS, "stale_outcome", "a helper's outcome has another body than its intercepts left", "HLP-012")
def stale_outcome(altered: Altered) -> bool:
    """Replace the content of every helper's outcome."""
    found = [_record(altered, act) for act in _helpers(altered, "llm.request") if act.error is None]
    for record in found:
        record["value"]["request"]["content"] = PLANTED
    return bool(found)
