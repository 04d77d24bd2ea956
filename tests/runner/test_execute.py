"""Whole runs with adapters that have one fault each, from the command line's words to its exit code."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bindproof.cli import main
from bindproof.core import paths
from bindproof.core.errors import SpecError
from bindproof.core.memory import Place, keep_in
from bindproof.core.origins import FromVector, TwinOf
from bindproof.report.digest import Digest
from bindproof.results import AdapterLine, Fold, Line, RunLine, StaleLine, VerdictLine
from bindproof.runner import RunRequest, execute
from bindproof.spec import all_installed
from bindproof.targets.cache import remember
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.long

Json = Any

FAKES = REPOSITORY / "tests" / "fakes"
PATHS = [REPOSITORY, REPOSITORY / "adapters" / "sdk" / "python", REPOSITORY / "reference_impl"]
REFERENCE = REPOSITORY / "adapters" / "reference" / "adapter.py"
WIRE = REPOSITORY / "spec" / "relay" / "dialects" / "wire.toml"


def program(name: str) -> str:
    """The command line of a fake, or of the reference's own program."""
    chosen = ["--suite", "relay", "bindproof_reference.relay", "0.10", str(WIRE)]
    words = [str(REFERENCE), *chosen] if name == "reference" else [str(FAKES / f"{name}.py")]
    path = ":".join(map(str, PATHS))
    return shlex.join(["env", f"PYTHONPATH={path}", sys.executable, "-S", *words])


class Ran:
    """The lines of one run of one fake."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.verdicts = {line.plan: line for line in lines if isinstance(line, VerdictLine)}
        self.adapters = [line for line in lines if isinstance(line, AdapterLine)]
        self.stale = [line for line in lines if isinstance(line, StaleLine)]

    def outcomes(self) -> dict[str, list[str]]:
        """Plans by outcome."""
        found: dict[str, list[str]] = {}
        for plan, line in self.verdicts.items():
            found.setdefault(line.outcome, []).append(plan)
        return found


def run(fake: str, *vectors: str, **more: Json) -> Ran:
    lines: list[Line] = []
    request = RunRequest(adapter_commands=((fake, program(fake)),), vectors=vectors, **more)
    execute(request, lines.append, lambda words: None)
    return Ran(lines)


Exits = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def suites_as_read() -> dict[str, bytes]:
    """What is kept of the suites that are installed."""
    stored: dict[str, bytes] = {}
    before = keep_in(Place(stored.get, stored.__setitem__))
    all_installed()
    keep_in(before)
    return stored


@pytest.fixture
def exits(
    suites_as_read: dict[str, bytes],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Exits:
    """Runs the command line: exit code, stdout, stderr. The cache of the test has nothing but the suites in it."""
    monkeypatch.setenv("BINDPROOF_CACHE", str(tmp_path / "cache"))
    for name, data in suites_as_read.items():
        remember(name, data)

    def enter(*words: str) -> tuple[int, str, str]:
        code = main(list(words))
        out, err = capsys.readouterr()
        return code, out, err

    return enter


def test_the_reference_conforms_on_every_vector() -> None:
    ran = run("reference")
    assert set(ran.outcomes()) == {"conforms"}
    (adapter,) = ran.adapters
    assert (adapter.state, adapter.target, adapter.required) == ("ready", "bindproof-reference", True)
    assert adapter.suites[0].selected == len(ran.verdicts)
    assert isinstance(ran.lines[0], RunLine)
    held = {name for line in ran.verdicts.values() for name in line.held}
    applied = {r.id for r in ran.lines[0].suites[0].requirements if r.applies("0.10", "wire")}
    assert applied <= held


def test_a_divergence_is_tried_again_and_told_with_its_evidence() -> None:
    ran = run("swaps_marks", "relay/marks/two-in-order", "relay/marks/none")
    line = ran.verdicts["relay/marks/two-in-order"]
    assert (line.outcome, line.reproduced) == ("diverges", "always")
    assert [broken.requirement for broken in line.broken] == ["MRK-002"]
    assert line.observation
    assert line.prediction
    assert ran.verdicts["relay/marks/none"].outcome == "conforms"


def vector_file(folder: Path, name: str) -> str:
    """A vector whose call has this name and two marks, in a file of the first letter of the name."""
    marks = {"op": "edit", "append": {"/pending_marks": [{"name": "m"}, {"name": "n"}]}}
    intercept = {"step": "register", "family": "llm.request", "name": "i", "do": [marks]}
    steps = [{"step": "register", "family": "subscriber", "name": "s"}, intercept, {"step": "call", "name": name}]
    file = folder / f"{name[0]}.json"
    file.write_text(json.dumps({"title": name, "exercises": ["MRK-002"], "scenario": {"steps": steps}}))
    return str(file)


def test_of_alike_failures_the_one_that_is_confirmed_is_the_one_that_is_shown(tmp_path: Path) -> None:
    files = tuple(vector_file(tmp_path, name) for name in ("é" * 12, "a" * 16))
    lines: list[Line] = []
    commands = (("swaps_marks", program("swaps_marks")),)
    execute(RunRequest(suite="relay", adapter_commands=commands, files=files), lines.append, lambda words: None)
    (shown,) = Digest.over(lines).divergences
    assert (shown.count, shown.verdict.title, shown.verdict.reproduced) == (2, "é" * 12, "always")


def test_what_is_left_behind_unsaid_is_found_in_a_later_scenario() -> None:
    ran = run("forgets_to_deregister", "relay/lifecycle/one-call", "relay/lifecycle/nothing-left")
    assert ran.verdicts["relay/lifecycle/nothing-left"].outcome == "conforms"
    line = ran.verdicts["relay/lifecycle/one-call"]
    assert line.outcome == "conforms", "it is the first that registers a subscriber, or the vectors are not in order"

    ran = run("forgets_to_deregister", "relay/lifecycle/everything-registered", "relay/lifecycle/nothing-left")
    line = ran.verdicts["relay/lifecycle/nothing-left"]
    assert (line.outcome, line.reproduced) == ("diverges", "in_company")
    assert "it conforms alone in a fresh process" in line.reason


def expectations(folder: Path, **named: str) -> str:
    entry = {"target": "bindproof-reference", "reason": "it is a fake", "source": "tests"} | named
    entry |= {"observed_matches": "."} if "requirement" in named else {}
    words = "\n".join(f"{key} = {json.dumps(value)}" for key, value in entry.items())
    file = folder / "known.toml"
    file.write_text(f'[[divergence]]\n{words}\nvectors = ["relay/marks/two-in-order"]\n', encoding="utf-8")
    return str(file)


def test_an_expected_divergence_is_named_and_not_tried_again(tmp_path: Path) -> None:
    known = expectations(tmp_path, requirement="MRK-002")
    line = run("swaps_marks", "relay/marks/two-in-order", expectations=known).verdicts["relay/marks/two-in-order"]
    assert (line.outcome, line.unexpected, line.reproduced) == ("diverges", False, None)
    assert line.broken[0].expected_by == "bindproof-reference MRK-002 on relay/marks/two-in-order"


def test_an_expectation_that_does_not_occur_is_stale(tmp_path: Path) -> None:
    known = expectations(tmp_path, requirement="MRK-002")
    assert [line.vectors for line in run("reference", "relay/marks/*", expectations=known).stale] == [
        ("relay/marks/two-in-order",)
    ]
    assert run("reference", "relay/marks/none", expectations=known).stale == []


ONE = ("--vector", "relay/marks/two-in-order")


def judge(fake: str) -> tuple[str, str, str]:
    return "run", "--adapter-command", f"{fake}={program(fake)}"


def test_exit_0_all_is_as_expected(exits: Exits, tmp_path: Path) -> None:
    code, out, _ = exits(*judge("reference"), *ONE)
    assert code == 0
    assert "1 of 1 adapter judged: 1 scenario" in out
    assert exits(*judge("swaps_marks"), *ONE, "--expectations", expectations(tmp_path, requirement="MRK-002"))[0] == 0


def test_exit_1_a_divergence_that_nothing_expects(exits: Exits) -> None:
    code, out, _ = exits(*judge("swaps_marks"), *ONE)
    assert code == 1
    assert "MRK-002" in out
    assert "marks come in the outcomes' order" in out
    code, out, _ = exits(*judge("swaps_marks"), *ONE, "--requirement", "MRK-002", "--json")
    assert code == 1
    assert json.loads(out.splitlines()[-1])["exit"] == 1


def test_exit_1_an_expectation_that_did_not_occur(exits: Exits, tmp_path: Path) -> None:
    code, out, _ = exits(*judge("reference"), *ONE, "--expectations", expectations(tmp_path, requirement="MRK-002"))
    assert code == 1
    assert "did not occur" in out


def test_exit_1_a_leak(exits: Exits) -> None:
    vectors = ("--vector", "relay/lifecycle/everything-registered", "--vector", "relay/lifecycle/nothing-left")
    code, out, _ = exits(*judge("forgets_to_deregister"), *vectors)
    assert code == 1
    assert "in company" in out.replace("_", " ")


def test_exit_3_nothing_was_judged(exits: Exits) -> None:
    code, out, _ = exits(*judge("reference"), "--vector", "relay/dialects/undefined")
    assert code == 3
    assert "nothing was judged" in out


@pytest.mark.parametrize("fake", ["prints_a_banner", "refuses_to_initialize", "speaks_protocol_2"])
def test_exit_4_the_adapter_is_at_fault(exits: Exits, fake: str) -> None:
    code, out, _ = exits(*judge(fake), *ONE)
    assert code == 4
    assert fake in out


GUILTY = [
    ("exits_on_poison", "crash", "exited with status 3"),
    ("hangs_on_poison", "timeout", "no reply within 1 s"),
    ("prints_garbage_on_poison", "protocol_error", "not a JSON message"),
    ("answers_twice_on_poison", "protocol_error", "a second reply"),
    ("answers_unknown_id_on_poison", "protocol_error", "unknown id"),
]


@pytest.mark.parametrize(("fake", "outcome", "reason"), GUILTY)
def test_exit_4_a_scenario_is_guilty_and_named(
    exits: Exits, tmp_path: Path, fake: str, outcome: str, reason: str
) -> None:
    file = tmp_path / "poison.json"
    scenario = {"steps": [{"step": "flush", "as": "poison"}]}
    file.write_text(json.dumps({"title": "poison", "exercises": [], "scenario": scenario}), encoding="utf-8")
    code, out, _ = exits("replay", str(file), *judge(fake)[1:], "--timeout", "1")
    told = " ".join(out.split())
    assert code == 4
    assert f"file/poison.json on {fake} (nothing 1.0, edition 0.11): {outcome.replace('_', ' ')}" in told
    assert reason in told


def test_exit_4_no_such_program(exits: Exits) -> None:
    code, out, _ = exits("run", "--adapter-command", "mine=./no-such-program", *ONE)
    assert code == 4
    assert "no-such-program" in out


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("--adapter", "pyton"), ["pyton", "python"]),
        (("--vector", "relay/nothing"), ["--vector 'relay/nothing' matches no vector", "bindproof spec list"]),
        (("--requirement", "XYZ-1"), ["--requirement 'XYZ-1' matches no requirement", "bindproof spec list"]),
        (("--suite", "relays"), ["--suite 'relays'", "relay"]),
        (("--edition", "0.3"), ["--edition '0.3'", "0.4, 0.5"]),
        (("--fault", "no_such_fault"), ["--fault 'no_such_fault'", "`bindproof spec list --faults` shows them"]),
        (("--expectations", "nowhere.toml"), ["--expectations nowhere.toml", "no such file"]),
        (("--adapter-command", "mine='"), ["--adapter-command"]),
    ],
)
def test_exit_2_what_was_typed_cannot_be_done(exits: Exits, words: tuple[str, ...], parts: list[str]) -> None:
    code, out, err = exits("run", *words)
    assert code == 2
    assert [part for part in parts if part not in err + out] == [], err + out
    assert "Traceback" not in err


BAD_VECTORS = [
    ('{"title": "t", "exercises": [], "scenario": {"steps": [', ["bad.json:1: ", "mend the JSON"]),
    (
        '{"title": "t", "exercises": []}',
        ["bad.json:1: ", "`scenario` is missing; write an object (the scenario, as the suite's scenarios.md says)"],
    ),
    ('{"title": "t", "exercises": [], "scenario": {"steps": []}}', ["bad.json:1: ", "not a scenario"]),
    (
        '{"title": "t", "exercises": [], "scenario": {"steps": [{"step": "wait"}]}}',
        ["bad.json:1: ", "wait", "$.steps[0]"],
    ),
    (
        json.dumps(
            {
                "title": "t",
                "exercises": [],
                "scenario": {"steps": [{"step": "call", "name": "gpt"}]},
                "defect": {"at": "/steps/3/x", "cut": True, "breaks": "OUT-001", "kind": "outcome_malformed"},
            }
        ),
        ["bad.json:1: ", "'/steps/3/x' leads nowhere", "mend the pointer"],
    ),
]


@pytest.mark.parametrize(("text", "parts"), BAD_VECTORS)
def test_exit_2_a_vector_that_is_none(exits: Exits, tmp_path: Path, text: str, parts: list[str]) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text, encoding="utf-8")
    code, out, err = exits("replay", str(file), *judge("reference")[1:])
    assert code == 2
    assert [part for part in parts if part not in err + out] == [], err + out
    assert "Traceback" not in err


UNACTABLE = [
    ({"set": {"/no/where": 1}}, ["bad.json", "callback i, op 0", "'/no/where' does not exist"]),
    ({"set": {"/request": {"$get": "later/x"}}}, ["bad.json", "callback i, op 0", "nothing is called 'later' here"]),
]


@pytest.mark.parametrize(("edit", "parts"), UNACTABLE)
def test_exit_2_a_scenario_that_cannot_be_acted_out(exits: Exits, tmp_path: Path, edit: Json, parts: list[str]) -> None:
    steps = [
        {"step": "register", "as": "i", "family": "llm.request", "name": "i", "do": [{"op": "edit", **edit}]},
        {"step": "call", "name": "gpt"},
    ]
    file = tmp_path / "bad.json"
    file.write_text(json.dumps({"title": "t", "exercises": [], "scenario": {"steps": steps}}), encoding="utf-8")
    code, out, err = exits("replay", str(file), *judge("reference")[1:])
    told = " ".join((err + out).split())
    assert [part for part in parts if part not in told] == [], told
    assert code == 2
    assert "Traceback" not in err


def test_a_broken_chapter_is_told_with_file_and_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "spec", tmp_path / "spec")
    chapter = tmp_path / "spec" / "relay" / "05-marks.md"
    lines = chapter.read_text(encoding="utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("## MRK-002"))
    lines[at + 1] = "PERHAPS · editions 0.9– · dialects all"
    chapter.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(paths, "data_root", lambda: tmp_path)
    with pytest.raises(SpecError) as caught:
        run("reference", *ONE[1:])
    assert str(caught.value).startswith(f"spec/relay/05-marks.md:{at + 2}: ")


def test_a_vector_that_is_called_as_the_twin_of_another_is_judged_beside_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(REPOSITORY / "spec", tmp_path / "spec")
    folder = tmp_path / "spec" / "relay" / "vectors" / "outcomes"
    negative = json.loads((folder / "malformed-content-left-out.json").read_text())
    positive = {name: value for name, value in negative.items() if name != "defect"} | {"exercises": []}
    (folder / "malformed-content-left-out+twin.json").write_text(json.dumps(positive))
    monkeypatch.setattr(paths, "data_root", lambda: tmp_path)
    lines = run("reference", "relay/outcomes/malformed-content-left-out*").lines
    found = [(line.plan, line.came_from, line.outcome) for line in lines if isinstance(line, VerdictLine)]
    name = "relay/outcomes/malformed-content-left-out"
    assert len(found) == 3
    assert set(found) == {
        (name, FromVector(name), "conforms"),
        (f"{name}+twin", TwinOf(FromVector(name)), "conforms"),
        (f"{name}+twin", FromVector(f"{name}+twin"), "conforms"),
    }
    assert Fold.over(lines).mismatch is None


def test_the_last_line_counts_everything(exits: Exits) -> None:
    code, out, _ = exits(*judge("reference"), "--vector", "relay/outcomes/malformed-*", "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    summary = lines[-1]
    assert summary["type"] == "summary"
    assert summary["selected"] == len([line for line in lines if line["type"] == "verdict"])
    assert summary["outcomes"] == {"reference": {"conforms": summary["selected"]}}
