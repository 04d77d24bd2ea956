"""Findings as text for people: on a terminal, or as Markdown for a code review.

Enters: Findings. Leaves: text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

import msgspec

from bindproof.core.counting import plural
from bindproof.core.model import Json
from bindproof.evolve.answers import MEANINGS, Answer, Decision, Direction
from bindproof.evolve.difference import Difference
from bindproof.evolve.findings import Findings

LONGEST: Final = 300
"""Characters of a witness that are shown; `--json` has it whole."""

OUTCOMES: Final = {
    "compatible": "compatible: nothing that one side writes is refused by the other",
    "breaking": "breaking",
    "unknown": "unknown, which blocks as a break does",
    "nothing": "nothing compared: the two sides have no schema and no requirement in common",
}


def text(findings: Findings) -> str:
    """Return the report for a terminal."""
    lines = [f"{findings.old} → {findings.new}", ""]
    for decision in findings.each:
        lines.extend(_lines(findings, decision))
    if findings.together is not None and len(findings.schemas) > 1:
        lines.append("all differences of schemas together")
        lines.extend(_answers(findings, findings.together))
    lines.append(f"{plural(len(findings.each), 'difference')}: {OUTCOMES[findings.outcome()]}")
    return "\n".join(lines)


def _lines(findings: Findings, decision: Decision) -> Iterator[str]:
    one = decision.difference
    if one is None:
        return
    yield f"{place_of(findings, one)}: {one.kind} at {name_of(one)} [{one.fingerprint}]"
    yield from _answers(findings, decision)


def _answers(findings: Findings, decision: Decision) -> Iterator[str]:
    for direction in findings.directions:
        answer = decision.answer(direction)
        yield f"  {answer.grade:<8}{verdict(answer):<9} {decision.meaning(direction)}: {answer.why}"
        if answer.witness is not msgspec.UNSET:
            yield f"           {answer.entry}: {shown(answer.witness)}"
    yield ""


def verdict(answer: Answer) -> str:
    """Return what an answer says in one word."""
    return "breaking" if answer.breaks else "safe" if answer.is_safe else "unknown"


def name_of(one: Difference) -> str:
    """Return what a difference is called: its pointer, or the id of a requirement."""
    if one.file.endswith(".md"):
        return str(one.place[0])
    return one.pointer or "the whole file"


def path_of(findings: Findings, one: Difference) -> str:
    """Return the path of a difference's file, below the working folder."""
    if one.file.endswith(".md"):
        return one.file
    return (findings.old_place if one.new is msgspec.UNSET else findings.new_place) + one.file


def place_of(findings: Findings, one: Difference) -> str:
    """Return a difference's file and line; before them the revision that has them, where that is not what is there."""
    old, new = findings.revisions
    return f"{old if one.new is msgspec.UNSET else new}{path_of(findings, one)}:{one.line}"


def markdown(findings: Findings) -> str:
    """Return the report as Markdown."""
    lines = [f"## `{findings.old}` → `{findings.new}`", "", f"**{OUTCOMES[findings.outcome()]}**", ""]
    heads = [MEANINGS[direction] for direction in findings.directions]
    if findings.each:
        lines += [f"| difference | {' | '.join(heads)} |", f"|-|{'-|' * len(heads)}"]
        for decision in findings.each:
            lines.append(_row(findings, decision, str(decision.difference and _label(findings, decision.difference))))
        if findings.together is not None and len(findings.schemas) > 1:
            lines.append(_row(findings, findings.together, "all of the schemas together"))
    return "\n".join(lines)


def _label(findings: Findings, one: Difference) -> str:
    place = code(place_of(findings, one))
    return f"{cell(one.kind)} {code(name_of(one))}<br>{place} {one.fingerprint}"


def _row(findings: Findings, decision: Decision, label: str) -> str:
    cells = []
    for direction in findings.directions:
        answer = decision.answer(direction)
        witness = "" if answer.witness is msgspec.UNSET else f"<br>{code(shown(answer.witness))}"
        cells.append(f"**{verdict(answer)}** ({answer.grade}) {cell(answer.why)}{witness}")
    return f"| {label} | {' | '.join(cells)} |"


def code(value: str) -> str:
    """Return a text of strangers such that a page shows it as it is."""
    tick = "``" if "`" in value else "`"
    return f"{tick}{value.replace('|', chr(92) + '|')}{tick}"


def cell(value: str) -> str:
    """Return a text of strangers as a cell of a table."""
    escaped = value.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("\n", " ")
    return escaped.replace("[", "\\[").replace("`", "\\`")


def shown(value: Json) -> str:
    """Return a value as JSON, no longer than is read."""
    said = json.dumps(value, ensure_ascii=False)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"


def direction_of(word: str) -> tuple[Direction, ...]:
    """Return the directions that an option names."""
    named: dict[str, tuple[Direction, ...]] = {
        "both": ("old_to_new", "new_to_old"),
        "old-to-new": ("old_to_new",),
        "new-to-old": ("new_to_old",),
    }
    return named[word]
