"""The reference, but for a scenario with pending marks: it leaves an intercept and says so; later ones see no event."""

from __future__ import annotations

from typing import Any

from relay_reference import RelayReference

from bindproof_adapter import serve


class LeavesMarksRegistered(RelayReference):
    """Is not clean any more once a scenario had marks; events of every later one are lost."""

    left: Any = ()

    def run(self, suite: str, scenario: Any) -> Any:
        """Return an observation that says what stayed, or one without events after that."""
        observation = super().run(suite, scenario)
        if self.left:
            observation["log"] = [record for record in observation["log"] if record["fact"] != "event"]
        elif "pending_marks" in str(scenario):
            self.left = [{"family": "llm.request", "name": "i"}]
        return observation | {"left": list(self.left)}


if __name__ == "__main__":
    serve("leaves-marks-registered", "1", LeavesMarksRegistered)
