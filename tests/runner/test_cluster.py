"""A campaign on a cluster finds what one process finds, also when a worker dies in the middle."""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bindproof.cli import main
from bindproof.core.errors import UsageError
from bindproof.core.request import Campaign
from bindproof.results import AdapterLine, Fold, Line, RunLine, VerdictLine
from bindproof.runner import RunRequest, execute
from bindproof.runner.cluster import campaign_on, client_of
from tests.runner.test_execute import program

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
pytest.importorskip("cryptography")

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.long]

EXAMPLES = 24

QUICK = 13
"""A seed with three scenarios whose marks can be swapped, that are soon small."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with client_of("local", 2) as client:
        yield client


@pytest.fixture
def client(cluster: Any) -> Any:
    """A client of two workers; one that an earlier test killed has come back."""
    cluster.wait_for_workers(2, timeout=60)
    return cluster


def request(fake: str = "swaps_marks", **more: Any) -> RunRequest:
    campaign = Campaign(seed=QUICK, examples=EXAMPLES, **more)
    return RunRequest(adapter_commands=((fake, program(fake)),), campaign=campaign)


def found(lines: list[Line]) -> list[tuple[Any, ...]]:
    return sorted(
        (line.adapter, line.plan, line.outcome, line.held, tuple(broken.requirement for broken in line.broken))
        for line in lines
        if isinstance(line, VerdictLine)
    )


def test_a_worker_that_dies_in_the_middle_costs_nothing(client: Any) -> None:
    alone: list[Line] = []
    execute(request(), alone.append, lambda _: None)
    assert any(line.outcome == "diverges" for line in alone if isinstance(line, VerdictLine))

    lines: list[Line] = []
    pids = client.run(os.getpid)
    killed: list[str] = []

    def emit(line: Line) -> None:
        lines.append(line)
        if isinstance(line, VerdictLine) and not killed:
            busy = [worker for worker, tasks in client.processing().items() if tasks]
            killed.append(busy[0])
            os.kill(pids[busy[0]], signal.SIGKILL)

    campaign_on(client, request(), emit, lambda _: None, batch=6)

    assert killed
    assert killed[0] not in client.scheduler_info()["workers"]
    assert found(lines) == found(alone)
    assert Fold.over(lines).mismatch is None
    assert sum(isinstance(line, RunLine) for line in lines) == 1


def test_verdicts_come_as_they_are_found(client: Any) -> None:
    """Each batch's at once, not all at the end."""
    still_running: list[int] = []

    def emit(line: Line) -> None:
        if isinstance(line, VerdictLine):
            still_running.append(sum(map(len, client.processing().values())))

    campaign_on(client, request(), emit, lambda _: None, batch=8)
    assert len(still_running) == EXAMPLES
    assert max(still_running) > 0


def test_an_adapter_that_fails_is_told_once(client: Any) -> None:
    lines: list[Line] = []
    campaign_on(client, request("refuses_to_initialize"), lines.append, lambda _: None, batch=EXAMPLES)
    assert [line.state for line in lines if isinstance(line, AdapterLine)] == ["failed"]
    assert Fold.over(lines).summary().exit == 4


def test_the_command_line_reaches_the_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--adapter-command", f"r={program('reference')}", "--examples", "10", "--cluster", "local", "--jobs", "2"]
    assert main(["fuzz", *words]) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.startswith("1 of 1 adapter judged: ")
    # one of them may ask for what the dialect of a program of one's own has no words for
    assert sum(int(count) for count in re.findall(r"(\d+) (?:scenarios|inexpressible)", told)) == 10
    assert main(["fuzz", *words, "--shard", "1/2"]) == 2
    assert "leave out --shard" in capsys.readouterr().err


def test_nobody_answers_at_that_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bindproof.runner.cluster.PATIENCE", 0.5)
    with pytest.raises(UsageError, match="no scheduler answers there"), client_of("tcp://127.0.0.1:9", 1):
        pass


def test_what_is_no_scheduler_and_says_nothing_is_told_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bindproof.runner.cluster.PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(UsageError, match="no scheduler answers there: "), client_of(address, 1):
            pass


def test_a_worker_is_no_scheduler() -> None:
    with (
        distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            processes=False,
            protocol="tcp://",
            host="127.0.0.1",
            dashboard_address=None,
        ) as there,
        pytest.raises(UsageError, match="no scheduler answers there: 'Worker' answers"),
        client_of(there.workers[0].address, 1),
    ):
        pass


def test_a_cluster_of_this_machine_takes_nobody_elses_connection(client: Any) -> None:
    address = client.scheduler.address
    assert address.startswith("tls://127.0.0.1:")
    assert all(worker.startswith("tls://127.0.0.1:") for worker in client.scheduler_info()["workers"])
    plain = address.replace("tls://", "tcp://")
    with pytest.raises(UsageError, match="no scheduler answers there"), client_of(plain, 1):
        pass
    with pytest.raises(UsageError, match="no scheduler answers there"), client_of(address, 1):
        pass
    stranger = distributed.Security.temporary()
    with pytest.raises((OSError, TimeoutError)):
        distributed.Client(address, security=stranger, timeout=5)


def test_a_scheduler_with_tls_is_reached_by_the_settings_of_dask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = distributed.Security.temporary()
    files = {"ca-file": own.tls_ca_file, "client.cert": own.tls_client_cert, "client.key": own.tls_client_key}
    settings = {}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        settings[f"distributed.comm.tls.{name}"] = str(tmp_path / name)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, host="127.0.0.1", dashboard_address=None, security=own
    ) as there:
        address = there.scheduler_address
        with pytest.raises(UsageError, match="no scheduler answers there"), client_of(address, 1):
            pass
        with dask.config.set(settings), client_of(address, 1) as client:
            assert client.submit(sum, [1, 2]).result(timeout=30) == 3
