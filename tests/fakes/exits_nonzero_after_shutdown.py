"""Answers shutdown as it should, then ends with status 7."""

from __future__ import annotations

import os

from fake_adapter import FakeAdapter


class ExitsNonzeroAfterShutdown(FakeAdapter):
    def shutdown(self, request: int) -> None:
        self.reply(request, {})
        os._exit(7)


if __name__ == "__main__":
    ExitsNonzeroAfterShutdown().serve()
