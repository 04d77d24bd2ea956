"""Digests of the code that a command starts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from bindproof.core.paths import adapters_root
from bindproof.targets import programs
from bindproof.targets.manifest import known, manifest_of

IN_PYTHON = ("sdk/worker/bindproof_worker/host.py", "sdk/plugin/plugins.toml", "sdk/python/bindproof_adapter/serve.py")
IN_NODE = ("sdk/node/relay/plugins/host.mjs", "sdk/plugin/plugins.toml")

READ = {
    "native": (*IN_PYTHON, "native/plugin/src/table.rs"),
    "native-c": (*IN_PYTHON, "native/native_calls.py", "native/plugin/src/table.rs"),
    "native-node": (*IN_NODE, "native/plugin/src/table.rs"),
    "worker": IN_PYTHON,
    "worker-c": (*IN_PYTHON, "worker-raw/worker.py"),
    "worker-node": (*IN_NODE, "worker-raw/worker.py"),
    "worker-raw": IN_PYTHON,
}
"""Of the adapters that share more than an SDK, files that each reads."""


def test_a_word_that_no_file_can_be_called_is_no_file() -> None:
    """An adapter's own words may be longer than any name, and hold what no name may."""
    assert programs.of_command(["sh", "x" * 5000, "a\0b"], "/") == programs.of_command(["sh"], "/")


@pytest.mark.parametrize(("name", "file"), [(name, file) for name, files in READ.items() for file in files])
def test_what_an_adapter_shares_is_its_own_code(
    name: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log is of another adapter once a file changed that the adapter reads, in whichever folder that is."""
    root = tmp_path / "adapters"
    for folder in (name, "native", "worker-raw", "sdk"):
        copy = shutil.ignore_patterns("__pycache__", "target", "node_modules")
        shutil.copytree(adapters_root() / folder, root / folder, ignore=copy, dirs_exist_ok=True)
    monkeypatch.setattr(programs, "adapters_root", lambda: root)
    manifest = replace(manifest_of(name), folder=root / name)
    before = programs.of_manifest(manifest)
    with (root / file).open("a", encoding="utf-8") as changed:
        changed.write("\n")
    assert programs.of_manifest(manifest) != before


def test_every_adapter_that_has_folders_of_plugins_says_so() -> None:
    """A new one would be forgotten in the table above."""
    on_plugins = [one.name for one in known() if one.name.startswith(("native", "worker"))]
    assert on_plugins == sorted(READ)
