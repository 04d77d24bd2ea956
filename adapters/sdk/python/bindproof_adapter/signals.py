"""The exceptions that mean something to the protocol; each may be raised from anywhere while a scenario runs.

Enters: nothing. Leaves: exception classes. Must not know the protocol's messages or any binding.
"""

from __future__ import annotations


class Stop(Exception):  # noqa: N818 - some of its kind are no errors
    """A scenario that cannot be acted out to its end; the subclass says whose matter that is."""


class Unsupported(Stop):
    """This adapter lacks a capability that the scenario needs."""

    def __init__(self, capability: str, reason: str) -> None:
        super().__init__(f"{capability}: {reason}")
        self.capability = capability
        self.reason = reason


class Inexpressible(Stop):
    """The binding's language or types cannot say what the scenario asks for; `path` names the place."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class AdapterFault(Stop):
    """The adapter, its set-up or the scenario's program is at fault, never the binding: answered with error -32000."""
