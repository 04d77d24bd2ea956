"""The form of a log's records, and what the harness makes of it: kinds of errors, and cells by their names.

Enters: the log of an observation. Leaves: what is wrong with it, or the normalised log. Must not know requirements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bindproof.suite_api import Json, Pattern
from bindproof.suites.cells.asks import asked_again

_FORMS: Final[dict[str, dict[str, type]]] = {
    "done": {"step": int},
    "told": {"cell": str, "observation": str},
    "called": {"cell": str, "call": str, "input": object},
    "cancelled": {"cell": str, "call": str},
    "notified": {"cell": str, "note": str},
    "closed": {"cell": str},
    "answered": {"ask": int},
    "got": {"reply": dict},
    "ended": {"exit": int},
}
_EITHER: Final = {"done": ("value", "error"), "answered": ("value", "error"), "told": ("outcome", "error")}

Patterns = Sequence[tuple[str, Pattern]]


def invalid_record(log: list[Json]) -> str | None:
    """Say which record has the wrong form, or None when all are well formed."""
    for index, record in enumerate(log):
        form = _FORMS.get(str(record.get("fact")))
        if form is None:
            return f"log record {index} states no known fact; known: {', '.join(_FORMS)}"
        problem = _misfit(record, form)
        if problem is not None:
            return f"log record {index} ({record['fact']}): {problem}"
    return None


def _misfit(record: Json, form: dict[str, type]) -> str | None:
    for key, kind in form.items():
        if key not in record or not isinstance(record[key], kind) or type(record[key]) is bool:
            return f"{key!r} is missing or of the wrong type"
    either = _EITHER.get(record["fact"], ())
    if either and sum(key in record for key in either) != 1:
        return f"needs either {either[0]!r} or {either[1]!r}"
    if "error" in record and not _is_error(record["error"]):
        return "'error' needs type and message"
    more = record.keys() - {"fact", *form, *either}
    return f"it has no {sorted(more)[0]!r}" if more else None


def _is_error(error: Json) -> bool:
    return isinstance(error, dict) and all(isinstance(error.get(key), str) for key in ("type", "message"))


def lane_of(record: Json) -> str:
    """Return the lane of a record."""
    match record["fact"]:
        case "told":
            return f"told {record['observation']}"
        case "called" | "cancelled":
            return f"call {record['cell']}/{record['call']}"
        case "notified":
            return f"note {record['cell']}/{record['note']}"
        case "closed":
            return f"closed {record['cell']}"
    return "program"


def normalised(scenario: Json, log: list[Json], patterns: Patterns) -> list[Json]:
    """Return the log in which errors have a kind, and ids that the host gave are the names of their cells."""
    if "asks" in scenario:
        return asked_again(scenario["asks"], [_record(scenario, record, {}, patterns) for record in log])
    ids = _ids(scenario, log)
    return [_record(scenario, record, ids, patterns) for record in log]


def _ids(scenario: Json, log: list[Json]) -> dict[str, Json]:
    """Return the id that each cell was given, by its name; not one that another cell of its session has."""
    created = {n: step for n, step in enumerate(scenario.get("steps", ())) if step["step"] == "create"}
    found: dict[str, Json] = {}
    taken: set[tuple[str, str]] = set()
    for record in log:
        value = record.get("value")
        if record["fact"] == "done" and record["step"] in created and isinstance(value, dict) and "cell_id" in value:
            step = created[record["step"]]
            if (step["session"], str(value["cell_id"])) not in taken:
                taken.add((step["session"], str(value["cell_id"])))
                found[step["as"]] = value["cell_id"]
    return found


def _record(scenario: Json, record: Json, ids: dict[str, Json], patterns: Patterns) -> Json:
    if "error" in record:
        return record | {"error": _kinded(record["error"], patterns)}
    value = record.get("value")
    if record["fact"] == "told":
        return record | {"outcome": _outcome(record["outcome"], record["cell"], ids)}
    if record["fact"] != "done" or not isinstance(value, dict):
        return record
    step = scenario["steps"][record["step"]] if record["step"] < len(scenario.get("steps", ())) else {}
    if "outcome" in value:
        return record | {"value": value | {"outcome": _outcome(value["outcome"], step.get("cell"), ids)}}
    if step.get("as") in ids and value.get("cell_id") == ids[step["as"]]:
        return record | {"value": value | {"cell_id": f"cell:{step['as']}"}}
    if isinstance(value.get("errors"), list):
        return record | {"value": value | {"errors": [_kinded(one, patterns) for one in value["errors"]]}}
    return record


def _kinded(error: Json, patterns: Patterns) -> Json:
    if not _is_error(error):
        return error
    kind = next((kind for kind, pattern in patterns if pattern.search(error["message"])), "unknown")
    return {"kind": kind, **error}


def _outcome(outcome: Json, cell: Json, ids: dict[str, Json]) -> Json:
    if isinstance(outcome, dict) and cell in ids and outcome.get("cell_id") == ids[cell]:
        return outcome | {"cell_id": f"cell:{cell}"}
    return outcome
