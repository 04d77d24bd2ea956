"""The reference, but for the first subscriber that it was ever given: that one stays, and nobody is told."""

from __future__ import annotations

from typing import Any

from relay_reference import RelayReference

from bindproof_adapter import serve


class ForgetsToDeregister(RelayReference):
    """Keeps the first subscriber, so that its events stand in the logs of later scenarios."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[Any] = []

    def run(self, suite: str, scenario: Any) -> Any:
        """Return an observation with what the kept subscriber was told."""
        observation = super().run(suite, {"steps": [*self._kept, *scenario["steps"]]})
        registered = [step["as"] for step in self._kept]
        log = [record for record in observation["log"] if record.get("step") not in registered]
        if not self._kept:
            found = [step for step in scenario["steps"] if step.get("family") == "subscriber"]
            self._kept = [{**step, "as": "forgotten", "name": "forgotten"} for step in found[:1]]
        return observation | {"log": log}


if __name__ == "__main__":
    serve("forgets-to-deregister", "1", ForgetsToDeregister)
