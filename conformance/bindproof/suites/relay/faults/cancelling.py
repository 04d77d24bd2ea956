"""Planted faults of the chapter *Calls in flight* (FLT), cancelled calls."""

from __future__ import annotations

from bindproof.core.model import Json, copied
from bindproof.suites import Fault
from bindproof.suites.relay.faults.altering import Altered, alter
from bindproof.suites.relay.observation.cancelling import cancellings, is_cancelled_end

FAULTS: dict[str, Fault] = {}


@alter(FAULTS, "fail_unnamed", "the caller of a cancelled call is given some error", "FLT-009")
def fail_unnamed(altered: Altered) -> bool:
    """Replace the errors of cancelled calls by one that nobody knows."""
    found = cancellings(altered.story)
    for call in found:
        altered.log[call.done or 0]["error"] |= {"type": "Error", "message": "something went wrong"}
    return bool(found)


@alter(FAULTS, "spare_callbacks", "callbacks of a cancelled call are told nothing", "FLT-010")
def spare_callbacks(altered: Altered) -> bool:
    """Take out that callbacks were told."""
    before = len(altered.log)
    altered.log[:] = [record for record in altered.log if record["fact"] != "cancelled"]
    return len(altered.log) < before


@alter(FAULTS, "go_on_cancelled", "what waits in a cancelled call goes on to its end", "FLT-010")
def go_on_cancelled(altered: Altered) -> bool:
    """Let the callback that stood at the latch leave, once the call is cancelled."""
    for call in cancellings(altered.story):
        run = [run for run in call.all() if run.left is None][-1]
        key: Json = {"callback": run.callback, "k": altered.log[run.entered]["k"]}
        altered.insert(call.done or 0, {"fact": "resume", **key}, {"fact": "leave", **key, "reply": {"ok": True}})
        return True
    return False


def _ends(altered: Altered) -> list[int]:
    """Where the ends of cancelled LLM calls are told."""
    ends = [index for index, record in enumerate(altered.log) if is_cancelled_end(record.get("event"))]
    return [index for index in ends if altered.log[index]["event"]["category"] == "llm"]


@alter(FAULTS, "keep_partial", "the end of a cancelled LLM call has data", "FLT-011")
def keep_partial(altered: Altered) -> bool:
    """Put something into the ends of cancelled LLM calls."""
    found = _ends(altered)
    for index in found:
        altered.log[index]["event"]["data"] = {"ok": True}
    return bool(found)


@alter(FAULTS, "end_cancelled_twice", "a cancelled LLM call is ended again", "FLT-002", "FLT-011")
def end_cancelled_twice(altered: Altered) -> bool:
    """Tell of the ends of cancelled LLM calls twice."""
    found = _ends(altered)
    for index in reversed(found):
        altered.insert(index, copied(altered.log[index]))
    return bool(found)
