"""What npm may do for us: locks are kept to, nothing of a package runs, hashes are shown. The npm here is a script."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.targets import node_target, resolve
from bindproof.targets.manifest import folder_of, manifest_of
from bindproof.targets.node_runtime import NodeRuntime

NPM = """\
import json, os, pathlib, sys
here = pathlib.Path(__file__).parent
asked = json.loads(pathlib.Path("package.json").read_text())
lock = pathlib.Path("package-lock.json")
(here / "asked.json").write_text(json.dumps({"words": sys.argv[1:], "locked": lock.is_file(), "env": dict(os.environ)}))
if not lock.is_file():
    packages = {"": {}, "node_modules/nemo-relay-node": {"version": "0.9.1", "integrity": "sha512-abc="},
                "node_modules/nemo-relay-node-elsewhere": {"version": "0.9.1", "integrity": "sha512-def="}}
    lock.write_text(json.dumps({"packages": packages}))
package = pathlib.Path("node_modules") / next(iter(asked.get("dependencies", ["nemo-relay-node"])))
package.mkdir(parents=True)
(package / "index.js").write_text("")
"""


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an npm that says in `asked.json` what it was asked for."""
    folder = tmp_path / "npm"
    folder.mkdir()
    (folder / "npm.py").write_text(NPM)
    runtime = NodeRuntime(Path(sys.executable), "24.0.0", "from the tests")
    monkeypatch.setattr(node_target, "find_runtime", lambda *_: runtime)
    monkeypatch.setattr(node_target, "with_npm", lambda *_: (runtime, folder / "npm.py"))
    monkeypatch.setenv("NPM_TOKEN", "secret")
    return folder


def had(spec: str, said: list[str]) -> AdapterCommand:
    found = resolve(spec, required=True, progress=said.append)
    assert isinstance(found, AdapterCommand), found
    return found


def test_the_default_release_is_installed_from_its_lock(npm: Path, said: list[str]) -> None:
    command = had("node", said)
    asked = json.loads((npm / "asked.json").read_text())
    assert (asked["words"][0], asked["locked"]) == ("ci", True)
    assert "--ignore-scripts" in asked["words"]
    assert "NPM_TOKEN" not in asked["env"]
    assert command.notes == ("Node 24.0.0, from the tests",)


def test_another_release_is_shown_with_its_hash(npm: Path, said: list[str]) -> None:
    command = had("node@0.9.1", said)
    asked = json.loads((npm / "asked.json").read_text())
    assert (asked["words"][0], asked["words"][-1], asked["locked"]) == ("install", "nemo-relay-node@0.9.1", False)
    assert "--ignore-scripts" in asked["words"]
    assert command.notes[1:] == ("nemo-relay-node 0.9.1 is pinned by nothing: sha512-abc=",)
    assert had("node@0.9.1", said) == command


def test_the_files_of_a_scoped_package_are_those_of_the_target(npm: Path, said: list[str]) -> None:
    assert set(had("codex", said).files) == {"node_modules/@openai/codex/index.js"}


@pytest.mark.parametrize("name", ["node", "codex"])
def test_the_lock_is_of_the_default_release(name: str) -> None:
    manifest = manifest_of(name)
    lock = json.loads((folder_of(manifest) / node_target.LOCK).read_text())
    packages = [one for place, one in lock["packages"].items() if place]
    assert lock["packages"][f"node_modules/{manifest.target}"]["version"] == manifest.get.release
    assert all(one["integrity"].startswith("sha512-") for one in packages)
