"""`bindproof matrix`: which releases are judged, and how it ends."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from bindproof.cli import main
from bindproof.core.request import RunRequest
from bindproof.results import AdapterLine, Emit, RunLine, Speaks, VerdictLine

LISTED = ["0.10.0", "0.9.4", "0.9.10", "0.4.0", "0.11.0rc1", "of old"]


@pytest.fixture
def asked(run_line: RunLine, monkeypatch: pytest.MonkeyPatch) -> list[RunRequest]:
    """What is judged. Each release but the last conforms in one scenario; the last of several cannot be had."""
    requests: list[RunRequest] = []

    def execute(request: RunRequest, emit: Emit, progress: object) -> None:
        requests.append(request)
        emit(replace(run_line, request=request, adapters=request.adapters))
        had = request.adapters[:-1] or request.adapters
        for name in had:
            emit(AdapterLine(name, "ready", required=True, target="t", suites=(Speaks("relay", "0.9", "python", 1),)))
        for last in request.adapters[len(had) :]:
            emit(AdapterLine(last, "unavailable", required=True, reason="no wheel for you", remedy="build it"))
        for name in had:
            emit(VerdictLine("v", "relay", name, "conforms", held=("OUT-001",)))

    monkeypatch.setattr("bindproof.runner.execute", execute)
    monkeypatch.setattr("bindproof.targets.releases.published", lambda adapter, progress: LISTED)
    return requests


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "releases"),
    [
        (["--versions", ">=0.9"], ["0.9.4", "0.9.10", "0.10.0"]),
        (["--versions", ">=0.9", "--pre"], ["0.9.4", "0.9.10", "0.10.0", "0.11.0rc1"]),
        (["--versions", "==0.11.0rc1"], ["0.11.0rc1"]),
        (["--versions", ">=0.9,<0.10,!=0.9.4"], ["0.9.10"]),
        ([], ["0.4.0", "0.9.4", "0.9.10", "0.10.0"]),
    ],
)
def test_the_releases_that_a_specifier_takes_are_judged_oldest_first(
    words: Sequence[str], releases: Sequence[str], asked: list[RunRequest], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["matrix", "--adapter", "python", *words])
    assert [one.partition("@")[2] for one in asked[0].adapters] == releases


def test_a_release_that_is_named_is_taken_as_it_is(asked: list[RunRequest], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", "--adapter", "rust@0.9.4", "--adapter", "python", "--versions", "<0.9"]) == 3
    assert asked[0].adapters == ("rust@0.9.4", "python@0.4.0")
    assert asked[0].suite == "relay", "both speak it alone"


def test_what_cannot_be_had_is_shown_and_all_others_are_judged(
    asked: list[RunRequest], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["matrix", "--adapter", "python", "--versions", ">=0.9,<=0.10"]) == 3
    out = capsys.readouterr().out
    assert "python@0.10.0 is unavailable: no wheel for you\n  to have it: build it\n" in out
    assert "python@0.10.0 was named and is unavailable" in out
    lines = out.splitlines()
    first = lines.index("Outcomes")
    assert lines[first - 6 : first + 2] == [
        "           0 0",
        "         0 . .",
        "         . 9 1",
        "         9 . 0",
        "         . 1 .",
        "         4 0 0",
        "Outcomes",
        "OUT-001  · · –  An outcome is used",
    ]
    assert not [line for line in lines if line.startswith("DLC-001")], "it applies to none of them"


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["matrix"], "name the adapter whose releases are judged"),
        (["matrix", "--adapter", "python@0.9.4", "--versions", ">1"], "leave out --versions"),
        (["matrix", "--adapter", "python@0.9.4", "--pre"], "leave out --pre"),
        (["matrix", "--adapter", "python", "--versions", "new"], "'new' says no versions; write it such as '>=0.5'"),
        (["matrix", "--adapter", "python", "--versions", ">9"], "no release of python is >9; there is 0.10.0, 0.9.4"),
    ],
)
@pytest.mark.usefixtures("asked")
def test_what_names_no_release_is_told(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_what_nothing_lists_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", "--adapter", "reference"]) == 2
    assert "name each release: --adapter reference@RELEASE" in capsys.readouterr().err
