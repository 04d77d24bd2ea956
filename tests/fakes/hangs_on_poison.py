"""Never answers the guilty scenario."""

from __future__ import annotations

import time
from typing import Any

from fake_adapter import FakeAdapter


class HangsOnPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        time.sleep(3600)


if __name__ == "__main__":
    HangsOnPoison().serve()
