"""What the contract allows to be seen of a scenario: lanes of records, and which come later than which.

Enters: a complete scenario, an edition's name, the dialect as plain data. Leaves: a prediction
`{"lanes": {lane: [record]}, "after": [[lane, position, lane, position]]}`: the first two say what comes later than the
last two. The lane `program` holds steps; `told O` what the observation O came back with, `call C/N`, `note C/N` and
`closed C` what the cell C called, sent and how it was closed.
"""

from __future__ import annotations

from bindproof_reference.cells import asks, connection
from bindproof_reference.cells.record import Json, Records
from bindproof_reference.cells.sessions import Host

EDITIONS = ("0.169",)
INITIAL = "cancel.initial"
"""A dialect that has this among what is inexpressible cannot cancel a first observation."""
FRAMES = "frames"
"""One that has this has another wire than the shipped one."""
ASKS = "asks"
"""One that has this has no operations apart."""


def predict(scenario: Json, edition: str, dialect: Json) -> Json:
    """Return the prediction of one scenario; raises ValueError for what is left to chance."""
    if edition not in EDITIONS:
        raise ValueError(f"the reference knows no edition {edition!r}; it knows {', '.join(EDITIONS)}")
    if "frames" in scenario:
        records = Records()
        connection.act(scenario["frames"], records)
    elif "asks" in scenario:
        records = Records()
        asks.act(scenario["asks"], records)
    else:
        host = Host()
        for number, step in enumerate(scenario["steps"]):
            host.act(number, step)
        host.finish()
        records = host.records
    for entry in dialect.get("inexpressible", ()):
        if entry["path"] in _asked_for(scenario):
            return {"inexpressible": entry}
    return {"lanes": records.lanes, "after": records.after}


def _asked_for(scenario: Json) -> set[str]:
    """Return what a scenario asks for of what a dialect may be without."""
    if "frames" in scenario:
        return {FRAMES}
    if "asks" in scenario:
        return {ASKS}
    steps = scenario["steps"]
    cells = {step["as"] for step in steps if step["step"] == "create"}
    return {INITIAL} if any(step["step"] == "cancel" and step["of"] in cells for step in steps) else set()
