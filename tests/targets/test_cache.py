"""The cache: complete or absent, built once, whoever asks."""

from __future__ import annotations

import os
import re
import stat
import threading
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from bindproof.targets import hashes
from bindproof.targets.cache import cache_root, empty_folder, ensure, hash_files, key_of, recalled, remember
from bindproof.targets.hashes import content_hash
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet


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
    assert (entry.folder, entry.files()) == (cache / "k", {"target": sha256(b"built").hexdigest()})
    assert ensure("k", never, terms) == entry
    assert not said
    assert sorted(path.name for path in cache.iterdir()) == ["k", "k.lock", "k.seal"]


def test_nothing_is_an_entry_before_its_rename(cache: Path, terms: Terms) -> None:
    def look(folder: Path) -> None:
        write_target(folder)
        assert folder.name == "k.part"
        assert not (cache / "k").exists()

    assert (ensure("k", look, terms).folder / "target").read_text() == "built"


def test_a_failed_build_leaves_nothing_and_may_be_tried_again(cache: Path, terms: Terms) -> None:
    def fail(folder: Path) -> None:
        write_target(folder)
        raise RuntimeError("no network")

    with pytest.raises(RuntimeError, match="no network"):
        ensure("k", fail, terms)
    assert [path.name for path in cache.iterdir()] == ["k.lock"]
    assert ensure("k", write_target, terms).folder.is_dir()


def test_what_a_killed_build_left_is_thrown_away(cache: Path, terms: Terms) -> None:
    cache.mkdir(mode=0o700)
    (cache / "k.part").mkdir()
    (cache / "k.part" / "half").touch()
    assert [path.name for path in ensure("k", write_target, terms).folder.iterdir()] == ["target"]


def test_the_second_waits_and_says_so(cache: Path, said: list[str], terms: Terms) -> None:
    waiting = threading.Event()

    def progress(text: str) -> None:
        said.append(text)
        waiting.set()

    def build(folder: Path) -> None:
        second.start()
        assert waiting.wait(5)
        write_target(folder)

    second = threading.Thread(target=ensure, args=("k", never, Terms(progress)))
    ensure("k", build, terms)
    second.join(5)
    assert said == ["waiting for another process that builds k"]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_cache_is_for_nobody_else(cache: Path, terms: Terms) -> None:
    entry = ensure("k", write_target, terms).folder
    assert (mode(cache), mode(entry), mode(cache / "k.seal"), mode(cache / "k.lock")) == (0o700, 0o700, 0o600, 0o600)


def test_a_cache_that_others_may_read_is_closed_to_them(cache: Path, terms: Terms) -> None:
    key = key_of("python", "1")
    entry = ensure(key, write_target, terms)
    cache.chmod(0o755)
    assert ensure(key, never, terms) == entry
    assert mode(cache) == 0o700


def test_what_others_could_write_is_built_anew(cache: Path, said: list[str], terms: Terms) -> None:
    key = key_of("python", "1")
    ensure(key, write_target, terms)
    cache.chmod(0o770)
    ensure(key, write_target, terms)
    assert mode(cache) == 0o700
    assert said == [f"{key} has no seal: it is built anew"]


@pytest.mark.parametrize("bits", [0o755, 0o777])
def test_a_folder_of_other_things_is_left_as_it_is(cache: Path, terms: Terms, bits: int) -> None:
    cache.mkdir()
    cache.chmod(bits)
    (cache / "letters").mkdir()
    with pytest.raises(Unmet, match="holds more than a cache does, such as letters") as refused:
        ensure("k", write_target, terms)
    assert "BINDPROOF_CACHE" in refused.value.remedy
    assert (mode(cache), [path.name for path in cache.iterdir()]) == (bits, ["letters"])


def test_a_cache_of_another_user_is_refused(cache: Path, terms: Terms, monkeypatch: pytest.MonkeyPatch) -> None:
    ensure("k", write_target, terms)
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(Unmet, match=f"belongs to another user, number {owner}"):
        ensure("k", never, terms)


@pytest.mark.parametrize("name", ["k", "k.lock", "k.seal", "k.part"])
def test_a_link_in_the_cache_is_not_followed(cache: Path, tmp_path: Path, terms: Terms, name: str) -> None:
    other = tmp_path / "other"
    (other if name in ("k", "k.part") else tmp_path).mkdir(exist_ok=True)
    victim = other / "file" if other.is_dir() else other
    victim.write_text("precious")
    cache.mkdir(mode=0o700)
    (cache / name).symlink_to(other)
    if name == "k.seal":
        (cache / "k").mkdir()
    with pytest.raises(Unmet, match=rf"/{name} is a link"):
        ensure("k", write_target, terms)
    assert victim.read_text() == "precious"


def test_a_link_under_a_remembered_name_is_not_followed(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"precious")
    cache.mkdir(mode=0o700)
    (cache / "name").symlink_to(tmp_path / "precious")
    assert recalled("name") is None
    remember("name", b"data")
    assert ((tmp_path / "precious").read_bytes(), recalled("name")) == (b"precious", b"data")


def appended(entry: Path) -> None:
    with (entry / "target").open("a") as file:
        file.write("!")


def disguised(entry: Path) -> None:
    """The same size and the same time: only the system's own time of the last change tells."""
    before = (entry / "target").stat()
    (entry / "target").write_text("BUILT")
    os.utime(entry / "target", ns=(before.st_atime_ns, before.st_mtime_ns))


def added(entry: Path) -> None:
    (entry / "__pycache__").mkdir()
    (entry / "__pycache__" / "target.pyc").touch()


def removed(entry: Path) -> None:
    (entry / "target").unlink()


def linked(entry: Path) -> None:
    (entry / "target").rename(entry.with_name("elsewhere"))
    (entry / "target").symlink_to(entry.with_name("elsewhere"))


@pytest.mark.parametrize("change", [appended, disguised, added, removed, linked])
def test_an_entry_that_was_changed_is_built_anew(said: list[str], terms: Terms, change: Callable[[Path], None]) -> None:
    entry = ensure("k", write_target, terms)
    change(entry.folder)
    again = ensure("k", write_target, terms)
    assert (again, (again.folder / "target").read_text()) == (entry, "built")
    assert len(said) == 1
    assert re.fullmatch(r"k is not what was built \((__pycache__/)?target(\.pyc)?\): it is built anew", said[0])


def test_an_entry_from_before_seals_is_built_anew(cache: Path, said: list[str], terms: Terms) -> None:
    cache.mkdir(mode=0o700)
    (cache / "k").mkdir()
    (cache / "k" / "target").write_text("of unknown making")
    assert (ensure("k", write_target, terms).folder / "target").read_text() == "built"
    assert said == ["k has no seal: it is built anew"]


@pytest.mark.parametrize("data", [b"", b"{", b'{"target": [1]}'])
def test_half_a_seal_is_none(cache: Path, said: list[str], terms: Terms, data: bytes) -> None:
    ensure("k", write_target, terms)
    (cache / "k.seal").write_bytes(data)
    ensure("k", write_target, terms)
    assert said == ["k has no seal: it is built anew"]


def test_an_entry_that_was_moved_here_is_read_once_more(cache: Path, terms: Terms) -> None:
    entry = ensure("k", write_target, terms)
    before = (cache / "k.seal").read_bytes()
    os.utime(entry.folder / "target")
    assert ensure("k", never, terms) == entry
    after = (cache / "k.seal").read_bytes()
    assert before != after
    assert ensure("k", never, terms) == entry
    assert (cache / "k.seal").read_bytes() == after


def test_an_entry_that_fits_its_seal_is_used_whoever_made_both(
    cache: Path, tmp_path: Path, terms: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_another(folder: Path) -> None:
        (folder / "target").write_text("a stranger's")

    monkeypatch.setenv("BINDPROOF_CACHE", str(tmp_path / "strange"))
    ensure("k", write_another, terms)
    (tmp_path / "strange").rename(cache)

    monkeypatch.setenv("BINDPROOF_CACHE", str(cache))
    assert (ensure("k", never, terms).folder / "target").read_text() == "a stranger's"


def test_a_file_that_is_known_is_read_where_it_is_asked_for(
    said: list[str], terms: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = ensure("k", write_target, terms)
    read: list[str] = []
    digest_of = hashes._sha256

    def noted(path: str) -> str:
        read.append(path)
        return digest_of(path)

    monkeypatch.setattr(hashes, "_sha256", noted)
    ensure("k", never, terms)
    assert read == []
    ensure("k", never, Terms(said.append, anew=True))
    assert read == [str(entry.folder / "target")]


def test_of_a_large_entry_what_is_used_is_held_against_the_seal(terms: Terms, said: list[str]) -> None:
    def build(folder: Path) -> None:
        (folder / "bin").mkdir()
        (folder / "bin" / "node").write_text("node")
        (folder / "npm").write_text("npm")

    entry = ensure("k", build, terms, used=["bin"])
    (entry.folder / "npm").write_text("changed")
    assert ensure("k", never, terms, used=["bin"]) == entry
    (entry.folder / "bin" / "node").write_text("changed")
    (entry.folder / "bin" / "more").touch()
    ensure("k", build, terms, used=["bin"])
    (entry.folder / "npm").write_text("changed")
    ensure("k", build, terms)
    (entry.folder / "bin" / "node").unlink()
    ensure("k", build, terms, used=["bin/node"])
    assert said == [
        "k is not what was built (bin/more and 1 more): it is built anew",
        "k is not what was built (npm): it is built anew",
        "k is not what was built (bin/node): it is built anew",
    ]


def test_files_are_given_below_a_folder(terms: Terms) -> None:
    def build(folder: Path) -> None:
        for path in ("a/one", "a/two/three", "a/__pycache__/one.pyc", "ab/four"):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).touch()

    entry = ensure("k", build, terms)
    assert list(entry.files(of="a")) == ["one", "two/three"]
    assert list(entry.files("a/two", "ab")) == ["a/two/three", "ab/four"]
    assert "a/__pycache__/one.pyc" in entry.sealed


def test_an_empty_folder_is_empty(cache: Path) -> None:
    (empty_folder() / "left").touch()
    assert list(empty_folder().iterdir()) == []


def test_hashes_are_remembered_while_nothing_changes(tmp_path: Path, cache: Path) -> None:
    root = tmp_path / "package"
    (root / "__pycache__").mkdir(parents=True)
    (root / "__pycache__" / "a.pyc").touch()
    (root / "a.py").write_text("1")
    first = hash_files(root, [root], "memory")
    assert list(first) == ["a.py"]
    known = (cache / "memory.json").read_bytes()
    assert hash_files(root, [root], "memory") == first
    assert (cache / "memory.json").read_bytes() == known
    before = (root / "a.py").stat()
    (root / "a.py").write_text("2")
    os.utime(root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert hash_files(root, [root], "memory") != first


def test_hashes_are_taken_anew_where_it_is_asked_for(tmp_path: Path, cache: Path) -> None:
    root = tmp_path / "package"
    root.mkdir()
    (root / "a.py").write_text("1")
    first = hash_files(root, [root], "memory")
    memory = cache / "memory.json"
    memory.write_text(memory.read_text().replace(first["a.py"], "00" * 32))
    assert hash_files(root, [root], "memory") == {"a.py": "00" * 32}
    assert hash_files(root, [root], "memory", anew=True) == first


def test_a_link_to_a_file_is_hashed_as_the_file_where_folders_are_the_users(tmp_path: Path) -> None:
    root = tmp_path / "package"
    root.mkdir()
    (tmp_path / "file").write_text("1")
    (root / "a.py").symlink_to(tmp_path / "file")
    (root / "broken").symlink_to(tmp_path / "nowhere")
    (root / "folder").symlink_to(tmp_path)
    first = content_hash(root)
    (tmp_path / "file").write_text("2")
    assert content_hash(root) != first


def test_the_content_of_a_folder_is_its_names_and_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "node_modules").mkdir(parents=True)
        (tmp_path / name / "index.js").write_text("x")
    (tmp_path / "two" / "node_modules" / "noise").touch()
    assert content_hash(tmp_path / "one") == content_hash(tmp_path / "two")
    (tmp_path / "two" / "index.js").rename(tmp_path / "two" / "main.js")
    assert content_hash(tmp_path / "one") != content_hash(tmp_path / "two")
