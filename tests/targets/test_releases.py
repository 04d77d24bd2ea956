"""What was published of a target, as pip and npm list it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bindproof.core.errors import UsageError
from bindproof.targets import building, node_target
from bindproof.targets.node_runtime import NodeRuntime
from bindproof.targets.releases import published
from bindproof.targets.unmet import Unmet


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was run; it prints what pip and npm print."""
    ran: list[str] = []

    def run(command: Sequence[str], cwd: Path, remedy: str) -> str:
        ran[:] = command
        if "pip" in command:
            return "WARNING: pip index is experimental\nnemo-relay (0.10.4)\nAvailable versions: 0.10.4, 0.10.0rc1"
        return '[\n "0.9.0",\n "0.10.0-rc.1"\n]'

    monkeypatch.setattr(building, "run", run)
    runtime = NodeRuntime(Path("node"), "24", "here")
    monkeypatch.setattr(node_target, "find_runtime", lambda *_: runtime)
    monkeypatch.setattr(node_target, "with_npm", lambda *_: (runtime, Path("npm-cli.js")))
    return ran


def test_pip_lists_them_with_pre_releases(words: list[str]) -> None:
    assert published("python", lambda _: None) == ["0.10.4", "0.10.0rc1"]
    assert words[1:5] == ["-m", "pip", "index", "versions"]
    assert words[-1] == "nemo-relay"


def test_npm_lists_them(words: list[str]) -> None:
    assert published("node", lambda _: None) == ["0.9.0", "0.10.0-rc.1"]
    assert words[:4] == ["node", "npm-cli.js", "view", "nemo-relay-node"]


def test_npm_prints_no_list_of_a_lone_release(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "run", lambda *_: '"0.9.0"')
    assert published("node", lambda _: None) == ["0.9.0"]


@pytest.mark.parametrize("adapter", ["python", "node"])
def test_a_list_that_is_none_or_does_not_come_is_told(
    adapter: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "run", lambda *_: "something else")
    with pytest.raises(UsageError, match=rf"lists no releases of nemo-relay.*\n.*--adapter {adapter}@RELEASE"):
        published(adapter, lambda _: None)

    def fail(*_: object) -> str:
        raise Unmet("there is no network", "connect it")

    monkeypatch.setattr(building, "run", fail)
    with pytest.raises(UsageError, match=r"cannot be listed: there is no network\n.*; or connect it"):
        published(adapter, lambda _: None)


def test_what_nothing_lists_is_named_instead() -> None:
    with pytest.raises(UsageError, match="nothing lists the releases of nemo-relay"):
        published("rust", lambda _: None)
