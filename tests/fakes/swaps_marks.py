"""The reference, but for a subscriber that is told of two marks of a call in the wrong order."""

from __future__ import annotations

from typing import Any

from relay_reference import RelayReference

from bindproof_adapter import serve


class SwapsMarks(RelayReference):
    """Swaps the first two mark events of a log."""

    def run(self, suite: str, scenario: Any) -> Any:
        """Return an observation in which two marks have changed places, unless calls ran at once: in no order then."""
        observation = super().run(suite, scenario)
        if any(step["step"] == "storm" for step in scenario.get("steps", ())):
            return observation
        events = [record for record in observation["log"] if record["fact"] == "event"]
        marks = [record for record in events if record["event"]["kind"] == "mark"]
        if len(marks) > 1:
            first, second = marks[:2]
            first["event"], second["event"] = second["event"], first["event"]
        return observation


if __name__ == "__main__":
    serve("swaps-marks", "1", SwapsMarks)
