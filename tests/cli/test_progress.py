"""What a waiting user sees: bars on a terminal, plain lines elsewhere, and nothing of it once it is over."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys

import pytest

from bindproof.cli import progress as module
from bindproof.cli.progress import Progress
from bindproof.results import AdapterLine, Speaks, VerdictLine

HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True

    def text(self) -> str:
        """What was written, without the control sequences."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.getvalue())


def adapter(name: str, selected: int) -> AdapterLine:
    return AdapterLine(name, "ready", suites=(Speaks("relay", "0.10", "wire", selected),))


def verdict(name: str) -> VerdictLine:
    return VerdictLine("relay/a", "relay", name, "conforms")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line is drawn, on a terminal that can show it."""
    monkeypatch.setattr(module, "BETWEEN_UPDATES", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_a_terminal_shows_a_bar_for_each_adapter_with_its_count_and_then_nothing() -> None:
    terminal = Terminal()
    with Progress(terminal) as progress:
        progress.see(adapter("node[bold]", 3))
        progress.see(adapter("python", 0))
        for _ in range(2):
            progress.see(verdict("node[bold]"))
        progress.see(verdict("python"))
    text = terminal.text()
    assert re.search(r"node\[bold\] +\S+ +\S* *2/3", text)
    assert re.search(r"python +\S+ +1/\?", text)
    assert terminal.getvalue().count(HIDE) == terminal.getvalue().count(SHOW) == 1
    assert terminal.getvalue().rindex(SHOW) > terminal.getvalue().rindex("1/?")


def test_a_terminal_shows_words_one_line_at_a_time() -> None:
    terminal = Terminal()
    with Progress(terminal) as progress:
        progress.say("building [red]\nwith all its lines")
        progress.say("confirming 1 of 2")
    assert "building [red]" in terminal.text()
    assert "with all its lines" not in terminal.text()
    assert "confirming 1 of 2" in terminal.text()


def test_elsewhere_words_are_lines_and_counts_are_not_shown() -> None:
    stream = io.StringIO()
    with Progress(stream) as progress:
        progress.say("building")
        progress.see(adapter("node", 3))
        progress.see(verdict("node"))
    assert stream.getvalue() == "building\n"


def test_nothing_is_drawn_where_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setitem(sys.modules, "rich.live", None)
    with Progress(terminal) as progress:
        progress.see(adapter("node", 3))
    assert terminal.getvalue() == ""


@pytest.mark.long
def test_a_run_whose_output_is_piped_draws_nothing_and_imports_no_rich() -> None:
    words = ["run", "--adapter", "reference", "--vector", "relay/marks/two-in-order", "--json"]
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "bindproof", *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "FORCE_COLOR": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "bindproof.cli.progress" in run.stderr
    assert "rich" not in {line.rpartition("|")[2].strip().partition(".")[0] for line in run.stderr.splitlines()}
    assert "\x1b" not in run.stdout + run.stderr
    assert "\r" not in run.stdout + run.stderr
