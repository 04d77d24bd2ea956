"""What a report prints to be typed again is a command that works, and asks for the same."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bindproof.cli import fuzz, main, parser, replay
from bindproof.core.command_line import again, command
from bindproof.core.origins import FromFile, FromVector, Generated, Planned, TwinOf
from bindproof.core.request import LONGEST, Campaign, RunRequest
from tests.runner.test_execute import program

pytestmark = pytest.mark.long

WORDS = st.text(st.sampled_from("-a.'\" =/;$@é"), min_size=1, max_size=9).filter(lambda word: word != "--")
NAMES = WORDS.filter(lambda word: "=" not in word and word.strip() == word)
REQUESTS = st.builds(
    RunRequest,
    adapters=st.tuples(NAMES),
    adapter_commands=st.lists(st.tuples(NAMES, WORDS.map(str.strip).filter(bool)), max_size=1).map(tuple),
    edition=st.none() | WORDS,
    fault=st.none() | WORDS,
    timeout=st.none() | st.floats(0.001, LONGEST),
    expectations=st.none() | WORDS,
)


def typed(request: RunRequest, name: str, origin: Planned) -> RunRequest:
    """The request that the printed command makes."""
    _, *words = shlex.split(command(again(request, name, "relay", origin)))
    args = parser().parse_args(words)
    made: RunRequest = (fuzz if words[0] == "fuzz" else replay).request_of(args)
    return made


GENERATED = st.builds(Generated, st.integers(-9, 9), st.integers(0, 10**12), st.booleans(), st.none() | WORDS)


@given(REQUESTS, GENERATED)
def test_a_generated_scenario_is_asked_for_as_it_was(asked: RunRequest, origin: Generated) -> None:
    for name in (*asked.adapters, *dict(asked.adapter_commands)):
        made = typed(asked, name, origin)
        assert made.campaign == Campaign(
            seed=origin.seed, first=origin.number, examples=1, guided=origin.guided, draw_for=origin.draw_for
        )
        assert (made.suite, made.edition, made.fault) == ("relay", asked.edition, asked.fault)
        assert (made.timeout, made.expectations) == (asked.timeout, asked.expectations)
        assert made.adapter_commands == tuple(one for one in asked.adapter_commands if one[0] == name)
        assert made.adapters == (() if made.adapter_commands else (name,))


@pytest.mark.parametrize("name", ["mine.json", "-x.json", "it's mine", "generated/0/1", "a b+twin.json"])
@pytest.mark.parametrize("twin", [False, True])
def test_a_file_is_asked_for_as_it_was(name: str, twin: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("{}")
    origin = TwinOf(FromFile(name)) if twin else FromFile(name)
    made = typed(RunRequest(), "node", origin)
    assert [Path(path) for path in made.files] == [Path(name)]
    assert (made.suite, made.adapters) == ("relay", ("node",))


def test_a_vector_is_asked_for_by_its_id_and_a_twin_by_its_negatives() -> None:
    name = "relay/marks/two-in-order"
    assert typed(RunRequest(), "node", FromVector(name)).vectors == (name,)
    assert typed(RunRequest(), "node", TwinOf(FromVector(name))).vectors == (name,)


def test_what_the_replay_of_a_file_prints_is_the_command_that_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    scenario = {"steps": [{"step": "call", "name": "a"}]}
    Path("my own.json").write_text(json.dumps({"title": "t", "exercises": [], "scenario": scenario}))
    words = ["replay", "my own.json", "--suite", "relay", "--adapter-command", f"r={program('reference')}"]
    assert main(words) == 0
    printed = capsys.readouterr().out.partition("replay")[2].splitlines()[0].strip()
    assert shlex.split(printed) == ["bindproof", *words]
