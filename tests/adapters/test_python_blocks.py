"""Blocks as the Python SDK begins and ends them: what is raised in one has to pass out of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bindproof_adapter import Unsupported
from bindproof_adapter.relay.blocks import Blocks
from tests.adapters import toy

Json = Any

BEGIN: Json = {"as": "B", "name": "B"}
END: Json = {"step": "end", "of": "B", "timestamp": 7}


class Binding:
    """It notes how each of its blocks was left. swallows: it lets nothing pass out."""

    def __init__(self, *, swallows: bool = False) -> None:
        self.swallows = swallows
        self.seen: list[tuple[str, str | None, int | None]] = []

    def block(self, step: Json, ends_at: int | None) -> tuple[str, Callable[[BaseException | None], object]]:
        def leave(raised: BaseException | None) -> None:
            self.seen.append((step["name"], None if raised is None else str(raised), ends_at))
            if raised is not None and not self.swallows:
                raise raised

        return f"handle of {step['name']}", leave


def opened(binding: Any) -> Blocks:
    blocks = Blocks(binding, [END])
    assert blocks.begin(BEGIN) == "handle of B"
    return blocks


def test_a_block_is_told_at_its_begin_when_it_ends() -> None:
    binding = Binding()

    assert opened(binding).end(END)
    assert binding.seen == [("B", None, 7)]


def test_what_is_raised_in_a_block_passes_out_of_it_and_is_caught() -> None:
    binding = Binding()

    assert opened(binding).end({**END, "raises": "boom-1!"})
    assert binding.seen == [("B", "boom-1!", 7)]


def test_an_error_that_a_block_swallows_fails_its_end() -> None:
    with pytest.raises(LookupError, match="did not pass out"):
        opened(Binding(swallows=True)).end({**END, "raises": "boom-1!"})


def test_what_is_no_block_is_ended_by_others() -> None:
    assert not Blocks(toy.toy(), []).end(END)


def test_blocks_that_are_open_still_are_left() -> None:
    binding = Binding()

    opened(binding).end_all()

    assert binding.seen == [("B", None, 7)]


def test_a_binding_without_blocks_says_so() -> None:
    with pytest.raises(Unsupported):
        Blocks(toy.toy(), []).begin(BEGIN)
