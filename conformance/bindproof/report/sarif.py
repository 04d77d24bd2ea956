"""The report as SARIF: a result for each divergence and each fault, those that are known suppressed with their reason.

Enters: what is told of a log. Leaves: JSON. Must not know who reads it.
Source: OASIS, Static Analysis Results Interchange Format (SARIF) 2.1.0.
"""

from __future__ import annotations

import hashlib
from typing import Any, TextIO

from bindproof.core.sarif import in_file, sarif_log
from bindproof.report import Report
from bindproof.report.told import Fault, KnownFault, Shown, Stale, Target, Told
from bindproof.report.whole import Whole, as_json
from bindproof.results.fold import EXIT_DIVERGENCE, EXIT_OK

LEVELS = {"MUST": "error", "SHOULD": "warning"}
"""What a broken requirement of a level is; of any other it is a note."""

JUDGED = (EXIT_OK, EXIT_DIVERGENCE)
"""The exit codes of a run that judged what it was asked to."""


def report(stream: TextIO) -> Report:
    """Return the report (see `bindproof.report.REPORTS`)."""
    return Whole(_sarif, stream)


def _sarif(told: Told) -> str:
    rules = {one.requirement: one for one in told.divergences}
    results = [
        *map(_divergence, told.divergences),
        *map(_fault, told.faults),
        *map(_known_fault, told.known_faults),
        *map(_stale, told.stale),
    ]
    invocation = {
        "executionSuccessful": told.exit in JUDGED,
        "exitCode": told.exit,
        "exitCodeDescription": told.why,
        "toolExecutionNotifications": [_unready(one) for one in told.targets if one.state != "ready"],
    }
    return as_json(sarif_log(told.bindproof, [*map(_rule, rules.values())], results, invocations=[invocation]))


def _rule(one: Shown) -> dict[str, Any]:
    return {
        "id": one.requirement,
        "shortDescription": {"text": one.title or one.requirement},
        "fullDescription": {"text": one.statement or one.title or one.requirement},
        "defaultConfiguration": {"level": LEVELS.get(one.level, "note")},
        "help": {"text": one.explain},
    }


def _divergence(one: Shown) -> dict[str, Any]:
    failures = [f"{failure.lane}: {failure.text}" for failure in one.failures[:3]]
    title = f"{one.requirement} is broken on {one.adapter}: {one.title}"
    result = _result(one.requirement, LEVELS.get(one.level, "note"), one.adapter, one.vector)
    location = result["locations"][0]
    if one.origin in ("vector", "twin") and one.vector.startswith(f"{one.suite}/"):
        name = one.vector.removeprefix(f"{one.suite}/")
        name = name.removesuffix("+twin") if one.origin == "twin" else name
        location["physicalLocation"] = in_file(f"spec/{one.suite}/vectors/{name}.json", 1)
    result["message"] = {"text": "\n".join([title, *failures, one.replay])}
    return result | ({"suppressions": [_because(one.because)]} if one.known else {})


def _fault(one: Fault) -> dict[str, Any]:
    text = "\n".join([f"{one.outcome.replace('_', ' ')} of {one.adapter}: {one.reason}", one.replay])
    return _result(f"outcome/{one.outcome}", "error", one.adapter, one.vector) | {"message": {"text": text}}


def _known_fault(one: KnownFault) -> dict[str, Any]:
    text = f"{one.outcome.replace('_', ' ')} of {one.adapter}: {', '.join(one.vectors)}\n{one.replay}"
    result = _result(f"outcome/{one.outcome}", "error", one.adapter, one.vectors[0])
    return result | {"message": {"text": text}, "suppressions": [_because(one.because)]}


def _stale(one: Stale) -> dict[str, Any]:
    text = f"{one.requirement} on {one.adapter} is expected in {one.source} and did not occur: remove it"
    return _result("stale-expectation", "error", one.adapter, one.requirement) | {"message": {"text": text}}


def _result(rule: str, level: str, adapter: str, scenario: str) -> dict[str, Any]:
    """The parts that all results have; a fingerprint tells one run's from the next."""
    fingerprint = hashlib.sha256(f"{rule}\n{adapter}\n{scenario}".encode(errors="replace")).hexdigest()
    return {
        "ruleId": rule,
        "level": level,
        "partialFingerprints": {"requirementAdapterScenario/v1": fingerprint},
        "locations": [{"logicalLocations": [{"name": scenario, "fullyQualifiedName": f"{adapter}/{scenario}"}]}],
    }


def _because(reason: str) -> dict[str, str]:
    return {"kind": "external", "justification": reason or "an expectation names it"}


def _unready(one: Target) -> dict[str, Any]:
    level = "error" if one.required or one.state == "failed" else "note"
    return {"level": level, "message": {"text": f"adapter {one.name} {one.state}: {one.reason}"}}
