"""A console prints on any stream; colours are for people at a terminal."""

from __future__ import annotations

import io

import pytest

from bindproof.report.printing import console_on

ESCAPE = "\x1b"


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that has colours."""
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


def printed(stream: io.StringIO) -> str:
    console_on(stream).print("a divergence", style="bold red")
    return stream.getvalue()


@pytest.mark.parametrize("variable", [None, "FORCE_COLOR", "TTY_COMPATIBLE", "CLICOLOR_FORCE"])
def test_piped_text_has_no_colour_whatever_is_set(variable: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if variable is not None:
        monkeypatch.setenv(variable, "1")
    assert printed(io.StringIO()) == "a divergence\n"


def test_a_terminal_has_colours_unless_the_user_wants_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ESCAPE in printed(Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    assert f"{ESCAPE}[31m" not in printed(Terminal())


class NobodyReads(io.StringIO):
    """A pipe whose reader has left."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_a_reader_who_leaves_is_told_of_as_such() -> None:
    with pytest.raises(BrokenPipeError):
        console_on(NobodyReads()).print("a divergence")
