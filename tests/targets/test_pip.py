"""What pip may do for us: wheels of known hashes, nothing that runs unasked. The index is a folder; no network."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.core.paths import adapters_root
from bindproof.suites.relay.targets.c_target import CFFI
from bindproof.targets import pip, python_target, resolve
from bindproof.targets.manifest import folder_of, manifest_of

pytestmark = pytest.mark.long

BACKEND = """\
import json, os, pathlib, zipfile

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    pathlib.Path({witness!r}).write_text(json.dumps(dict(os.environ)))
    name = "nemo_relay-9.9.9-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w") as wheel:
        wheel.writestr("nemo_relay/__init__.py", "")
        wheel.writestr("nemo_relay-9.9.9.dist-info/METADATA", {metadata!r})
        wheel.writestr("nemo_relay-9.9.9.dist-info/WHEEL", {wheel!r})
        wheel.writestr("nemo_relay-9.9.9.dist-info/RECORD", "")
    return name
"""
METADATA = "Metadata-Version: 2.1\nName: nemo-relay\nVersion: 9.9.9\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
PROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all the packages there are, and a credential in the environment."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("PIP_NO_BINARY", ":all:")
    return folder


@pytest.fixture
def witness(index: Path, tmp_path: Path) -> Path:
    """Where the sources of release 9.9.9, which is all there is of it, write their environment when they are built."""
    path = tmp_path / "witness.json"
    backend = BACKEND.format(witness=str(path), metadata=METADATA, wheel=WHEEL)
    with tarfile.open(index / "nemo_relay-9.9.9.tar.gz", "w:gz") as archive:
        for name, text in {"pyproject.toml": PROJECT, "backend.py": backend, "PKG-INFO": METADATA}.items():
            member = tarfile.TarInfo(f"nemo_relay-9.9.9/{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


@pytest.fixture
def wheel(index: Path) -> Path:
    """A wheel of release 9.9.8."""
    path = index / "nemo_relay-9.9.8-py3-none-any.whl"
    files = {
        "nemo_relay/__init__.py": "",
        "nemo_relay-9.9.8.dist-info/METADATA": METADATA.replace("9.9.9", "9.9.8"),
        "nemo_relay-9.9.8.dist-info/WHEEL": WHEEL,
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
        record = "".join(f"{name},sha256={_digest(text)},{len(text)}\n" for name, text in files.items())
        archive.writestr("nemo_relay-9.9.8.dist-info/RECORD", record)
    return path


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_release_without_a_wheel_is_not_built_unasked(witness: Path, said: list[str]) -> None:
    found = resolve("python@9.9.9", required=True, progress=said.append)
    assert not witness.exists(), "its build script ran"
    assert isinstance(found, Unavailable)
    assert "bindproof adapters build python@9.9.9 --allow-source-builds" in found.remedy


def test_a_source_build_that_is_allowed_sees_no_credentials(witness: Path, said: list[str]) -> None:
    found = resolve("python@9.9.9", required=True, progress=said.append, sources=True)
    assert isinstance(found, AdapterCommand), found
    seen = json.loads(witness.read_text())
    assert "GITHUB_TOKEN" not in seen
    assert (seen["PIP_NO_INDEX"], seen["PATH"].endswith(os.environ["PATH"])) == ("1", True)
    digest = sha256(Path(os.environ["PIP_FIND_LINKS"]) / "nemo_relay-9.9.9.tar.gz")
    assert found.notes == (f"nemo-relay 9.9.9 is built from its sources: nemo_relay-9.9.9.tar.gz, sha256 {digest}",)
    assert resolve("python@9.9.9", required=True, progress=said.append) == found


def test_a_wheel_that_nobody_pinned_is_shown_with_its_hash(wheel: Path, said: list[str]) -> None:
    found = resolve("python@9.9.8", required=True, progress=said.append)
    assert isinstance(found, AdapterCommand), found
    assert found.notes == (f"nemo-relay 9.9.8 is pinned by nothing: {wheel.name}, sha256 {sha256(wheel)}",)


@pytest.fixture
def pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The pins of the adapter `python`, in a folder of the test's."""
    path = tmp_path / "requirements.txt"
    monkeypatch.setattr(python_target, "pins_of", lambda _: path)
    return path


def test_a_pinned_release_is_installed_by_its_hash(wheel: Path, pins: Path, said: list[str]) -> None:
    pins.write_text(f"nemo-relay==9.9.8 \\\n    --hash=sha256:{sha256(wheel)}\n")
    found = resolve("python@9.9.8", required=True, progress=said.append)
    assert isinstance(found, AdapterCommand), found
    assert (found.notes, "nemo_relay/__init__.py" in found.files) == ((), True)


def test_pinned_sources_are_built_where_that_is_allowed(witness: Path, pins: Path, said: list[str]) -> None:
    sources = Path(os.environ["PIP_FIND_LINKS"]) / "nemo_relay-9.9.9.tar.gz"
    pins.write_text(f"nemo-relay==9.9.9 \\\n    --hash=sha256:{sha256(sources)}\n")
    assert isinstance(resolve("python@9.9.9", required=True, progress=said.append), Unavailable)
    assert not witness.exists()
    found = resolve("python@9.9.9", required=True, progress=said.append, sources=True)
    assert isinstance(found, AdapterCommand), found
    assert found.notes[0].startswith("nemo-relay 9.9.9 is built from its sources")


def test_a_file_that_is_not_the_pinned_one_is_refused(wheel: Path, pins: Path, said: list[str]) -> None:
    pins.write_text(f"nemo-relay==9.9.8 \\\n    --hash=sha256:{'ab' * 32}\n")
    found = resolve("python@9.9.8", required=True, progress=said.append)
    assert isinstance(found, Unavailable)
    assert "DO NOT MATCH THE HASHES" in found.reason
    assert "has other files than those that are pinned" in found.remedy


def test_pins_of_another_release_hold_nothing(tmp_path: Path) -> None:
    file = tmp_path / "requirements.txt"
    assert pip.pinning("nemo-relay==9.9.8", file) is None
    file.write_text("# nemo-relay==9.9.8\nnemo-relay==9.9.80 \\\nother-nemo-relay==9.9.8 \\\n")
    assert pip.pinning("nemo-relay==9.9.8", file) is None
    assert pip.pinning("nemo-relay==9.9.80", file) == file


def test_what_we_choose_ourselves_is_pinned() -> None:
    python = manifest_of("python")
    sdk = adapters_root() / "sdk"
    chosen = {
        f"{python.target}=={python.get.release}": folder_of(python),
        str(manifest_of("node").get.node_package): sdk / "node",
        CFFI: sdk / "c",
    }
    assert [
        requirement for requirement, folder in chosen.items() if not pip.pinning(requirement, folder / pip.PINS)
    ] == []
