"""`bindproof cache`: what is kept is listed and cleared, and nothing else is touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bindproof.cli import main
from bindproof.targets.cache import ensure, key_of, own_root, remember
from bindproof.targets.cache_contents import clear, contents
from bindproof.targets.terms import Terms


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BINDPROOF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def built(name: str, size: int = 1000) -> str:
    key = key_of(name, "1.0")

    def build(folder: Path) -> None:
        (folder / "file").write_bytes(b"x" * size)

    ensure(key, build, Terms(lambda _: None))
    return key


@pytest.mark.long
def test_each_build_is_listed_with_its_size(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = built("python", 3 << 20)
    remember(f"spec-{'0' * 12}.kept", b"y" * 10)
    assert main(["cache", "list"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == f"{root}: 1 build, 3.0 MiB"
    assert out[1].split()[:3] == [key, "3.0", "MiB"]
    assert out[2].split()[0] == "remembered"
    assert main(["cache", "list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(one["name"], one["bytes"]) for one in told["kept"]] == [(key, 3 << 20), ("remembered", 10)]


@pytest.mark.usefixtures("root")
def test_what_a_glob_names_is_removed_and_built_anew(capsys: pytest.CaptureFixture[str]) -> None:
    python, node = built("python"), built("node")
    assert main(["cache", "clear", "python-*"]) == 0
    assert f"removed {python}" in capsys.readouterr().out
    assert [one.name for one in contents()[1]] == [node]
    assert sorted(path.name for path in own_root().iterdir()) == [node, f"{node}.lock", f"{node}.seal"]
    assert built("python") == python


def test_without_a_glob_all_of_it_is_removed_and_no_more(root: Path) -> None:
    built("python")
    remember(f"spec-{'0' * 12}.kept", b"y")
    (root / "mine.txt").write_text("not the cache's", encoding="utf-8")
    assert main(["cache", "clear"]) == 0
    assert [path.name for path in root.iterdir()] == ["mine.txt"]


def test_no_link_is_followed(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("mine", encoding="utf-8")
    own_root()
    (root / f"python-1.0-{'0' * 12}").symlink_to(outside)
    assert main(["cache", "clear"]) == 0
    assert (outside / "file").read_text(encoding="utf-8") == "mine"


@pytest.mark.usefixtures("root")
def test_a_build_that_is_being_made_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    from filelock import FileLock

    key = built("python")
    with FileLock(own_root() / f"{key}.lock"):
        assert clear([]) == []
    assert [one.name for one in clear([])] == [key]


@pytest.mark.usefixtures("root")
def test_a_glob_that_names_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "clear", "pyton-*"]) == 2
    assert "nothing is called pyton-*; `bindproof cache list` shows what there is" in capsys.readouterr().err
    assert main(["cache", "list"]) == 0
    assert "0 builds" in capsys.readouterr().out


@pytest.mark.long
def test_doctor_says_what_is_here(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built("node")
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert f"{root}: 1 build," in out
    assert main(["doctor", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    adapters = {one["name"]: one for one in told["adapters"]}
    assert adapters["node"]["here"]
    assert not adapters["python"]["here"]
    assert {"relay", "interceptors"} <= {suite["name"] for suite in told["suites"]}


@pytest.mark.long
def test_doctor_names_what_is_missing_and_where_to_have_it(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["doctor"]) == 0
    assert "Go            not found; to have it: https://go.dev/doc/install" in capsys.readouterr().out


@pytest.mark.long
def test_doctor_says_that_a_cache_cannot_be_used(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root.mkdir(mode=0o777)
    root.chmod(0o777)
    (root / "strange").touch()
    assert main(["doctor"]) == 3
    assert "holds more than a cache does" in capsys.readouterr().out
    assert main(["cache", "list"]) == 2
