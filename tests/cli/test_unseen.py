"""Nothing of a stranger reaches a terminal that it would obey, reverse or hide."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from bindproof.cli import main
from bindproof.cli.progress import Progress
from bindproof.core.visible import visible
from bindproof.report.printing import console_on
from bindproof.results import AdapterLine, Speaks, VerdictLine

FAKE = f"{sys.executable} -S {Path(__file__).parents[1] / 'fakes' / 'tells_what_is_not_seen.py'}"
UNSEEN = "\x1b]52;c;eA==\x07\x9b31m\u202e\u200b"
OURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""The control sequences that rich makes."""


def assert_seen(text: str, *, without: str = "") -> None:
    assert text != without
    assert visible(text) == text


@pytest.mark.long
@pytest.mark.parametrize("report", ["requirements", "verdicts"])
def test_a_report_shows_what_an_adapter_says(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "--suite", "relay", "--adapter-command", f"mine={FAKE}", "--vector", "relay/marks/*"]
    main([*words, "--report", report])
    out, err = capsys.readouterr()
    assert_seen(out)
    assert_seen(err, without="nothing is asked of it")
    assert "\\u202egnitset" in out


@pytest.mark.long
def test_json_is_what_was_said(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    words = ["run", "--suite", "relay", "--adapter-command", f"mine={FAKE}", "--vector", "relay/marks/two-in-order"]
    main([*words, "--json"])
    lines = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert [line for line in lines if str(line.get("version")).startswith("1.0\x1b]52")]


@pytest.mark.long
def test_smoke_shows_what_an_adapter_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["smoke", FAKE]) == 4
    assert_seen(capsys.readouterr().out)


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        ["run", f"--speed{UNSEEN}"],
        ["run", "--adapter", f"nobody{UNSEEN}"],
        ["run", "--suite", UNSEEN],
        ["run", "--vector", UNSEEN],
        ["run", "--timeout", UNSEEN],
        ["run", "--edition", UNSEEN],
        ["run", "--fault", UNSEEN],
        ["run", "--expectations", f"./no{UNSEEN}.toml"],
        ["run", "--continue", f"./no{UNSEEN}.jsonl"],
        ["run", "--results", f"./no{UNSEEN}/log.jsonl"],
        ["run", UNSEEN],
        [UNSEEN],
        ["merge", f"./no{UNSEEN}.jsonl"],
        ["report", f"./no{UNSEEN}.jsonl"],
        ["run", "--html", f"./no{UNSEEN}/x.html"],
        ["compare", f"./no{UNSEEN}.jsonl", f"./no{UNSEEN}.jsonl"],
        ["compare", "--adapter", f"nobody{UNSEEN}", "--adapter", UNSEEN],
        ["expectations", "update", f"./no{UNSEEN}.jsonl", UNSEEN],
        ["expectations", "check", f"./no{UNSEEN}.toml"],
        ["replay", f"./no{UNSEEN}.json"],
        ["replay", f"relay/{UNSEEN}"],
        ["explain", UNSEEN],
        ["spec", "show", UNSEEN],
        ["spec", "changes", UNSEEN, "x"],
        ["spec", "check", UNSEEN],
        ["smoke", f"./no{UNSEEN}"],
        ["adapters", "build", UNSEEN],
        ["fuzz", "--save", f"./no{UNSEEN}", "--suite", UNSEEN],
        ["new-suite", f"./{UNSEEN}/x"],
    ],
    ids=lambda words: visible(" ".join(words)),
)
def test_words_of_the_command_line(
    words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    main(words)
    assert_seen("".join(capsys.readouterr()))


@pytest.mark.long
def test_a_file_that_is_refused_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.json").write_text(f'{{"title\u202e": "{UNSEEN[-2:]}"}}', encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text(json.dumps({"line": UNSEEN}), encoding="utf-8")
    (tmp_path / "bad.toml").write_text('"\u202e" = 1\n', encoding="utf-8")
    assert main(["replay", str(tmp_path / "bad.json")]) == 2
    assert main(["merge", str(tmp_path / "bad.jsonl")]) == 2
    assert main(["run", "--expectations", str(tmp_path / "bad.toml")]) == 2
    assert_seen("".join(capsys.readouterr()))


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True

    def foreign(self) -> str:
        """What was written beside the control sequences that draw and colour it."""
        return OURS.sub("", self.getvalue()).replace("\r", "")


def test_bars_and_words_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    stream = Terminal()
    with Progress(stream) as progress:
        progress.see(AdapterLine(f"a{UNSEEN}", "ready", suites=(Speaks("relay", "0.10", "wire", 2),)))
        progress.see(VerdictLine("relay/a", "relay", f"a{UNSEEN}", "conforms"))
        progress.say(f"installing {UNSEEN}")
    assert "\\u202e" in stream.foreign()
    assert_seen(stream.foreign())


def test_a_console_on_a_terminal_keeps_its_colours_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = Terminal()
    console_on(stream).print(f"red {UNSEEN}", style="bold red")
    assert "\x1b[" in stream.getvalue()
    assert_seen(stream.foreign())
