"""Published releases are listed, judged at the same time, and their log holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.cli import main

pytestmark = pytest.mark.binding


def test_releases_are_judged_and_their_log_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = str(tmp_path / "releases.jsonl")
    words = ["matrix", "--adapter", "python", "--versions", ">=0.9.3,<0.10.1", "--vector", "relay/marks/two-in-order"]
    assert main([*words, "--results", log]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("python@")] == [
        "python@0.9.3",
        "python@0.9.4",
        "python@0.10.0",
    ]
    assert [line for line in lines if line.startswith("MRK-002") and "· · ·" in line]
    assert main(["verify", log, "--trust-log"]) == 0
    assert main(["compare", log, "--adapter", "python@0.9.3", "--adapter", "python@0.9.4"]) == 0
