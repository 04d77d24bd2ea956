"""Checks of the chapter *Shapes* (SHP)."""

from __future__ import annotations

from collections.abc import Iterable

from bindproof.suite_api import Evidence, Json
from bindproof.suites.cells.checks.common import Check, Found, differs, each, register, wrong
from bindproof.suites.cells.output import DETAILS
from bindproof.suites.cells.reading import Answer, Reading

CHECKS: dict[str, Check] = {}


def _outcomes(reading: Reading, *kinds: str) -> list[Answer]:
    return [one for one in reading.answers if one.kind is not None and (not kinds or one.kind in kinds)]


def _one_of(reading: Reading, asked: bool, kinds: tuple[str, ...]) -> Found:
    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        text = f"the outcome is {', '.join(kinds[:-1])} or {kinds[-1]}"
        return [] if one.kind in kinds else [wrong(reading, one.index, text, list(kinds), one.kind)]

    return each(reading, [one for one in reading.answers if one.error is None and one.asked == asked], judge)


@register(CHECKS, "SHP-001")
def observations(reading: Reading) -> Found:
    """An observation has one of four outcomes."""
    return _one_of(reading, False, ("yielded", "completed", "terminated", "missing"))


@register(CHECKS, "SHP-002")
def terminations(reading: Reading) -> Found:
    """A termination has one of three."""
    return _one_of(reading, True, ("completed", "terminated", "missing"))


def _members(reading: Reading, kinds: tuple[str, ...], members: tuple[str, ...]) -> Found:
    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        return differs(reading, one.index, f"{one.kind} has these members", sorted(members), sorted(one.outcome))

    return each(reading, _outcomes(reading, *kinds), judge)


@register(CHECKS, "SHP-003")
def plain_members(reading: Reading) -> Found:
    """What yielded or was terminated has its id and its items."""
    return _members(reading, ("yielded", "terminated"), ("type", "cell_id", "content_items"))


@register(CHECKS, "SHP-004")
def completed_members(reading: Reading) -> Found:
    """What is completed has an error text besides, which may be null and may not be left out."""

    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        members = ["cell_id", "content_items", "error_text", "type"]
        found = differs(reading, one.index, "completed has these members", members, sorted(one.outcome))
        error = one.outcome.get("error_text")
        if not found and not (error is None or isinstance(error, str)):
            found = [wrong(reading, one.index, "the error text is a text or null", None, error)]
        return found

    return each(reading, _outcomes(reading, "completed"), judge)


@register(CHECKS, "SHP-005")
def missing_members(reading: Reading) -> Found:
    """What is missing has its id alone."""
    return _members(reading, ("missing",), ("type", "cell_id"))


@register(CHECKS, "SHP-006")
def ids(reading: Reading) -> Found:
    """An outcome has the id that was asked for."""

    def judge(reading: Reading, one: Answer) -> list[Evidence]:
        asked = f"cell:{one.cell}" if one.cell in reading.cells else one.cell
        if one.foreign:
            return []  # its id is that of a cell of another session: SES-007
        return differs(reading, one.index, "the outcome has the id of its cell", asked, one.outcome.get("cell_id"))

    return each(reading, _outcomes(reading), judge)


@register(CHECKS, "SHP-007")
def items(reading: Reading) -> Found:
    """An item is a text or an image; a detail that is absent is left out."""

    def judge(reading: Reading, one: Answer) -> Iterable[Evidence]:
        for item in one.items:
            if not _is_item(item):
                text = "an item is a text, or an image with a detail or without"
                yield wrong(reading, one.index, text, {"type": "input_text", "text": "…"}, item)

    return each(reading, [one for one in _outcomes(reading) if one.items], judge)


def _is_item(item: Json) -> bool:
    if not isinstance(item, dict):
        return False
    if item.get("type") == "input_text":
        return set(item) == {"type", "text"} and isinstance(item["text"], str)
    if item.get("type") != "input_image" or not isinstance(item.get("image_url"), str):
        return False
    return (
        set(item) in ({"type", "image_url"}, {"type", "image_url", "detail"}) and item.get("detail", "auto") in DETAILS
    )
