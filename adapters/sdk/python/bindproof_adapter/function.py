"""A binding that is one function: a scenario is one call, and the record is its value or its error.

Enters: the function. Leaves: a target for `serve`. Must not know what is called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bindproof_adapter.signals import Stop
from bindproof_adapter.spelling import spelled
from bindproof_adapter.versions import described

Json = Any


class Function:
    """What an adapter drives: one call for each scenario.

    target, version: the package's own. suite, dialect: what it speaks. call: takes the scenario; its value may be what
    JSON lacks, and what it raises is the record's error, by the type's name and the message.
    """

    def __init__(self, target: str, version: str, suite: str, dialect: str, call: Callable[[Json], Any]) -> None:
        self._said = described(suite, target, version, "python", dialect=dialect)
        self._call = call

    def describe(self) -> Json:
        """Return what is driven, and in which dialect."""
        return self._said

    def run(self, suite: str, scenario: Json) -> Json:
        """Make one call."""
        try:
            value = self._call(scenario)
        except Stop:
            raise
        except Exception as error:
            return {"log": [{"fact": "result", "error": {"type": type(error).__name__, "message": str(error)}}]}
        return {"log": [{"fact": "result", "value": spelled(value)}]}
