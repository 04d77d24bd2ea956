"""The report as one JSON document, and its schema.

Enters: what is told of a log. Leaves: JSON. Must not know how any of it came about.
"""

from __future__ import annotations

from typing import TextIO

import msgspec

from bindproof.report import Report
from bindproof.report.told import Told
from bindproof.report.whole import Whole, as_json

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def report(stream: TextIO) -> Report:
    """Return the report (see `bindproof.report.REPORTS`)."""
    return Whole(as_json, stream)


def schema() -> str:
    """Return the JSON schema of what the report is."""
    return as_json({"$schema": DIALECT, "title": "A report of bindproof", **msgspec.json.schema(Told)})
