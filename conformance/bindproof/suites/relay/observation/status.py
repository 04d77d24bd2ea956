"""What the metadata of an end says of how it came out: the keys, in the words of OpenTelemetry.

Enters: metadata. Leaves: whether it tells of a failure. Must not know what failed.
"""

from __future__ import annotations

from bindproof.core.model import Json

STATUS = "otel.status_code"
"""`OK`, or `ERROR` where it failed."""

DESCRIPTION = "otel.status_description"
"""What it failed of."""


def is_error(metadata: Json) -> bool:
    """Tell whether an end's metadata says that it failed."""
    return isinstance(metadata, dict) and metadata.get(STATUS) == "ERROR"
