"""Manifests: the shipped ones, and what is said of a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.core.errors import FileError, UsageError
from bindproof.targets import AdapterNotKnown, default_names, known
from bindproof.targets.manifest import folder_of, manifest_of, read_manifest

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


def written(folder: Path, text: str, name: str = "c") -> Path:
    path = folder / name / "adapter.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


def test_shipped_manifests_are_whole() -> None:
    manifests = known()
    names = [manifest.name for manifest in manifests]
    assert names == ["c", "go", "go-upstream", "llm-stack", "node", "python", "reference", "rust"]
    for manifest in manifests:
        assert manifest.how_to_get
        if manifest.get.source != "bindproof":
            assert (folder_of(manifest) / manifest.start.program).is_file()


def test_the_reference_comes_first_by_default() -> None:
    assert default_names() == ["reference", "node", "python"]


def test_an_unknown_adapter_is_told_the_known_ones() -> None:
    with pytest.raises(AdapterNotKnown, match=r"'pyton'.*node, python, reference.*--adapter-command pyton=COMMAND"):
        manifest_of("pyton")


def test_adapters_of_other_packages_are_known_too(two_homes: Path) -> None:
    folder = written(two_homes / "adapters", GOOD.replace('"c"', '"d"').replace('["relay"]', '["small"]'), "d").parent
    assert folder_of(manifest_of("d")) == folder
    assert manifest_of("d").speaks({"small"})
    assert not manifest_of("d").speaks({"relay"})
    assert manifest_of("reference").speaks({"small"})


def test_the_default_adapters_are_those_of_the_suites(two_homes: Path) -> None:
    text = GOOD.replace('"c"', '"d"').replace('["relay"]', '["small"]')
    written(two_homes / "adapters", text.replace("\n\n[get]", "\ndefault = true\n\n[get]"), "d")
    assert default_names({"small"}) == ["reference", "d"]
    assert default_names({"relay"}) == ["reference", "node", "python"]
    assert default_names() == ["reference", "d", "node", "python"]


def test_some_adapters_are_judged_by_default_only_where_a_suite_is_named(two_homes: Path) -> None:
    text = GOOD.replace('"c"', '"d"').replace('["relay"]', '["small"]')
    written(two_homes / "adapters", text.replace("\n\n[get]", '\ndefault = "suite"\n\n[get]'), "d")
    assert default_names({"small"}) == ["reference"]
    assert default_names({"small"}, named=True) == ["reference", "d"]


def test_two_adapters_of_one_name_are_told_apart(two_homes: Path) -> None:
    written(two_homes / "adapters", GOOD)
    with pytest.raises(UsageError, match="adapters of one name"):
        known()


def test_a_good_manifest_is_read(tmp_path: Path) -> None:
    assert read_manifest(written(tmp_path, GOOD)).get.release == "1.0"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "c"', 'name = "d"', "named 'd' but its folder 'c'"),
        ('title = "the C library"', "", "missing required field `title`"),
        ('release = "1.0"', "", r"\[get\] from a registry names the `release`"),
        (
            'from = "pypi"',
            'from = "ftp"',
            r"from 'ftp', and no installed package .* is bindproof, c-library, .* pypi",
        ),
        ('program = "adapter.py"', 'prgram = "adapter.py"', "prgram"),
        ('name = "c"', "name =", "not an adapter's manifest"),
    ],
)
def test_a_bad_manifest_is_named_with_what_is_wrong(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(FileError, match=said) as caught:
        read_manifest(path)
    assert caught.value.path == path
