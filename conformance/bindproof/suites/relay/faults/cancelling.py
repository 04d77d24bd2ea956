"""Planted faults of the chapter *Calls in flight* (FLT), cancelled calls."""

from __future__ import annotations

from bindproof.core.model import Json, copied
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, Spoiled, plant
from bindproof.suites.relay.observation.deliveries import lives
from bindproof.suites.relay.observation.in_flight import cancellings, managed_spans

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "fail_unnamed", "the caller of a cancelled call is given some error", "FLT-009")
def fail_unnamed(spoiled: Spoiled) -> bool:
    """Replace the errors of cancelled calls by one that nobody knows."""
    found = cancellings(spoiled.transcript)
    for call in found:
        spoiled.log[call.done or 0]["error"] |= {"type": "Error", "message": "something went wrong"}
    return bool(found)


@plant(FAULTS, "spare_callbacks", "callbacks of a cancelled call are told nothing", "FLT-010")
def spare_callbacks(spoiled: Spoiled) -> bool:
    """Take out that callbacks were told."""
    before = len(spoiled.log)
    spoiled.log[:] = [record for record in spoiled.log if record["fact"] != "cancelled"]
    return len(spoiled.log) < before


@plant(FAULTS, "go_on_cancelled", "what waits in a cancelled call goes on to its end", "FLT-010")
def go_on_cancelled(spoiled: Spoiled) -> bool:
    """Let the callback that stood at the latch leave, once the call is cancelled."""
    for call in cancellings(spoiled.transcript):
        run = [run for run in call.all() if run.left is None][-1]
        key: Json = {"callback": run.callback, "k": spoiled.log[run.entered]["k"]}
        spoiled.insert(call.done or 0, {"fact": "resume", **key}, {"fact": "leave", **key, "reply": {"ok": True}})
        return True
    return False


def _ends(spoiled: Spoiled) -> list[int]:
    """Where the ends of cancelled LLM calls are told."""
    calls = [act for act in cancellings(spoiled.transcript) if act.step["kind"] == "llm"]
    return sorted(at for act in calls for life in lives(spoiled.transcript, act).values() for at, _ in life.ends)


@plant(FAULTS, "keep_partial", "the end of a cancelled LLM call has other data than its own", "EVT-032")
def keep_partial(spoiled: Spoiled) -> bool:
    """Put something into the ends of cancelled LLM calls."""
    found = _ends(spoiled)
    for index in found:
        spoiled.log[index]["event"]["data"] = {"ok": True}
    return bool(found)


@plant(FAULTS, "end_cancelled_twice", "a cancelled LLM call is ended again", "FLT-002", "FLT-011")
def end_cancelled_twice(spoiled: Spoiled) -> bool:
    """Tell of the ends of cancelled LLM calls twice."""
    found = _ends(spoiled)
    for index in reversed(found):
        spoiled.insert(index, copied(spoiled.log[index]))
    return bool(found)


@plant(
    FAULTS,
    "end_what_has_not_started",
    "a call that is cancelled before its start has one",
    "FLT-017",
    also=("FLT-002", "EVT-051"),
)
def end_what_has_not_started(spoiled: Spoiled) -> bool:
    """Tell of a start and an end, as those of another call are, once a call is cancelled that has none."""
    whole = [span for span in managed_spans(spoiled.transcript) if len(span.ends) == 1]
    for call in cancellings(spoiled.transcript):
        alike = [span for span in whole if span.act.step["kind"] == call.step["kind"]]
        if not call.started and alike:
            told = [event for _, event in (alike[0].start, *alike[0].ends)]
            own = [{**copied(event), "name": call.step["name"], "uuid": FOREIGN_UUID} for event in told]
            spoiled.insert(
                call.done or 0, *({"fact": "event", "subscriber": alike[0].subscriber, "event": event} for event in own)
            )
            return True
    return False
