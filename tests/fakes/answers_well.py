"""Has no fault."""

from __future__ import annotations

from fake_adapter import FakeAdapter


class AnswersWell(FakeAdapter):
    """As it should be."""


if __name__ == "__main__":
    AnswersWell().serve()
