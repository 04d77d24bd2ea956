"""The reference of the suite relay, for the fakes that differ from it in one thing."""

from __future__ import annotations

from pathlib import Path

from adapters.reference.adapter import Reference, References

WIRE = Path(__file__).resolve().parents[2] / "spec" / "relay" / "dialects" / "wire.toml"


class RelayReference(References):
    """The reference in edition 0.10 and the canonical spelling."""

    def __init__(self) -> None:
        super().__init__("0.10", 0, {"relay": Reference("bindproof_reference.relay", "0.10", str(WIRE))})
