"""Manifests: the shipped ones, and what is said of a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.core.errors import FileError, UsageError
from bindproof.core.memory import Place, keep_in
from bindproof.spec import SpecError
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
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return path


def test_shipped_manifests_are_whole() -> None:
    manifests = known()
    names = [manifest.name for manifest in manifests]
    assert names == [
        "afk",
        "c",
        "codex",
        "go",
        "go-upstream",
        "llm-stack",
        "native",
        "native-c",
        "native-node",
        "node",
        "python",
        "reference",
        "rust",
        "tagged-1",
        "wasm",
        "worker",
        "worker-c",
        "worker-node",
        "worker-raw",
    ]
    for manifest in manifests:
        assert manifest.how_to_get
        if manifest.get.source != "bindproof":
            assert (folder_of(manifest) / manifest.start.program).is_file()


def test_a_run_of_everything_judges_bindings_and_one_of_a_suite_the_reference_first() -> None:
    assert default_names() == ["node", "python"]
    assert default_names({"relay"}, named=True) == ["reference", "node", "python"]


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
    assert default_names({"small"}) == ["d"]
    assert default_names({"relay"}) == ["node", "python"]
    assert default_names() == ["d", "node", "python"]


def test_each_says_when_it_is_judged_though_nobody_names_it() -> None:
    assert manifest_of("c").when_judged == ""
    assert manifest_of("node").when_judged == "judged by default"
    assert manifest_of("reference").when_judged == "judged by default where its suite is named"


def test_some_adapters_are_judged_by_default_only_where_a_suite_is_named(two_homes: Path) -> None:
    text = GOOD.replace('"c"', '"d"').replace('["relay"]', '["small"]')
    written(two_homes / "adapters", text.replace("\n\n[get]", '\ndefault = "suite"\n\n[get]'), "d")
    assert default_names({"small"}) == []
    assert default_names({"small"}, named=True) == ["reference", "d"]


def test_every_fault_of_every_manifest_is_told(two_homes: Path) -> None:
    first = written(two_homes / "adapters", GOOD.replace("name =", "nme ="), "d")
    second = written(two_homes / "adapters", GOOD.replace('"pypi"', "1"), "e")
    with pytest.raises(SpecError) as caught:
        known()
    places = [(problem.file, problem.line) for problem in caught.value.problems]
    assert places == [(str(first), 1), (str(first), 1), (str(second), 9)]


@pytest.mark.parametrize("target", ["nowhere", "adapter.toml"])
def test_a_manifest_that_is_a_link_to_nothing_is_told(target: str, two_homes: Path) -> None:
    path = two_homes / "adapters" / "d" / "adapter.toml"
    path.parent.mkdir(parents=True)
    path.symlink_to(target)
    with pytest.raises(FileError, match=r"adapter\.toml"):
        known()


def test_manifests_that_are_kept_are_as_they_are_read(two_homes: Path) -> None:
    path = written(two_homes / "adapters", GOOD.replace('"c"', '"d"'), "d")
    stored: dict[str, bytes] = {}
    before = keep_in(Place(stored.get, stored.__setitem__))
    try:
        assert known() == known() == [manifest for manifest in known() if manifest.folder.is_dir()]
        assert list(stored) != []
        path.write_text(path.read_text().replace("the C library", "another library"))
        assert manifest_of("d").title == "another library"
    finally:
        keep_in(before)
    assert manifest_of("d").title == "another library"


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
        ('title = "the C library"', "", "adapter.toml:1: `title` is missing; write a text"),
        ('release = "1.0"', "", r"\[get\] from a registry names the `release`"),
        (
            'program = "adapter.py"',
            'prgram = "adapter.py"',
            "adapter.toml:13: `/start/prgram` is unknown; did you mean",
        ),
        ('suites = ["relay"]', "suites = []", "adapter.toml:5: `suites` is empty; name at least one"),
        ('dialect = "c"', 'dialect = "c"\ndefault = "suites"', "write true or false or 'suite' .did you mean 'suite'"),
        (
            'release = "1.0"',
            'release = "1.0"\nnode = "24"',
            "adapter.toml:11: `/get/node` is '24'; write a whole number",
        ),
        (
            'program = "adapter.py"',
            'program = "adapter.py"\nbeside = ["../lost"]',
            "adapter.toml:14: there is no folder ../lost, as seen from the adapter's",
        ),
        ('name = "c"', "name =", "adapter.toml:1: this is no TOML"),
        ('name = "c"', "name = \udcff", "adapter.toml:1: byte 0xff is no UTF-8"),
    ],
)
def test_a_bad_manifest_is_named_with_what_is_wrong(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(FileError, match=said) as caught:
        read_manifest(path)
    assert caught.value.path == path
