"""What a binding shows that takes the defect of a negative.

Enters: the negative as it is sent, the log of its twin, the lawful log. Leaves: a log. Must not know checks.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import scripts
from bindproof.suites.relay.scenario.complete import all_steps


def taking(spelled: Json, taken: list[Json], refused: list[Json]) -> list[Json]:
    """Return the twin's log with the defective replies in it, without what only the twin asks for.

    taken: the twin's log; refused: the lawful log, whose refusals carry the replies. Both are left as they are.
    """
    replies = {(record["callback"], record["k"]): record["reply"] for record in refused if "reply" in record}
    steps = all_steps(spelled)
    named = {None, *(step["as"] for step in steps), *(callback for step in steps for callback, _ in scripts(step))}
    ours = [record for record in taken if {record.get("step"), record.get("callback")} <= named]
    return [_replied(record, replies) for record in ours]


def _replied(record: Json, replies: dict[tuple[str, int], Json]) -> Json:
    key = record.get("callback"), record.get("k")
    return {**record, "reply": replies[key]} if record["fact"] == "leave" and key in replies else record
