"""The logs of shards make the log of the whole run, or say clearly why they do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bindproof.cli import main
from bindproof.core.errors import LogError
from bindproof.core.request import Campaign, Shard
from bindproof.results import AdapterLine, Fold, Line, RunLine, StaleLine, SummaryLine, VerdictLine, encode, read
from bindproof.runner import RunRequest, execute, merge
from bindproof.runner.sharding import part_of
from tests.runner.test_execute import expectations, program

MARKS = ("relay/marks/*",)


def lines_of(request: RunRequest) -> list[Line]:
    found: list[Line] = []
    execute(request, found.append, lambda _: None)
    return [*found, Fold.over(found).summary()]


def write(folder: Path, name: str, lines: list[Line]) -> Path:
    path = folder / name
    path.write_bytes(b"".join(map(encode, lines)))
    return path


def merged(logs: list[Path], known: str | None = None) -> list[Line]:
    found: list[Line] = []
    merge(logs, known, found.append)
    return found


def comparable(lines: list[Line]) -> list[bytes]:
    return sorted(encode(line) for line in lines if not isinstance(line, RunLine | SummaryLine))


@pytest.mark.parametrize("count", range(7))
def test_parts_are_all_items_each_once_and_of_one_size(count: int) -> None:
    items = list(range(count))
    for of in range(1, 9):
        parts = [part_of(items, Shard(number, of)) for number in range(1, of + 1)]
        assert sorted(item for part in parts for item in part) == items
        assert max(map(len, parts)) - min(map(len, parts)) <= 1


def shards(folder: Path, request: RunRequest, of: int) -> list[Path]:
    return [
        write(folder, f"{number}.jsonl", lines_of(msgspec.structs.replace(request, shard=Shard(number, of))))
        for number in range(1, of + 1)
    ]


@pytest.mark.parametrize("fake", ["reference", pytest.param("swaps_marks", marks=pytest.mark.long)])
def test_three_shards_make_the_log_of_the_whole(fake: str, tmp_path: Path) -> None:
    known = expectations(tmp_path, requirement="MRK-002")
    request = RunRequest(adapter_commands=((fake, program(fake)),), vectors=MARKS, expectations=known)
    whole = lines_of(request)
    logs = shards(tmp_path, request, 3)
    found = merged(logs[::-1], known)

    run, first = found[0], whole[0]
    assert isinstance(run, RunLine)
    assert isinstance(first, RunLine)
    assert msgspec.structs.replace(run, started="") == msgspec.structs.replace(first, started="")
    if fake == "reference":
        assert comparable(found) == comparable(whole)
        assert [line.requirement for line in found if isinstance(line, StaleLine)] == ["MRK-002"]
    else:  # each shard confirms what is the smallest scenario among its own
        assert judged(found) == judged(whole)
    assert Fold.over(found).summary() == whole[-1]


def judged(lines: list[Line]) -> list[tuple[Any, ...]]:
    return sorted(
        (line.plan, line.outcome, line.held, tuple(b.requirement for b in line.broken))
        for line in lines
        if isinstance(line, VerdictLine)
    )


@pytest.mark.long
def test_only_the_whole_is_held_against_the_expectations(tmp_path: Path) -> None:
    known = expectations(tmp_path, requirement="MRK-002")
    request = RunRequest(adapter_commands=(("reference", program("reference")),), vectors=MARKS, expectations=known)
    logs = shards(tmp_path, request, 2)

    assert not [line for log in logs for line in read(log) if isinstance(line, StaleLine)]
    assert [Fold.over(read(log)).summary().exit for log in logs] == [0, 0]
    assert Fold.over(merged(logs, known)).summary().exit == 1
    assert Fold.over(merged(logs)).summary().exit == 0


@pytest.mark.long
def test_a_shard_without_scenarios_is_no_failure(tmp_path: Path) -> None:
    one = ("relay/marks/two-in-order",)
    request = RunRequest(adapter_commands=(("reference", program("reference")),), vectors=one)
    logs = shards(tmp_path, request, 2)

    assert [Fold.over(read(log)).summary().exit for log in logs] == [0, 0]
    assert Fold.over(merged(logs)).summary().selected == 1


Lines = list[Line]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lines, Lines]:
    request = RunRequest(adapter_commands=(("reference", program("reference")),), vectors=MARKS)
    first, second = (lines_of(msgspec.structs.replace(request, shard=Shard(number, 2))) for number in (1, 2))
    return first, second


def changed(kind: type, **fields: Any) -> Callable[[Lines], Lines]:
    def change(lines: Lines) -> Lines:
        return [msgspec.structs.replace(line, **fields) if isinstance(line, kind) else line for line in lines]

    return change


def asked(**fields: Any) -> Callable[[Lines], Lines]:
    def change(lines: Lines) -> Lines:
        run, *rest = lines
        assert isinstance(run, RunLine)
        request = msgspec.structs.replace(run.request, **fields)
        return [msgspec.structs.replace(run, request=request), *rest]

    return change


WRONG = [
    (asked(shard=None), "2.jsonl:1: this is the log of a whole run"),
    (asked(shard=Shard(1, 2)), "2.jsonl:1: this is shard 1/2 again; "),
    (asked(shard=Shard(2, 3)), "2.jsonl:1: this is shard 2/3, but "),
    (changed(RunLine, bindproof="9.9"), "the version of bindproof differs: 0.1.0 and 9.9"),
    (changed(RunLine, spec="00"), "2.jsonl:1: this is of another run than "),
    (asked(vectors=()), "the vectors that were chosen differs: relay/marks/* and none chosen"),
    (asked(fault="swap_marks"), "the planted fault differs: none and swap_marks"),
    (asked(campaign=Campaign(examples=9)), "the command differs: run and fuzz"),
    (changed(AdapterLine, version="0.9"), "adapter reference is bindproof-reference 0.9, relay edition 0.10 "),
    (changed(AdapterLine, program="00" * 32), "its own code 000000000000 here, but "),
    (changed(AdapterLine, state="unavailable", reason="it is not there"), "was unavailable here, but not in "),
    (changed(SummaryLine, interrupted=True), "shard 2/2 was cut short; finish it: bindproof run --continue "),
    (changed(SummaryLine, bug="Traceback", why="bindproof itself failed"), "ended early (bindproof itself failed)"),
    (lambda lines: lines[:-1], "shard 2/2 was cut short; finish it: "),
    (
        lambda lines: [line for line in lines if not isinstance(line, AdapterLine | VerdictLine)],
        "it says nothing of adapter reference",
    ),
]


@pytest.mark.long
@pytest.mark.parametrize(("change", "said"), WRONG)
def test_logs_that_do_not_fit_together(
    pair: tuple[Lines, Lines], tmp_path: Path, change: Callable[[Lines], Lines], said: str
) -> None:
    logs = [write(tmp_path, "1.jsonl", pair[0]), write(tmp_path, "2.jsonl", change(pair[1]))]
    with pytest.raises(LogError) as caught:
        merged(logs)
    assert said in str(caught.value)


def test_missing_shards_are_named(pair: tuple[Lines, Lines], tmp_path: Path) -> None:
    (log,) = [write(tmp_path, "1.jsonl", asked(shard=Shard(2, 4))(pair[0]))]
    with pytest.raises(LogError, match=r"this is shard 2/4, and of the others 1, 3, 4 is missing"):
        merged([log])


def test_another_spec_than_ours_cannot_be_held_against_our_expectations(
    pair: tuple[Lines, Lines], tmp_path: Path
) -> None:
    logs = [write(tmp_path, f"{n}.jsonl", changed(RunLine, spec="00")(lines)) for n, lines in enumerate(pair)]
    with pytest.raises(LogError, match="another spec than this bindproof has"):
        merged(logs)


def test_an_adapter_that_failed_in_one_shard_failed_in_the_whole(pair: tuple[Lines, Lines], tmp_path: Path) -> None:
    failed = AdapterLine("reference", "failed", required=True, reason="it died")
    logs = [
        write(tmp_path, "1.jsonl", pair[0]),
        write(tmp_path, "2.jsonl", [*pair[1][:-1], failed, pair[1][-1]]),
    ]
    summary = Fold.over(merged(logs)).summary()
    assert (summary.exit, summary.why) == (4, "adapter reference failed")


@pytest.mark.long
def test_the_command_reports_on_the_whole_and_writes_its_log(
    pair: tuple[Lines, Lines], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = [str(write(tmp_path, f"{n}.jsonl", lines)) for n, lines in enumerate(pair)]
    out = tmp_path / "whole.jsonl"
    assert main(["merge", *logs, "-o", str(out)]) == 0
    selected = sum(line.selected for lines in pair for line in lines if isinstance(line, SummaryLine))
    assert f"1 of 1 adapter judged: {selected} scenarios" in capsys.readouterr().out
    lines = list(read(out))
    assert isinstance(lines[-1], SummaryLine)
    assert lines[-1].selected == selected
    assert main(["merge", *logs, "-o", logs[0]]) == 2
    assert "is one of the logs to merge" in capsys.readouterr().err
