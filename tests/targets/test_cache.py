"""The cache: complete or absent, built once, whoever asks."""

from __future__ import annotations

import fcntl
import threading
from pathlib import Path

import pytest

from bindproof.targets.cache import cache_root, ensure, key_of
from bindproof.targets.hashes import content_hash, hash_files
from bindproof.targets.terms import Terms


def write_target(folder: Path) -> None:
    (folder / "target").write_text("built")


def never(_: Path) -> None:
    raise AssertionError("it was built already")


def test_the_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BINDPROOF_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_root() == tmp_path / "bindproof"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_root() == tmp_path / ".cache" / "bindproof"


def test_keys_are_readable_and_differ_by_every_part() -> None:
    key = key_of("python", "0.9.4", "a", "b")
    assert key.startswith("python-0.9.4-")
    assert (
        len({key, key_of("python", "0.9.4", "ab"), key_of("python", "0.9.4", "a", "c"), key_of("python", "1/2")}) == 4
    )
    assert "/" not in key_of("python", "../x")


def test_an_entry_is_built_once(cache: Path, said: list[str], terms: Terms) -> None:
    entry = ensure("k", write_target, terms)
    assert entry == cache / "k"
    assert ensure("k", never, terms) == entry
    assert not said
    assert sorted(path.name for path in cache.iterdir()) == ["k", "k.lock"]


def test_nothing_is_an_entry_before_its_rename(cache: Path, terms: Terms) -> None:
    def look(folder: Path) -> None:
        write_target(folder)
        assert folder.name == "k.part"
        assert not (cache / "k").exists()

    assert (ensure("k", look, terms) / "target").read_text() == "built"


def test_a_failed_build_leaves_nothing_and_may_be_tried_again(cache: Path, terms: Terms) -> None:
    def fail(folder: Path) -> None:
        write_target(folder)
        raise RuntimeError("no network")

    with pytest.raises(RuntimeError, match="no network"):
        ensure("k", fail, terms)
    assert [path.name for path in cache.iterdir()] == ["k.lock"]
    assert ensure("k", write_target, terms).is_dir()


def test_what_a_killed_build_left_is_thrown_away(cache: Path, terms: Terms) -> None:
    (cache / "k.part").mkdir(parents=True)
    (cache / "k.part" / "half").touch()
    assert [path.name for path in ensure("k", write_target, terms).iterdir()] == ["target"]


def test_the_second_waits_and_says_so(cache: Path, said: list[str]) -> None:
    cache.mkdir()
    waiting = threading.Event()

    def progress(text: str) -> None:
        said.append(text)
        waiting.set()

    with (cache / "k.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = threading.Thread(target=ensure, args=("k", never, Terms(progress)))
        second.start()
        assert waiting.wait(5)
        (cache / "k").mkdir()
    second.join(5)
    assert said == ["waiting for another process that builds k"]


def test_hashes_are_remembered_by_size_and_time(tmp_path: Path) -> None:
    root, memory = tmp_path / "package", tmp_path / "memory.json"
    (root / "__pycache__").mkdir(parents=True)
    (root / "__pycache__" / "a.pyc").touch()
    (root / "a.py").write_text("1")
    first = hash_files(root, [root], memory)
    assert list(first) == ["a.py"]
    known = memory.read_bytes()
    assert hash_files(root, [root], memory) == first
    assert memory.read_bytes() == known
    (root / "a.py").write_text("22")
    assert hash_files(root, [root], memory) != first


def test_the_content_of_a_folder_is_its_names_and_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "node_modules").mkdir(parents=True)
        (tmp_path / name / "index.js").write_text("x")
    (tmp_path / "two" / "node_modules" / "noise").touch()
    assert content_hash(tmp_path / "one") == content_hash(tmp_path / "two")
    (tmp_path / "two" / "index.js").rename(tmp_path / "two" / "main.js")
    assert content_hash(tmp_path / "one") != content_hash(tmp_path / "two")
