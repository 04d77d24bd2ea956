"""Prints a line that is no message before it answers shutdown."""

from __future__ import annotations

from fake_adapter import FakeAdapter


class PrintsGarbageAtShutdown(FakeAdapter):
    def shutdown(self, request: int) -> None:
        self.write("bye")
        super().shutdown(request)


if __name__ == "__main__":
    PrintsGarbageAtShutdown().serve()
