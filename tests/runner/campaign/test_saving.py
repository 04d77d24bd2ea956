"""What a campaign found is written into the folder that was named, whole or not at all."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bindproof.core.errors import FileError
from bindproof.core.model import VerdictOutcome
from bindproof.results import FindingLine
from bindproof.runner.campaign.saving import saved

LINE = FindingLine(
    id="relay/found/0123456789ab",
    suite="relay",
    adapter="mine",
    breaks="MRK-001",
    outcome="diverges",
    plan="generated/0/1",
    scenario={"steps": [{"step": "flush", "as": "x" * 20_000}]},
)


def test_a_finding_is_saved_as_a_vector_once(tmp_path: Path) -> None:
    path = tmp_path / "0123456789ab.json"
    assert saved(LINE, tmp_path).file == str(path)
    vector = json.loads(path.read_text(encoding="utf-8"))
    assert vector["exercises"] == ["MRK-001"]
    assert vector.keys() == {"title", "exercises", "scenario"}  # nothing that the adapter said

    path.write_text("mine", encoding="utf-8")
    assert saved(LINE, tmp_path).file == str(path)
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(("breaks", "outcome"), [("REF-000", "diverges"), ("", "crash")])
def test_what_no_rule_speaks_of_is_saved_under_the_built_in_requirement(
    breaks: str, outcome: VerdictOutcome, tmp_path: Path
) -> None:
    """Else it could not be kept: a vector exercises something."""
    saved(msgspec.structs.replace(LINE, breaks=breaks, outcome=outcome), tmp_path)
    assert json.loads((tmp_path / "0123456789ab.json").read_text(encoding="utf-8"))["exercises"] == ["REF-000"]


def test_a_link_that_leads_nowhere_is_not_written_through(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.json"
    (tmp_path / "0123456789ab.json").symlink_to(elsewhere)

    with pytest.raises(FileError, match=r"0123456789ab.json: what is found cannot be saved there: File exists"):
        saved(LINE, tmp_path)
    assert not elsewhere.exists()


@pytest.mark.long
def test_half_a_finding_is_not_saved(tmp_path: Path) -> None:
    code = (
        "import resource, sys; from pathlib import Path\n"
        "from bindproof.core.errors import FileError\n"
        "from tests.runner.campaign.test_saving import LINE, saved\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try: saved(LINE, Path(sys.argv[1]))\n"
        "except FileError as error: sys.exit(str(error))\n"
    )
    ran = subprocess.run([sys.executable, "-B", "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)

    assert ran.stderr.endswith("what is found cannot be saved there: File too large\n")
    assert list(tmp_path.iterdir()) == []
