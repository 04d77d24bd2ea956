"""Whether what came out of a scenario is what its vector says.

Enters: what is expected, the normalised log. Leaves: evidence of what differs, none where nothing does. Must not know
checks or the reference.

What came out is the last record with a member `value` or `error`; of an error the `kind` counts.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET

from bindproof.core.model import EVERY_LANE, Evidence, Expect, Json
from bindproof.judge.match import Bindings
from bindproof.judge.record_differences import record_differences


def failures_of(expect: Expect, log: list[Json], lane_of: Callable[[Json], str]) -> list[Evidence]:
    """Return what differs from what is expected."""
    wanted: Json = {"error": expect.error} if expect.value is UNSET else {"value": expect.value}
    found = [(at, record) for at, record in enumerate(log) if isinstance(record, dict) and _came_out(record)]
    if not found:
        text = "nothing came out: no record has a value or an error"
        return [Evidence(EVERY_LANE, text, None, wanted, "(nothing)")]
    at, record = found[-1]
    lane, seen = lane_of(record), _came_out(record)
    if seen.keys() != wanted.keys():
        (came,), (should,) = seen, wanted
        article = {"error": "an error", "value": "a value"}
        return [Evidence(lane, f"{article[came]} came out, and not {article[should]}", at, wanted, seen)]
    if "error" in wanted:
        kind = _kind(seen["error"])
        text = "an error of another kind came out"
        return [] if kind == expect.error else [Evidence(lane, text, at, expect.error, seen["error"], "/error")]
    return [
        Evidence(lane, "another value came out", at, one.expected, one.observed, f"/value{one.pointer}")
        for one in record_differences(wanted["value"], seen["value"], Bindings())
    ]


def _came_out(record: dict[str, Json]) -> dict[str, Json]:
    """Return the error of a record, else its value, else nothing."""
    return next(({name: record[name]} for name in ("error", "value") if name in record), {})


def _kind(error: Json) -> Json:
    return error.get("kind") if isinstance(error, dict) else error
