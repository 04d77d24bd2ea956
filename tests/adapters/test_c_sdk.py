"""The SDK for C libraries: what needs no library."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from bindproof_adapter import Inexpressible, Unsupported
from bindproof_adapter.relay import Source, at_once, octets
from bindproof_adapter.relay.recorder import Recorder
from bindproof_adapter.relay.streaming import Flows
from bindproof_c import Library, c_string, json_of, plain
from bindproof_c.relay import content_of, one_after_the_other, only_chunk, require_one_text
from bindproof_c.relay.memory import LARGE, Memory, large_texts

Json = Any


@pytest.mark.parametrize("value", [None, 1.0, "é\0\ud800\u2028", {"k": [True, {}]}])
def test_any_value_is_ascii_without_nul(value: Json) -> None:
    text = plain(value)
    assert b"\0" not in text
    assert json.loads(text.decode("ascii")) == value
    assert json_of(text.decode()) == value


def test_a_null_pointer_is_null() -> None:
    assert json_of(None) is None
    assert octets(None) is None


def test_a_cell_is_its_parts_in_order() -> None:
    assert octets("é") == b"\xc3\xa9"
    assert octets({"text": "a", "bytes": "ff", "pad": 2, "end": "z"}) == b"a\xff  z"


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_what_no_c_string_holds_is_inexpressible(text: str) -> None:
    assert c_string("name", "é") == b"\xc3\xa9"
    with pytest.raises(Inexpressible) as caught:
        c_string("name", text)
    assert caught.value.path == "name"


@pytest.mark.parametrize("reply", [None, {"content": 1}, {"headers": {"x": 1}, "content": 1}])
def test_encode_answers_with_content_alone(reply: Json) -> None:
    natural: Json = {"headers": {}, "content": 0}
    assert content_of({"headers": {}, "content": 1}, natural) == 1
    with pytest.raises(Inexpressible):
        content_of(reply, natural)


def test_memory_is_what_came_since_the_beginning() -> None:
    mappings = iter([3, 5])
    libc = SimpleNamespace(mallopt=lambda *_: 1, mallinfo2=lambda: SimpleNamespace(hblks=next(mappings)))
    memory = Memory(libc)
    memory.begin()
    assert memory.kept() == 2


def test_a_libc_that_cannot_count_is_unsupported() -> None:
    with pytest.raises(Unsupported) as caught:
        Memory(SimpleNamespace()).begin()
    assert caught.value.capability == "raw"


def test_the_large_texts_of_a_value_are_our_own() -> None:
    large = "x" * LARGE
    assert large_texts({"a": [large, 1, "small"], large: None}) == 2


def source_of(*ops: Json) -> Source:
    return Source("c.source", ops, Recorder([]), lambda step: None, Flows())


def test_the_only_chunk_is_the_answer() -> None:
    source = source_of({"op": "yield", "chunks": [{"n": 1}]})
    assert only_chunk(source, source.open({})) == {"n": 1}
    assert [fact["fact"] for fact in source.recorder.log] == ["enter", "leave", "chunk", "over"]


@pytest.mark.parametrize(("chunks", "count"), [([], 0), ([1, 2], 2)])
def test_any_other_number_of_chunks_is_inexpressible(chunks: Json, count: int) -> None:
    source = source_of({"op": "yield", "chunks": chunks})
    with pytest.raises(Inexpressible, match=f"one chunk, not {count}"):
        only_chunk(source, source.open({}))
    assert isinstance(source.recorder.stopped, Inexpressible)


@pytest.mark.parametrize(
    "ops",
    [
        [{"op": "hang"}],
        [{"op": "yield", "chunks": [1]}, {"op": "raise", "text": "boom-1!"}],
        [{"op": "yield", "chunks": []}, {"op": "next", "edits": [{}], "catch": False}],
    ],
)
def test_what_is_to_happen_after_the_answer_is_inexpressible(ops: Json) -> None:
    require_one_text([{"op": "next"}, {"op": "yield", "chunks": [1]}, {"op": "edit"}])
    require_one_text([{"op": "raise", "text": "boom-1!"}])
    with pytest.raises(Inexpressible) as caught:
        require_one_text(ops)
    assert caught.value.path == "chunks"


def test_a_coroutine_that_waits_is_no_callback() -> None:
    async def all_of() -> Json:
        return [chunk async for chunk in one_after_the_other(1, 2)]

    async def waiting() -> None:
        await asyncio.sleep(0)

    assert at_once(all_of()) == [1, 2]
    with pytest.raises(RuntimeError):
        at_once(waiting())


def test_a_callback_that_answers_with_a_status_says_why_it_fails() -> None:
    said: list[str] = []

    def fail(reason: str) -> int:
        said.append(reason)
        return 6

    def must_be_small(number: int) -> None:
        if number > 1:
            raise ValueError("too large")

    library: Any = SimpleNamespace(fail=fail)
    report = Library.reporting(library, must_be_small)
    assert [report(1), report(2)] == [0, 6]
    assert said == ["too large"]
