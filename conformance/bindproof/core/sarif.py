"""The envelope of a SARIF log, which is the same whatever its results are about.

Enters: the parts of a run. Leaves: plain JSON. Must not know what a result says.
Source: OASIS, Static Analysis Results Interchange Format (SARIF) 2.1.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

Json = dict[str, Any]

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif_log(version: str, rules: Sequence[Json], results: Sequence[Json], **run: Any) -> Json:
    """Return a log of one run of bindproof.

    version: bindproof's. rules: those that have more than an id; the others that results name join them. run: what the
    run has besides.
    """
    known = {rule["id"] for rule in rules}
    more = [{"id": name} for name in dict.fromkeys(one["ruleId"] for one in results) if name not in known]
    driver = {"name": "bindproof", "version": version, "rules": [*rules, *more]}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, **run, "columnKind": "unicodeCodePoints", "results": list(results)}],
    }


def in_file(path: str, line: int) -> Json:
    """Return a place in a file. path: below the repository; line: from 1."""
    return {"artifactLocation": {"uri": quote(path)}, "region": {"startLine": line}}
