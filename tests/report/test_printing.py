"""A console prints on any stream; colours are for people at a terminal."""

from __future__ import annotations

import io

import msgspec
import pytest

from bindproof.core.origins import FromFile, FromVector, Generated, TwinOf
from bindproof.core.request import RunRequest
from bindproof.report.digest import Digest
from bindproof.report.printing import console_on, program_command
from bindproof.results import AdapterLine, RunLine, Speaks, VerdictLine
from tests.relay import SUITE

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


@pytest.mark.parametrize(
    ("origin", "adapter", "dialect", "edition", "command"),
    [
        (None, "go", "go", "0.10", "bindproof program relay/a --adapter go"),
        (None, "c@0.9.4", "c", "0.9", "bindproof program relay/a --adapter c@0.9.4"),
        (TwinOf(FromVector("relay/a")), "node", "node", "0.8", "bindproof program relay/a --adapter node --twin"),
        (FromFile("-a b.json"), "python", "python", "0.8",
         "bindproof program './-a b.json' --suite relay --adapter python"),
        (None, "python", "python", "0.4", None),
        (None, "rust@0.9.4", "rust", "0.9", "bindproof program relay/a --adapter rust@0.9.4"),
        (None, "other", "cobol", "0.10", None),
        (None, "mine", "python", "0.10", None),
        (Generated(1, 2), "go", "go", "0.10", None),
    ],
)  # fmt: skip
def test_the_command_that_writes_a_program_is_told_where_there_is_one(
    run_line: RunLine,
    origin: FromFile | TwinOf | Generated | None,
    adapter: str,
    dialect: str,
    edition: str,
    command: str | None,
) -> None:
    request = RunRequest(adapter_commands=(("mine", "python mine.py"),))
    line = AdapterLine(adapter, "ready", suites=(Speaks("relay", edition, dialect, 1),))
    digest = Digest.over([msgspec.structs.replace(run_line, request=request), line])
    verdict = VerdictLine("relay/a", "relay", adapter, "diverges", origin=origin)
    assert program_command(digest, verdict, {"relay": SUITE}) == command
    assert program_command(digest, verdict, {}) is None
