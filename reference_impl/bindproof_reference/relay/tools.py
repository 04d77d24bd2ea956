"""Chapter *Tool execution outcomes* (TOL): which results and outcomes are well formed, and what they add up to.

Enters: what a tool's callback or an execution intercept replied, in canonical spelling. Leaves: a Result, or the reason
why the reply is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from bindproof_reference.relay.editions import Rules
from bindproof_reference.relay.marks import malformed_mark
from bindproof_reference.relay.outcomes import UnpredictableError
from bindproof_reference.relay.values import Json, only

RESULT_FIELDS = ("result", "annotation")
OUTCOME_FIELDS = (*RESULT_FIELDS, "pending_marks")


@dataclass(frozen=True, slots=True)
class Result:
    """What an execution came to: the tool's own result, an annotation or None, and the marks to emit, in order."""

    result: Json
    annotation: Json = None
    pending_marks: tuple[Json, ...] = ()

    def visible(self) -> dict[str, Json]:
        """Return what the application and every intercept further out sees (TOL-004, TOL-005)."""
        return {"result": self.result, "annotation": self.annotation}


def read_result(reply: Json, fields: tuple[str, ...], rules: Rules) -> Result | str:
    """Return the result that a reply states, or in a few words why it is malformed (TOL-001, TOL-002, TOL-003)."""
    if not isinstance(reply, dict) or "result" not in reply:
        return "the reply states no result"
    if reply.keys() - set(fields):
        return "the reply has an unknown key"
    marks = reply.get("pending_marks", [])
    if not isinstance(marks, list):
        return "the pending marks are no list"
    reason = next((reason for mark in marks if (reason := malformed_mark(mark, rules))), None)
    return reason or Result(reply["result"], reply.get("annotation"), tuple(marks))


def read_leniently(reply: Json, fields: tuple[str, ...], rules: Rules) -> Result:
    """Return a malformed reply as one reads it who accepts it: an unknown key as if it were not, in marks neither.

    Raises UnpredictableError where that leaves it malformed.
    """
    known = only(reply, fields)
    if isinstance(known, dict) and isinstance(known.get("pending_marks"), list):
        known["pending_marks"] = [only(mark, rules.mark_fields) for mark in known["pending_marks"]]
    result = read_result(known, fields, rules)
    if isinstance(result, str):
        raise UnpredictableError(result)
    return result


def says_failed(result: Json) -> bool:
    """Tell whether a tool's own result says, in the form that has a name, that it is of a failure (EVT-035)."""
    if not isinstance(result, dict) or result.get("schema") != "nemo.relay.tool_result@1" or "result" not in result:
        return False
    return result.get("is_error") is True and isinstance(result.get("content", 0), str | list | None)
