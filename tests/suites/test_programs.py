"""Programs of scenarios: each is source text of its language, whatever the scenario says."""

from __future__ import annotations

import ast
from typing import Any
from zlib import crc32

import pytest

from bindproof.spec import Vector, installed, vectors
from bindproof.suites import NoProgramError, Subject, load
from bindproof.suites.relay import Relay
from bindproof.suites.relay.programs.c_words import broken
from bindproof.suites.relay.programs.python_words import KINDS
from bindproof.suites.relay.programs.writer import WIDEST
from bindproof_adapter.relay import families

Json = Any

SPEC = installed("relay")


@pytest.fixture(scope="module")
def suite() -> Relay:
    loaded = load(SPEC)
    assert isinstance(loaded, Relay)
    return loaded


def subject(title: str = "A title", edition: str = "0.10", dialect: str = "python") -> Subject:
    return Subject(title, ("From a vector.",), "a_file", edition, dialect, "nemo-relay", "0.10.4")


@pytest.mark.long
def test_every_tenth_vector_is_a_program_of_python_or_goes_on_with_what_is_over(suite: Relay) -> None:
    meant = [one for one in tenth(suite, "python") if "storm" not in one.id]
    refused = []
    for vector in meant:
        try:
            program = suite.program(suite.complete(vector.scenario), subject())
        except NoProgramError as error:
            refused.append(str(error))
            continue
        assert program.file == "a_file.py"
        assert ast.get_docstring(ast.parse(program.text)), vector.id
    assert {*refused} <= {"no program in Python says the step 'go_on'"}
    assert len(refused) < len(meant) / 50


def test_a_block_is_a_with_statement_of_python_and_what_ends_it_is_raised_inside(suite: Relay) -> None:
    steps = [
        {"step": "start", "as": "A", "name": "A", "block": True},
        {"step": "mark", "as": "m", "name": "m"},
        {"step": "end", "as": "eA", "of": "A", "raises": "boom-1!"},
    ]
    program = ast.parse(suite.program(suite.complete({"steps": steps}), subject()).text)
    (block,) = [node for node in ast.walk(program) if isinstance(node, ast.With) and "scope.scope" in ast.unparse(node)]
    mark, raising = block.body
    assert ast.unparse(mark) == "relay.scope.event('m')"
    assert ast.unparse(raising) == "raise RuntimeError('boom-1!')"


def test_a_program_for_an_older_release_has_its_words(suite: Relay) -> None:
    steps = [
        {"step": "register", "family": "llm.sanitize_request", "name": "g"},
        {"step": "helper", "as": "h", "kind": "llm.conditional", "name": "gpt"},
        {"step": "start", "as": "t", "kind": "tool", "name": "t"},
        {"step": "end", "of": "t", "output": 1},
    ]
    written = [suite.program(suite.complete({"steps": steps}), subject(edition=one)).text for one in ("0.5", "0.7")]
    for text, waits, helper, guardrail in zip(
        written,
        ("await asyncio.to_thread(relay.subscribers.flush)", "await relay.subscribers.flush_async()"),
        ('"gives", relay.llm.conditional_execution(', '"gives", await relay.llm.conditional_execution('),
        ("(request, *more):", "(request, context, *more):"),
        strict=True,
    ):
        assert all(words in text for words in (waits, helper, guardrail, "relay.tools.call_end(t_value, 1)"))


ABOUT_A_RESULT = [{"op": "edit", "set": {"/annotation": 1}}]


@pytest.mark.parametrize(
    ("edition", "step", "said"),
    [
        ("0.7", {"step": "list"}, "no listing"),
        ("0.7", {"step": "mark", "name": "m", "severity": "warn"}, "severity"),
        ("0.7", {"step": "call", "kind": "tool", "name": "t", "tool_call_id": "x"}, "without an id"),
        ("0.7", {"step": "call", "kind": "tool", "name": "t", "provider": ABOUT_A_RESULT}, "without annotation"),
        ("0.6", {"step": "register", "family": "llm.request", "name": "i", "async": True}, "asynchronous"),
        ("0.5", {"step": "register", "family": "mark.sanitize", "name": "g"}, "no such guardrails"),
    ],
)
def test_what_an_older_release_has_no_words_for_is_told(
    suite: Relay, edition: str, step: dict[str, object], said: str
) -> None:
    with pytest.raises(NoProgramError, match=said):
        suite.program(suite.complete({"steps": [step]}), subject(edition=edition))


def test_a_value_that_is_nested_beyond_the_width_of_a_line_is_written(suite: Relay) -> None:
    deep: Json = []
    for _ in range(30):
        deep = {"a name that takes a line of its own, or nearly so": deep}
    steps = [
        {"step": "register", "as": "s", "family": "subscriber", "name": "s"},
        {"step": "start", "as": "S", "name": "S", "metadata": {"deep": deep}},
        {"step": "end", "of": "S"},
    ]
    program = ast.parse(suite.program(suite.complete({"steps": steps}), subject()).text)
    (expected,) = [node for node in program.body if isinstance(node, ast.Assign) and "EXPECTED" in ast.unparse(node)]
    assert str(deep) in ast.unparse(expected)


def test_a_raw_step_is_a_call_in_c_with_the_very_bytes_that_it_states(suite: Relay) -> None:
    large = {"text": "{", "pad": 2**21, "end": "}"}
    steps = [
        {
            "step": "raw",
            "as": "i",
            "function": "register_intercept",
            "replies": {"outcome": None, "status": "INTERNAL"},
        },
        {"step": "raw", "as": "c", "function": "call", "with": {"name": {"text": 'a"0', "bytes": "ff"}}},
        {"step": "raw", "as": "h", "function": "helper", "with": {"request": large, "out": None}},
    ]
    text = suite.program(suite.complete({"steps": steps}), subject(dialect="c")).text
    assert 'nemo_relay_llm_call_execute("a\\"0\\377", ' in text
    assert "*outcome = NULL;\n" in text
    assert "return NEMO_RELAY_STATUS_INTERNAL;" in text
    assert f'char *h_request = padded("{{", {2**21}, "}}");\n    begin_counting();' in text
    assert 'nemo_relay_llm_request_intercepts("gpt", h_request, NULL)' in text
    assert '"provider", integer(c_counts.provider)' in text


def test_what_a_handle_says_is_asked_of_the_functions_of_its_kind(suite: Relay) -> None:
    steps = [
        {"step": "start", "as": "t", "kind": "tool", "name": "t"},
        {"step": "handle", "as": "ht", "of": "t"},
        {"step": "mark", "name": "m", "data": {"$get": "ht/name"}},
        {"step": "end", "of": "t"},
    ]
    text = suite.program(suite.complete({"steps": steps}), subject(dialect="c")).text
    assert "ht_value = tool_json(t_value);" in text
    assert 'at(ht_value, "/name")' in text
    assert "nemo_relay_scope_handle_data" not in text


def test_a_program_whose_callback_calls_the_library_ends_though_it_may_hang(suite: Relay) -> None:
    call = {"step": "raw", "as": "c", "function": "call"}
    alone, inside = [
        suite.program(suite.complete({"steps": [step]}), subject(dialect="c")).text
        for step in (call, {**call, "inside": "flush"})
    ]
    assert "alarm(" in inside
    assert "alarm(" not in alone


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


@pytest.mark.parametrize("dialect", ["c", "go", "rust"])
def test_whose_a_registration_is_no_program_asks_but_those_of_python_and_node(suite: Relay, dialect: str) -> None:
    put: Json = {"step": "register", "as": "i", "family": "tool.request", "name": "i"}
    install: Json = {"step": "install", "as": "p", "do": [{"op": "step", "step": put}]}
    gate: Json = {"step": "gate", "as": "g", "name": "g", "families": ["tool.request"], "target": "i", "plugin": "p"}
    for asking in ({"step": "list"}, gate):
        scenario = suite.complete({"steps": [install, asking]})
        assert suite.program(scenario, subject()).text
        assert suite.program(scenario, subject(dialect="node")).text
        with pytest.raises(NoProgramError, match="asks what a plugin has registered"):
            suite.program(scenario, subject(dialect=dialect))


@pytest.mark.parametrize("dialect", ["c", "go", "rust"])
def test_a_program_of_a_compiled_language_installs_one_plugin_at_a_time(suite: Relay, dialect: str) -> None:
    put: Json = {"step": "register", "as": "i", "family": "tool.request", "name": "i"}
    each: Json = {"op": "each", "ops": [[{"op": "step", "step": put}], []]}
    scenario = suite.complete({"steps": [{"step": "install", "as": "p", "plugins": ["b", "a"], "do": [each]}]})
    for interpreted in ("python", "node"):
        assert "'b', 'a')" in suite.program(scenario, subject(dialect=interpreted)).text.replace('"', "'")
    with pytest.raises(NoProgramError, match="one plugin at a time"):
        suite.program(scenario, subject(dialect=dialect))


def tenth(suite: Relay, dialect: str) -> list[Vector]:
    """Some tenth of the vectors that a dialect can express, drawn by their ids: one more vector moves no other."""
    drawn = [one for one in vectors(SPEC) if one.runs_in("0.10", dialect) and crc32(one.id.encode()) % 10 == 0]
    return [one for one in drawn if "inexpressible" not in prediction(suite, one, dialect)]


def prediction(suite: Relay, vector: Vector, dialect: str) -> Json:
    """What the reference says of a vector in a dialect."""
    return suite.prepare(suite.complete(vector.scenario), "0.10", dialect).prediction


def test_of_what_runs_at_once_there_is_no_program(suite: Relay) -> None:
    storm = next(one for one in vectors(SPEC) if one.id == "relay/in-flight/storm-tasks")
    with pytest.raises(NoProgramError, match="comes to no one order"):
        suite.program(suite.complete(storm.scenario), subject())


UNSAYABLE = (
    "'build'", "'handle'", "'gate'", "'storm'", "measurements", "a constructor makes", "a block", "one chunk",
    "once it has answered", "in its place", "its response alone", "cannot fail", "the content alone",
    "'context'", "'capture'", "one plugin at a time", "what a plugin has registered", "'decode'", "'encode'",
)  # fmt: skip
"""What those who say why there is no program speak of: but for contexts and plugins the adapters do not act it out
either."""


@pytest.mark.long
@pytest.mark.parametrize(("dialect", "ending"), [("c", "c"), ("go", "go"), ("rust", "rs")])
def test_every_tenth_vector_is_a_program_of_a_compiled_language_or_says_what_it_cannot_say(
    suite: Relay, dialect: str, ending: str
) -> None:
    meant = tenth(suite, dialect)
    refused = []
    for vector in meant:
        try:
            program = suite.program(suite.complete(vector.scenario), subject(dialect=dialect))
        except NoProgramError as error:
            refused.append(str(error))
            continue
        assert program.file == f"a_file.{ending}"
        assert program.text.startswith("// A title."), vector.id
    assert [why for why in refused if not any(words in why for words in UNSAYABLE)] == []
    assert len(refused) < len(meant) / 3


HOSTILE = 'x*/ `"\n\\ \u202e\u0001 %s $(id) //'


@pytest.mark.parametrize(
    ("dialect", "written"),
    [
        ("c", r"x*/ `\"\012\\ \342\200\256\001"),
        ("go", r"x*/ `\"\n\\ \u202e\u0001"),
        ("rust", r"x*/ `\"\n\\ \u{202e}\u{1}"),
    ],
)
def test_text_of_strangers_is_text_of_a_compiled_language(suite: Relay, dialect: str, written: str) -> None:
    steps = [
        {"step": "register", "as": "s", "family": "subscriber", "name": HOSTILE},
        {"step": "call", "as": "return", "name": HOSTILE, "request": {"content": {HOSTILE: [HOSTILE]}}},
    ]
    text = suite.program(suite.complete({"steps": steps}), subject(title=HOSTILE, dialect=dialect)).text
    assert text.count(written) >= 2
    assert all(char.isprintable() or char in "\n\t" for char in text)
    comments = [line for line in text.splitlines() if "x*/" in line and written not in line]
    assert all(line.startswith("//") or "\\u202e" in line for line in comments)


@pytest.mark.parametrize("dialect", ["c", "go"])
@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"step": "call", "as": "c", "name": "gpt", "kind": "llm_stream"}, "one chunk"),
        ({"step": "call", "as": "c", "name": "\0"}, "first NUL"),
        ({"step": "call", "as": "c", "name": "gpt", "codec": "openai_chat"}, "response alone"),
        (
            {"step": "register", "family": "llm.conditional", "name": "c", "do": [{"op": "edit", "set": {"": 1}}]},
            "answers with a text",
        ),
    ],
)
def test_what_a_compiled_language_cannot_say_is_told(
    suite: Relay, dialect: str, step: dict[str, object], said: str
) -> None:
    with pytest.raises(NoProgramError, match=said):
        suite.program(suite.complete({"steps": [step]}), subject(dialect=dialect))


def test_a_program_in_rust_does_in_each_entry_what_is_said_for_it_and_for_all(suite: Relay) -> None:
    do = [{"op": "next", "edits": [{}]}, {"op": "each", "ops": [[{"op": "raise", "text": "no"}], []]}]
    steps = [
        {"step": "register", "as": "y", "family": "llm.execution", "name": "y", "do": do},
        {"step": "call", "as": "c", "name": "gpt"},
    ]
    text = suite.program(suite.complete({"steps": steps}), subject(dialect="rust")).text
    first = 'go_on("y", &next, given["request"].clone()).await?;\n            Err(FlowError::Internal("no".into()))'
    assert first in text
    assert '_ => go_on("y", &next, given["request"].clone()).await,' in text


def test_a_program_in_rust_asks_for_the_depth_that_its_values_need(suite: Relay) -> None:
    deep: Json = []
    for _ in range(60):
        deep = [deep]
    calls = [{"step": "call", "name": "gpt", "request": {"content": {"x": content}}} for content in (1, deep)]
    flat, nested = [suite.program(suite.complete({"steps": [call]}), subject(dialect="rust")).text for call in calls]
    assert "recursion_limit" not in flat
    assert '#![recursion_limit = "512"]' in nested


@pytest.mark.parametrize(("edition", "dialect"), [("0.4", "python"), ("0.7", "node"), ("0.10", "wire")])
def test_a_language_or_an_edition_without_programs_is_named(suite: Relay, edition: str, dialect: str) -> None:
    scenario = suite.complete({"steps": [{"step": "flush"}]})
    with pytest.raises(NoProgramError, match="programs"):
        suite.program(scenario, subject(edition=edition, dialect=dialect))


def test_a_line_of_c_is_broken_behind_a_comma_and_in_no_text() -> None:
    text = ", ".join(["a word"] * 10)
    line = f'    shown("call", calling("{text}", NULL, NULL, NULL), NULL);'
    parts = broken(line)
    assert [len(part) <= WIDEST for part in parts] == [True] * len(parts)
    assert any(f'"{text}"' in part for part in parts)
    assert " ".join(part.strip() for part in parts) == line.strip()
    assert broken(f'f("{text}{text}");') == [f'f("{text}{text}");']


def test_programs_call_families_as_the_adapters_do() -> None:
    assert KINDS == families.KINDS
