"""The Node SDK's own tests, with the node that the adapter runs on."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.targets import resolve

pytestmark = pytest.mark.binding


def test_its_own_tests(repository: Path) -> None:
    command = resolve("node", required=True, progress=lambda text: None)
    assert isinstance(command, AdapterCommand), command
    folder = repository / "adapters" / "sdk" / "node"
    ended = subprocess.run(
        [command.argv[0], "--test"],
        cwd=folder,
        env=dict(command.env),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
