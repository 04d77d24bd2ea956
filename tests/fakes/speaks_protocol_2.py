"""Answers initialize with a protocol version that was not offered."""

from __future__ import annotations

from fake_adapter import FakeAdapter


class SpeaksProtocol2(FakeAdapter):
    protocol_version = 2


if __name__ == "__main__":
    SpeaksProtocol2().serve()
