"""Does not answer shutdown, and does not end."""

from __future__ import annotations

import time

from fake_adapter import FakeAdapter


class NeverShutsDown(FakeAdapter):
    def shutdown(self, request: int) -> None:
        time.sleep(3600)


if __name__ == "__main__":
    NeverShutsDown().serve()
