"""Findings for programs: JSON, and SARIF 2.1.0, which code reviews show beside the changed lines.

Enters: Findings. Leaves: text.
"""

from __future__ import annotations

import json
from typing import Final

import msgspec

from bindproof import __version__
from bindproof.core.model import Json
from bindproof.core.sarif import in_file, sarif_log
from bindproof.evolve.answers import Answer, Decision
from bindproof.evolve.findings import Findings
from bindproof.evolve.references import named
from bindproof.evolve.words import name_of, path_of, verdict

_LEVELS: Final = {"breaking": "error", "unknown": "warning"}


def as_json(findings: Findings) -> str:
    """Return all that was found, as one JSON object."""
    return json.dumps(
        {
            "old": findings.old,
            "new": findings.new,
            "directions": list(findings.directions),
            "outcome": findings.outcome(),
            "differences": [_decision(findings, decision) for decision in findings.each],
            "together": findings.together and _decision(findings, findings.together),
        },
        ensure_ascii=False,
        indent=2,
    )


def _decision(findings: Findings, decision: Decision) -> Json:
    answers = {direction: _answer(decision.answer(direction)) for direction in findings.directions}
    one = decision.difference
    if one is None:
        return answers
    sides = {side: named(value) for side, value in (("old", one.old), ("new", one.new)) if value is not msgspec.UNSET}
    return {
        "file": path_of(findings, one),
        "line": one.line,
        "pointer": one.pointer,
        "kind": one.kind,
        "fingerprint": one.fingerprint,
        **sides,
        **answers,
    }


def _answer(answer: Answer) -> Json:
    told: Json = {"grade": answer.grade, "verdict": verdict(answer), "why": answer.why}
    if answer.witness is not msgspec.UNSET:
        told |= {"witness": answer.witness, "entry": answer.entry}
    return told


def sarif(findings: Findings) -> str:
    """Return what breaks, and what nobody knows, as a SARIF log."""
    results = [
        _result(findings, decision, answer, decision.meaning(direction))
        for decision in findings.each
        for direction in findings.directions
        if not (answer := decision.answer(direction)).is_safe
    ]
    return json.dumps(sarif_log(__version__, (), results), ensure_ascii=False, indent=2)


def _result(findings: Findings, decision: Decision, answer: Answer, meaning: str) -> Json:
    one = decision.difference
    if one is None:
        raise ValueError("all differences together have no place")
    shown = "" if answer.witness is msgspec.UNSET else f" {json.dumps(answer.witness, ensure_ascii=False)}"
    return {
        "ruleId": one.kind,
        "level": _LEVELS[verdict(answer)],
        "message": {"text": f"{name_of(one)}: {verdict(answer)} for {meaning} ({answer.grade}). {answer.why}{shown}"},
        "locations": [{"physicalLocation": in_file(path_of(findings, one), one.line)}],
        "partialFingerprints": {"bindproof/v1": f"{one.fingerprint}:{meaning}"},
    }
