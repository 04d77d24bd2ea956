"""What is kept between starts: given back for the same key alone, and only whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bindproof.core.memory import Place, is_used, keep_in, kept, key_of

KEY, OTHER = key_of([("a", b"1")], []), key_of([("a", b"2")], [])


@pytest.fixture
def place() -> Iterator[dict[str, bytes]]:
    """A place to keep in, as what is in it."""
    stored: dict[str, bytes] = {}
    before = keep_in(Place(stored.get, stored.__setitem__))
    yield stored
    keep_in(before)


class Worked:
    """Something that is worked out; it counts how often."""

    def __init__(self, value: dict[str, int]) -> None:
        self.value = value
        self.times = 0

    def __call__(self) -> dict[str, int]:
        self.times += 1
        return self.value


def ask(work: Worked, key: bytes = KEY, of: str = "/folder one") -> dict[str, int]:
    return kept("thing", of, key, dict[str, int], work)


def test_a_value_is_worked_out_once(place: dict[str, bytes]) -> None:
    work = Worked({"a": 1})
    assert [ask(work), ask(work)] == [{"a": 1}, {"a": 1}]
    assert work.times == 1
    assert [name.rpartition("-")[0] for name in place] == ["thing"]


def test_a_value_of_another_key_is_worked_out_and_takes_the_place(place: dict[str, bytes]) -> None:
    work = Worked({"a": 1})
    assert [ask(work), ask(work, OTHER), ask(work, OTHER), ask(work)] == [{"a": 1}] * 4
    assert (work.times, len(place)) == (3, 1)


def test_values_of_other_things_are_kept_beside(place: dict[str, bytes]) -> None:
    one, two = Worked({"a": 1}), Worked({"a": 2})
    assert [ask(one), ask(two, of="/folder two"), ask(one), ask(two, of="/folder two")] == [{"a": 1}, {"a": 2}] * 2
    assert (one.times, two.times, len(place)) == (1, 1, 2)


def test_bytes_that_were_changed_are_not_believed(place: dict[str, bytes]) -> None:
    ask(Worked({"a": 1}))
    ((name, whole),) = place.items()
    for at in range(len(whole)):
        for spoilt in (whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
            place[name] = spoilt
            assert ask(Worked({"a": 2})) == {"a": 2}


def test_bytes_of_another_kind_are_not_believed(place: dict[str, bytes]) -> None:
    kept("thing", "/folder one", KEY, list[str], lambda: ["x"])
    assert ask(Worked({"a": 1})) == {"a": 1}


def test_what_fails_is_not_kept(place: dict[str, bytes]) -> None:
    def fail() -> dict[str, int]:
        raise LookupError

    with pytest.raises(LookupError):
        kept("thing", "x", KEY, dict[str, int], fail)
    assert not place


def test_without_a_place_nothing_is_kept() -> None:
    work = Worked({"a": 1})
    before = keep_in(None)
    try:
        assert not is_used()
        assert [ask(work), ask(work)] == [{"a": 1}, {"a": 1}]
    finally:
        keep_in(before)
    assert work.times == 2


def test_a_key_differs_by_name_bytes_and_code(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.py").write_text("a = 1\n")
    files: list[list[tuple[str, bytes]]] = [[("a", b"bc")], [("ab", b"c")], [("a", b"b"), ("c", b"")], []]
    keys = [key_of(given, packages) for given in files for packages in ([], [tmp_path / "one"])]
    assert len(set(keys)) == len(keys)
