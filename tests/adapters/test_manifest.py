"""Manifests: the shipped ones, and what is said of a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.adapters import AdapterNotKnown, default_names, known
from bindproof.adapters.manifest import folder_of, manifest_of, read_manifest
from bindproof.errors import FileError

GOOD = """\
name = "c"
title = "the C library"
target = "nemo-relay-ffi"
languages = ["c"]
suites = ["relay"]
dialect = "c"

[get]
from = "pypi"
release = "1.0"

[start]
program = "adapter.py"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "c" / "adapter.toml"
    path.parent.mkdir()
    path.write_text(text)
    return path


def test_shipped_manifests_are_whole() -> None:
    manifests = known()
    names = [manifest.name for manifest in manifests]
    assert names == ["c", "go", "go-upstream", "node", "python", "reference", "rust"]
    for manifest in manifests:
        assert manifest.how_to_get
        if manifest.get.source != "bindproof":
            assert (folder_of(manifest) / manifest.start.program).is_file()


def test_the_reference_comes_first_by_default() -> None:
    assert default_names() == ["reference", "python", "node"]


def test_an_unknown_adapter_is_told_the_known_ones() -> None:
    with pytest.raises(AdapterNotKnown, match=r"'pyton'.*node, python, reference.*--adapter-command pyton=COMMAND"):
        manifest_of("pyton")


def test_a_good_manifest_is_read(tmp_path: Path) -> None:
    assert read_manifest(written(tmp_path, GOOD)).get.release == "1.0"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "c"', 'name = "d"', "named 'd' but its folder 'c'"),
        ('title = "the C library"', "", "missing required field `title`"),
        ('release = "1.0"', "", r"\[get\] from a registry names the `release`"),
        ('from = "pypi"', 'from = "ftp"', "Invalid enum value 'ftp'"),
        ('program = "adapter.py"', 'prgram = "adapter.py"', "prgram"),
        ('name = "c"', "name =", "not an adapter's manifest"),
    ],
)
def test_a_bad_manifest_is_named_with_what_is_wrong(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(FileError, match=said) as caught:
        read_manifest(path)
    assert caught.value.path == path
