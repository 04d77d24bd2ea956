"""`bindproof verify`: a log that holds, one that was edited, and one of which nobody can tell."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bindproof.cli import main

pytestmark = pytest.mark.long

RUN = ["run", "--suite", "relay", "--adapter", "reference", "--vector", "relay/marks/two-*"]

Edit = Callable[[str], str]


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try nothing again; `tests/runner/test_verifying.py` has what comes of that."""
    monkeypatch.setattr("bindproof.runner.verifying.TRIES", 0)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The log of a real run of the reference."""
    path = tmp_path_factory.mktemp("log") / "run.jsonl"
    assert main([*RUN, "--results", str(path)]) == 0
    return path.read_text(encoding="utf-8")


@pytest.fixture
def edited(whole: str, tmp_path: Path) -> Callable[[Edit], str]:
    """Writes the log as an editor changed it."""

    def write(edit: Edit) -> str:
        path = tmp_path / "run.jsonl"
        text = edit(whole)
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def put(pattern: str, by: str) -> Edit:
    """Return an edit of the first place that a pattern finds, which there has to be."""

    def edit(text: str) -> str:
        changed, count = re.subn(pattern, by, text, count=1)
        assert count, pattern
        return changed

    return edit


def test_a_log_that_was_written_just_now_holds(
    edited: Callable[[Edit], str], capsys: pytest.CaptureFixture[str]
) -> None:
    log = edited(str)
    assert main(["verify", log]) == 0
    assert capsys.readouterr().out == f"{log} holds: 3 of 3 verdicts seen again\n"
    assert main(["verify", log, "--sample", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["verdicts"], told["again"], told["seen"], told["doubts"]) == (3, 1, 1, [])


@pytest.mark.parametrize(
    ("edit", "code", "said"),
    [
        pytest.param(
            put('"held":\\["[A-Z0-9-]+",', '"held":['),
            1,
            "the log says: conforms; seen is: conforms, ",
            id="a requirement left out",
        ),
        pytest.param(
            put('"exit":0,"why":"everything is as expected"', '"exit":1,"why":"bad"'),
            1,
            "its last line says: exit 1, bad; its other lines add up to: exit 0, everything is as expected",
            id="another end",
        ),
        pytest.param(
            lambda text: text.replace('"outcome":"conforms"', '"outcome":"crash"', 1),
            1,
            "its other lines add up to: exit 4",
            id="a verdict without its end",
        ),
        pytest.param(
            put('"edition":"[0-9.]+"', '"edition":"0.5"'),
            1,
            "the log says that it is judged on relay edition 0.5",
            id="another edition",
        ),
        pytest.param(
            put('"spec":"[0-9a-f]{12}', '"spec":"000000000000'),
            3,
            "the log is of the spec 000000000000 of bindproof",
            id="a changed spec",
        ),
        pytest.param(
            put('("files":\\{"[^"]+":")[0-9a-f]{8}', r"\g<1>00000000"),
            3,
            "here is another build of bindproof-reference 0.1.0: bindproof_reference/__init__.py",
            id="another package",
        ),
        pytest.param(
            put('"program":"[0-9a-f]{8}', '"program":"00000000'),
            3,
            "the adapter's own code is another one than the log's",
            id="another adapter",
        ),
        pytest.param(
            put(',"program":"[0-9a-f]+"', ""),
            3,
            "the log does not tell of it",
            id="an adapter without its digest",
        ),
        pytest.param(lambda text: text[:-9], 2, "finish it first: bindproof run --continue", id="cut short"),
        pytest.param(lambda _: "", 2, "the file is empty", id="empty"),
    ],
)
def test_each_edit_is_told(
    edit: Edit, code: int, said: str, edited: Callable[[Edit], str], capsys: pytest.CaptureFixture[str]
) -> None:
    log = edited(edit)
    assert main(["verify", log]) == code
    out, err = capsys.readouterr()
    assert said in out + err
    if code != 2:
        assert "\nnext, about the " in out
        assert ("does not hold" in out) == (code == 1)


def test_a_verdict_that_hides_a_divergence_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.jsonl"
    assert main([*RUN, "--results", str(path)]) == 0
    text = path.read_text(encoding="utf-8").replace('"vectors":', '"fault":"swap_marks","vectors":', 1)
    path.write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert main(["verify", str(path)]) == 1
    out = capsys.readouterr().out
    assert re.search(r"reference relay/marks/two-\S+: the log says: conforms, .*; seen is: diverges, MRK-002", out)


def test_a_program_that_a_log_names_is_started_where_it_is_trusted(
    edited: Callable[[Edit], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    started = tmp_path / "started"
    program = f'{sys.executable} -c \'open(\\"{started}\\",\\"w\\")\''.replace("/", "\\/")
    log = edited(put('"adapters":\\["reference"\\]', lambda _: f'"adapter_commands":[["mine","{program}"]]'))  # type: ignore[arg-type]
    assert main(["verify", log]) == 2
    err = capsys.readouterr().err
    assert "--adapter-command" in err
    assert f"if you trust whoever wrote the log: bindproof verify {log} --trust-log" in err
    assert not started.exists()
    assert main(["verify", log, "--trust-log"]) == 3
    assert started.exists()
