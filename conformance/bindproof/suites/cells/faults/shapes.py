"""Faults of the chapter *Shapes* (SHP)."""

from __future__ import annotations

from bindproof.suite_api import Fault
from bindproof.suites.cells.faults.spoiled import Spoiled, first, plant

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "paused", "a missing cell is told to be paused", "SHP-001", also=("END-006", "END-007"))
def _(spoiled: Spoiled) -> bool:
    found = (one for one in spoiled.reading.answers if one.kind == "missing" and not one.asked and not one.foreign)
    return first(found, lambda one: spoiled.edit(one, type="paused"))


@plant(FAULTS, "terminate_yields", "a termination of a missing cell yields", "SHP-002", also=("END-006", "END-007"))
def _(spoiled: Spoiled) -> bool:
    found = (one for one in spoiled.reading.answers if one.kind == "missing" and one.asked and not one.foreign)
    return first(found, lambda one: spoiled.edit(one, type="yielded", content_items=[]))


@plant(FAULTS, "yield_with_error", "what yielded has an error text", "SHP-003")
def _(spoiled: Spoiled) -> bool:
    return first(spoiled.answers("yielded"), lambda one: spoiled.edit(one, error_text=None))


@plant(FAULTS, "no_error_text", "an error text that is null is left out", "SHP-004")
def _(spoiled: Spoiled) -> bool:
    found = (one for one in spoiled.answers("completed") if one.outcome.get("error_text", "") is None)
    return first(found, lambda one: spoiled.outcome(one, {k: v for k, v in one.outcome.items() if k != "error_text"}))


@plant(FAULTS, "missing_with_items", "what is missing has items", "SHP-005")
def _(spoiled: Spoiled) -> bool:
    found = (one for one in spoiled.reading.answers if one.kind == "missing")
    return first(found, lambda one: spoiled.edit(one, content_items=[]))


@plant(FAULTS, "other_id", "an outcome has another id", "SHP-006")
def _(spoiled: Spoiled) -> bool:
    return first(spoiled.answers("yielded", "completed"), lambda one: spoiled.edit(one, cell_id="planted"))


@plant(FAULTS, "null_detail", "a detail that is absent is null", "SHP-007")
def _(spoiled: Spoiled) -> bool:
    for one in spoiled.answers("yielded", "completed"):
        program = spoiled.cell(one).program
        images = [do for do in program if do["do"] == "image"]
        if images and all(do["detail"] is None for do in images):
            items = [item | {"detail": None} if item["type"] == "input_image" else item for item in one.items]
            if items != one.items:
                return spoiled.edit(one, content_items=items)
    return False
