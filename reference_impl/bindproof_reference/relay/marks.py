"""Chapter *Pending marks* (MRK): which pending marks are well formed, and the event that each becomes.

Enters: a pending mark in canonical spelling. Leaves: the reason why it is refused, or the fields of its event.
"""

from __future__ import annotations

from bindproof_reference.relay.editions import Rules
from bindproof_reference.relay.values import Json

PROFILE_TEXTS = ("model_name", "tool_call_id", "subtype")
"""The keys of a category profile that hold text or null; other keys are free."""

SEVERITIES = {name: name for name in ("trace", "debug", "info", "warn", "error")} | {"warning": "warn"}
"""What a severity may be called, less its case and the white space around it → its name (MRK-013)."""
SEVERITY_KEY = "nemo_relay.log.severity"

MARK_OFFSET_NS = 1000
"""A pending mark's time less its start's, in nanoseconds (MRK-003)."""


def malformed_mark(mark: Json, rules: Rules) -> str | None:
    """Say why a value is no pending mark, or None when it is one."""
    if not isinstance(mark, dict):
        return "a pending mark is no object"
    if not isinstance(mark.get("name"), str):  # MRK-007
        return "a pending mark has no name"
    unknown = sorted(mark.keys() - set(rules.mark_fields))  # MRK-008
    if unknown:
        return f"a pending mark has an unknown key {unknown[0]!r}"
    if not isinstance(mark.get("category"), str | None):
        return "a pending mark's category is no text"
    if mark.get("severity") is not None and severity_named(mark["severity"]) is None:
        return "a pending mark's severity is unknown"
    return _malformed_profile(mark.get("category_profile")) or _malformed_schema(mark.get("data_schema"))


def severity_named(severity: Json) -> str | None:
    """Return the name of a severity, None for what is none (MRK-013)."""
    return SEVERITIES.get(severity.strip(" \t\r\n").lower()) if isinstance(severity, str) else None


def _malformed_profile(profile: Json) -> str | None:
    if profile is None:
        return None
    if not isinstance(profile, dict):
        return "a pending mark's category profile is no object"
    if not all(isinstance(profile.get(key), str | None) for key in PROFILE_TEXTS):
        return "a pending mark's category profile has a field of the wrong type"
    return None


def _malformed_schema(schema: Json) -> str | None:
    if schema is None:
        return None
    if not isinstance(schema, dict) or not all(isinstance(schema.get(key), str) for key in ("name", "version")):
        return "a pending mark's data schema needs a name and a version"
    return None


def mark_fields(mark: Json) -> dict[str, Json]:
    """Return the fields that a mark's spec decides on its event (MRK-006, MRK-012); absent ones are null."""
    return {
        "name": mark["name"],
        "category": mark.get("category"),
        "category_profile": _profile(mark.get("category_profile")),
        "data": mark.get("data"),
        "data_schema": _schema(mark.get("data_schema")),
        "metadata": _metadata(mark.get("metadata"), mark.get("severity")),
    }


def full_form(mark: Json, rules: Rules) -> dict[str, Json]:
    """Return a pending mark with every field present, as the standalone helper gives it back (OUT-009)."""
    whole = {field: mark.get(field) for field in rules.mark_fields}
    whole["category_profile"] = _profile(whole["category_profile"])
    if whole.get("severity") is not None:
        whole["severity"] = severity_named(whole["severity"])
    if "data_schema" in whole:
        whole["data_schema"] = _schema(whole["data_schema"])
    return whole


def _profile(profile: Json) -> Json:
    if profile is None:
        return None
    return {key: value for key, value in profile.items() if value is not None or key not in PROFILE_TEXTS}


def _schema(schema: Json) -> Json:
    return None if schema is None else {"name": schema["name"], "version": schema["version"]}


def _metadata(metadata: Json, severity: str | None) -> Json:
    if severity is None:
        return metadata
    return {**(metadata if isinstance(metadata, dict) else {}), SEVERITY_KEY: severity_named(severity)}
