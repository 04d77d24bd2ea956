"""Programs of scenarios: each is source text of its language, whatever the scenario says."""

from __future__ import annotations

import ast

import pytest

from bindproof.spec import installed, vectors
from bindproof.suites import NoProgramError, Subject, load
from bindproof.suites.relay import Relay
from bindproof.suites.relay.programs.python_words import KINDS
from bindproof_adapter import families

SPEC = installed("relay")


@pytest.fixture(scope="module")
def suite() -> Relay:
    loaded = load(SPEC)
    assert isinstance(loaded, Relay)
    return loaded


def subject(title: str = "A title", edition: str = "0.10", dialect: str = "python") -> Subject:
    return Subject(title, ("From a vector.",), "a_file", edition, dialect, "nemo-relay", "0.10.4")


def test_every_tenth_vector_is_a_program_of_python(suite: Relay) -> None:
    meant = [vector for vector in vectors(SPEC) if vector.runs_in("0.10", "python")]
    for vector in meant[::10]:
        program = suite.program(suite.complete(vector.scenario), subject())
        assert program.file == "a_file.py"
        assert ast.get_docstring(ast.parse(program.text)), vector.id


def test_text_of_strangers_is_text(suite: Relay) -> None:
    hostile = 'x"""\n\\\u202e\x00 + exit(7) #'
    steps = [
        {"step": "register", "as": "s", "family": "subscriber", "name": hostile},
        {"step": "call", "as": "import os", "name": hostile, "request": {"content": {hostile: [hostile]}}},
    ]
    program = suite.program(suite.complete({"steps": steps}), subject(title=hostile))
    texts = {node.value for node in ast.walk(ast.parse(program.text)) if isinstance(node, ast.Constant)}
    assert hostile in texts
    assert all(char.isprintable() or char == "\n" for char in program.text)


def test_a_step_that_python_cannot_say_has_no_program(suite: Relay) -> None:
    raw = suite.complete({"steps": [{"step": "raw", "function": "last_error", "with": {"thread": "own"}}]})
    with pytest.raises(NoProgramError, match="raw"):
        suite.program(raw, subject())


@pytest.mark.parametrize(("edition", "dialect"), [("0.7", "python"), ("0.10", "rust")])
def test_a_language_or_an_edition_without_programs_is_named(suite: Relay, edition: str, dialect: str) -> None:
    scenario = suite.complete({"steps": [{"step": "flush"}]})
    with pytest.raises(NoProgramError, match="programs"):
        suite.program(scenario, subject(edition=edition, dialect=dialect))


def test_programs_call_families_as_the_adapters_do() -> None:
    assert KINDS == families.KINDS
