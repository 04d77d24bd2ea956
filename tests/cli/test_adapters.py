"""`adapters list|build|check`, with adapters that were found beforehand."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import pytest

import bindproof.drive
import bindproof.runner
import bindproof.targets
from bindproof.cli import main
from bindproof.core.model import AdapterCommand, TargetInfo, Unavailable
from bindproof.drive import Failed, Ready
from bindproof.runner.fault_trials import Planted
from bindproof.suites import Fault

FILES = {"native.node": "cd" * 32, "index.js": "ab" * 32}
WHOLE = hashlib.sha256(f"{'ab' * 32}  index.js\n{'cd' * 32}  native.node\n".encode()).hexdigest()
COMMAND = AdapterCommand("node", ("node", "adapter.mjs"), {}, "/cache/node", FILES, "0.9.2")
BARE = AdapterCommand("node without its package", ("node", "adapter.mjs"), {}, "/cache/bare")
INFO = TargetInfo("node", "1", "nemo-relay-node", "0.9.2", "javascript", "node 24", {"relay": {"dialect": "node"}})
REFUSES = Failed("node", "it answered initialize with an error: the package is not there")


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Ready | Failed]:
    answers: dict[str, Ready | Failed] = {COMMAND.name: Ready("node", INFO), BARE.name: REFUSES}

    def drive(runs: list[tuple[AdapterCommand, Any]], *_: Any) -> Iterator[Ready | Failed]:
        yield from (answers[command.name] for command, _ in runs)

    monkeypatch.setattr(bindproof.drive, "drive", drive)
    monkeypatch.setattr(bindproof.targets, "resolve", lambda *_, **__: COMMAND)
    monkeypatch.setattr(bindproof.targets, "without_target", lambda _: BARE)
    monkeypatch.setattr(bindproof.targets, "default_names", lambda: ["node"])
    return answers


def test_check_shows_what_answers_and_that_it_needs_its_package(
    answers: dict[str, Ready | Failed], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["adapters", "check"]) == 0
    assert capsys.readouterr().out == (
        "node: nemo-relay-node 0.9.2\n"
        "  language    javascript, node 24\n"
        "  suite       relay, dialect node\n"
        "  without it  refuses to initialize, as it must: it answered initialize with an error: "
        "the package is not there\n"
        f"  files       2 files, sha256 over their hashes and names {WHOLE}\n"
        f"    {'cd' * 32}  native.node\n"
        "    each of them: bindproof adapters check node --files\n"
    )
    assert main(["adapters", "check", "--files"]) == 0
    assert f"\n    {'ab' * 32}  index.js\n    {'cd' * 32}  native.node\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "terms"),
    [
        (["check"], {"sources": False, "anew": False}),
        (["check", "--files"], {"sources": False, "anew": True}),
        (["build"], {"sources": False, "anew": False}),
        (["build", "--allow-source-builds"], {"sources": True, "anew": False}),
    ],
)
def test_flags_are_the_terms(
    answers: dict[str, Ready | Failed], monkeypatch: pytest.MonkeyPatch, words: list[str], terms: dict[str, bool]
) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr(bindproof.targets, "resolve", lambda *_, **named: given.update(named) or COMMAND)
    assert main(["adapters", *words, "node"]) == 0
    assert given.items() >= terms.items()


def test_an_adapter_that_answers_without_its_package_is_no_proof(
    answers: dict[str, Ready | Failed], capsys: pytest.CaptureFixture[str]
) -> None:
    answers[BARE.name] = Ready("node", INFO)
    assert main(["adapters", "check", "node"]) == 4
    assert "WRONG: without its package it still initializes, as nemo-relay-node 0.9.2" in capsys.readouterr().out


def test_an_adapter_that_does_not_initialize(
    answers: dict[str, Ready | Failed], capsys: pytest.CaptureFixture[str]
) -> None:
    answers[COMMAND.name] = REFUSES
    assert main(["adapters", "check", "node"]) == 4
    assert capsys.readouterr().out.startswith("node: it does not initialize: it answered initialize with an error")


def test_an_adapter_without_a_package(
    answers: dict[str, Ready | Failed], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bindproof.targets, "without_target", lambda _: None)
    assert main(["adapters", "check", "node"]) == 0
    assert "nothing to take away" in capsys.readouterr().out


@pytest.mark.parametrize("part", ["build", "check"])
def test_an_unavailable_adapter(part: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    missing = Unavailable("node", "no node of version 24 was found", "install one")
    monkeypatch.setattr(bindproof.targets, "resolve", lambda *_, **__: missing)
    assert main(["adapters", part, "node"]) == 3
    assert capsys.readouterr().out == "node: unavailable: no node of version 24 was found\n  to have it: install one\n"


def test_build_says_where_it_is(answers: dict[str, Ready | Failed], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["adapters", "build"]) == 0
    assert capsys.readouterr().out == "node: ready, version 0.9.2, in /cache/node\n"


def test_list_names_every_adapter_and_how_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["adapters", "list"]) == 0
    out = capsys.readouterr().out
    assert "\nnode (judged by default): " in f"\n{out}"
    assert "\n  nemo-relay-node " in out


def test_an_unknown_adapter_is_the_users_to_mend(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["adapters", "build", "cobol"]) == 2
    assert capsys.readouterr().err.startswith("bindproof: there is no adapter 'cobol'; known: ")

    assert main(["adapters", "build", "pyhton"]) == 2
    assert "there is no adapter 'pyhton'; did you mean python? known: " in capsys.readouterr().err


def planted(name: str, named: set[str], broken: set[str], count: int) -> Planted:
    fault = Fault(name, "a title", tuple(sorted(named)), lambda scenario, log, dialect, edition: None)
    return Planted(fault, frozenset(named), frozenset(broken), count)


def test_faults_are_listed_with_what_they_break(
    answers: dict[str, Ready | Failed], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    exact = [planted("swap_marks", {"MRK-002"}, {"MRK-002"}, 19), planted("wrap_exception", set(), set(), 0)]
    monkeypatch.setattr(bindproof.runner, "check_faults", lambda name, progress: exact)
    assert main(["adapters", "check", "node", "--faults"]) == 0
    assert capsys.readouterr().out == (
        "node: faults, the scenarios that each spoils between adapter and judge, and what it breaks there\n"
        "  swap_marks              19  MRK-002\n"
        "  wrap_exception           0  nothing here to spoil\n"
        "each of the 2 faults breaks what it names and nothing else\n"
    )


def test_a_fault_that_breaks_something_else_is_red(
    answers: dict[str, Ready | Failed], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inexact = [planted("swap_marks", {"MRK-002"}, {"MRK-002", "MRK-006"}, 19)]
    monkeypatch.setattr(bindproof.runner, "check_faults", lambda name, progress: inexact)
    assert main(["adapters", "check", "node", "--faults"]) == 1
    assert "  MRK-002, MRK-006  WRONG: it names MRK-002\n1 of 1 faults" in capsys.readouterr().out


def test_check_of_several_adapters_exits_with_the_code_that_counts_first(
    answers: dict[str, Ready | Failed], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = Unavailable("node", "no node of version 24 was found", "install one")
    found: dict[str, AdapterCommand | Unavailable] = {"python": COMMAND, "node": missing}
    inexact = [planted("swap_marks", {"MRK-002"}, set(), 19)]
    monkeypatch.setattr(bindproof.targets, "resolve", lambda name, **_: found[name])
    monkeypatch.setattr(bindproof.runner, "check_faults", lambda name, progress: inexact)
    assert main(["adapters", "check", "--faults", "python", "node"]) == 1
    assert main(["adapters", "check", "--faults", "node", "python"]) == 1
    assert main(["adapters", "check", "python", "node"]) == 3
