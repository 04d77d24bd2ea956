"""Says that a registration of the guilty scenario stayed, and lets it show in every scenario after that."""

from __future__ import annotations

import json
from typing import Any

from fake_adapter import FakeAdapter


class LeavesARegistrationOnPoison(FakeAdapter):
    """Once poisoned, this process is not clean any more."""

    left = False

    def poisoned(self, request: int, scenario: Any) -> None:
        """Leave something behind."""
        self.left = True
        log = [{"fact": "settled"}]
        stays = [{"family": "subscriber", "name": "s"}]
        self.reply(request, {"observation": {"log": log, "left": stays, "stray": []}})

    def act(self, request: int, scenario: Any) -> None:
        """Answer, and refuse to be clean after the poison."""
        if self.left:
            self.write(json.dumps({"jsonrpc": "2.0", "id": request, "error": {"code": -32000, "message": "polluted"}}))
        else:
            super().act(request, scenario)


if __name__ == "__main__":
    LeavesARegistrationOnPoison().serve()
