"""The reference, but slow: there is time to interrupt it."""

from __future__ import annotations

import time
from typing import Any

from relay_reference import RelayReference

from bindproof_adapter import serve


class TakesItsTime(RelayReference):
    """Rests before each scenario."""

    def run(self, suite: str, scenario: Any) -> Any:
        """Return one lawful observation of a scenario, later."""
        time.sleep(0.05)
        return super().run(suite, scenario)


if __name__ == "__main__":
    serve("takes-its-time", "1", TakesItsTime)
