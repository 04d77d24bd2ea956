"""A binding that is one function: a scenario is one call, and the record is its value or its error.

Enters: the function. Leaves: a target for `serve`. Must not know what is called.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Any

from bindproof_adapter.signals import Stop
from bindproof_adapter.spelling import spelled

Json = Any


class Function:
    """What an adapter drives: one call for each scenario.

    target, version: the package's own. suite, dialect: what it speaks. call: takes the scenario; its value may be what
    JSON lacks, and what it raises is the record's error, by the type's name and the message.
    """

    def __init__(self, target: str, version: str, suite: str, dialect: str, call: Callable[[Json], Any]) -> None:
        runtime = f"{platform.python_implementation()} {platform.python_version()}"
        said = {"name": target, "version": version, "language": "python", "runtime": runtime}
        self._said = {"target": said, "suites": {suite: {"dialect": dialect}}}
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
