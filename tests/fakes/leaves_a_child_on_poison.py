"""Starts a child that outlives it, tells its id, and hangs."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

from fake_adapter import FakeAdapter, write_all


class LeavesAChildOnPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        write_all(2, str(child.pid).encode())
        time.sleep(3600)


if __name__ == "__main__":
    LeavesAChildOnPoison().serve()
