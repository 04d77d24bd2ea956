"""A run with several processes of an adapter gives the log that one process gives, but for the order of its lines."""

from __future__ import annotations

import pytest

from bindproof.results import Line, RunLine, encode
from bindproof.runner import RunRequest, execute
from tests.runner.test_execute import program

pytestmark = pytest.mark.long


def lines(fake: str, processes: int) -> list[bytes]:
    found: list[Line] = []
    request = RunRequest(
        adapter_commands=((fake, program(fake)),),
        vectors=("relay/marks/*", "relay/authority/*"),
        processes=processes,
    )
    execute(request, found.append, lambda _: None)
    return sorted(encode(line) for line in found if not isinstance(line, RunLine))


@pytest.mark.parametrize("fake", ["reference", pytest.param("swaps_marks", marks=pytest.mark.long)])
def test_the_log_does_not_depend_on_the_number_of_processes(fake: str) -> None:
    one = lines(fake, 1)
    assert len(one) > 50
    assert lines(fake, 3) == one
