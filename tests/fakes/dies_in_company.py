"""Dies whenever several requests have arrived; no scenario is guilty."""

from __future__ import annotations

import os

from fake_adapter import FakeAdapter


class DiesInCompany(FakeAdapter):
    def read(self, lines: list[bytes]) -> None:
        if len(lines) > 1:
            os._exit(5)
        super().read(lines)


if __name__ == "__main__":
    DiesInCompany().serve()
