"""What is seen of the claims of a log, where they do not come out alike each time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from bindproof.core.request import RunRequest
from bindproof.results import AdapterLine, Broken, Emit, Fold, Line, RunLine, Speaks, VerdictLine, encode, read
from bindproof.runner import verifying
from bindproof.runner.log_claims import claims_of
from bindproof.runner.verifying import Verification, verify

READY = AdapterLine("t@1", "ready", target="t", version="1", suites=(Speaks("relay", "0.9", "d", 1),), program="ab")
HOLDS = VerdictLine("a/one", "relay", "t@1", "conforms", held=("OUT-001",))
BREAKS = VerdictLine("a/one", "relay", "t@1", "diverges", broken=(Broken("OUT-001"),))


class OfInputs:
    """What is read of a suite, as far as it is asked for."""

    vectors = (type("V", (), {"id": "a/one"}),)


@pytest.fixture
def verified(
    run_line: RunLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[Verification, list[RunRequest]]]:
    """Verifies a log of one verdict, where each run in turn has one of some others, or none."""

    def act(claimed: Line, *runs: Line | None) -> tuple[Verification, list[RunRequest]]:
        lines: list[Line] = [run_line, READY, claimed]
        path = tmp_path / "log.jsonl"
        path.write_bytes(b"".join(map(encode, [*lines, Fold.over(lines).summary()])))
        asked: list[RunRequest] = []

        def execute(request: RunRequest, emit: Emit, progress: object) -> None:
            now = runs[min(len(asked), len(runs) - 1)]
            asked.append(request)
            for line in [READY, *([now] if now is not None else [])]:
                emit(line)

        monkeypatch.setattr(verifying, "execute", execute)
        monkeypatch.setattr(verifying, "inputs_and_run_line", lambda request: ({"relay": OfInputs()}, run_line))
        with claims_of(read(path), None) as claims:
            return verify(claims, RunRequest(adapters=("t@1",)), lambda _: None), asked

    return act


def test_a_race_is_no_edit(verified: Callable[..., tuple[Verification, list[RunRequest]]]) -> None:
    found, asked = verified(BREAKS, HOLDS, HOLDS, BREAKS)
    assert found.doubts == ()
    assert found.unsteady == ("t@1 a/one",)
    assert found.seen == 1
    assert [request.vectors for request in asked] == [(), ("a/one",), ("a/one",)]


def test_what_never_comes_is_a_doubt(verified: Callable[..., tuple[Verification, list[RunRequest]]]) -> None:
    found, asked = verified(HOLDS, BREAKS)
    (doubt,) = found.doubts
    assert doubt.about == "verdict"
    assert doubt.text == "the log says: conforms, OUT-001 holds; seen is: diverges, OUT-001"
    assert (found.again, found.seen, len(asked)) == (1, 0, 1 + verifying.TRIES)
    (missing,) = verified(HOLDS, None)[0].doubts
    assert missing.text == "the log says: conforms; and no such scenario is run"


def test_a_known_divergence_is_not_an_unknown_one(
    verified: Callable[..., tuple[Verification, list[RunRequest]]],
) -> None:
    known = VerdictLine("a/one", "relay", "t@1", "diverges", broken=(Broken("OUT-001", expected_by="shipped#1"),))
    assert verified(known, BREAKS)[0].refuted


def test_of_many_verdicts_that_are_not_seen_some_are_told_and_all_are_counted(
    run_line: RunLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed = [replace(HOLDS, plan=f"a/{number}") for number in range(5)]
    lines: list[Line] = [run_line, READY, *claimed]
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(map(encode, [*lines, Fold.over(lines).summary()])))

    def execute(request: RunRequest, emit: Emit, progress: object) -> None:
        emit(READY)
        for verdict in (claimed[3], replace(BREAKS, plan="a/1"), replace(HOLDS, plan="a/new")):
            emit(verdict)

    monkeypatch.setattr(verifying, "execute", execute)
    monkeypatch.setattr(verifying, "inputs_and_run_line", lambda request: ({"relay": OfInputs()}, run_line))
    monkeypatch.setattr(verifying, "MOST_DOUBTED", 2)
    with claims_of(read(path), None) as claims:
        found = verify(claims, RunRequest(adapters=("t@1",)), lambda _: None)
    told = [doubt for doubt in found.doubts if doubt.about == "verdict"]
    assert [doubt.name for doubt in told] == ["t@1 a/0", "t@1 a/1"]
    assert (found.verdicts, found.again, found.seen, found.more, found.refuted) == (5, 5, 1, 3, True)
