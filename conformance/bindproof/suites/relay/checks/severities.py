"""How a severity may be spelled: MRK-013."""

from __future__ import annotations

from bindproof.core.model import Json

NAMES = ("trace", "debug", "info", "warn", "error")


def severity_named(severity: Json) -> Json:
    """Return the name of a severity, whatever its case and the white space around it; what is no text as it is."""
    if not isinstance(severity, str):
        return severity
    name = severity.strip().lower()
    return "warn" if name == "warning" else name
