"""Programs of scenarios on the real package: `python -m tests.bindings.programs` compares all of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.runner.programs import programs
from bindproof.targets import resolve
from tests.bindings.programs import compared, prepared, ran, sampled
from tests.bindings.toolchains import toolchain

pytestmark = pytest.mark.binding


SAMPLE = (
    "relay/marks/k*", "relay/streams/cl*", "relay/in-flight/t*", "relay/outcomes/n*", "relay/middleware/plugins-*",
    "relay/gates/of-*",
)  # fmt: skip


@pytest.mark.parametrize("adapter", ["python", "node"])
def test_a_program_fails_where_the_suite_diverges(adapter: str) -> None:
    found = [one for one in compared(adapter, *SAMPLE) if one.outcome in ("conforms", "diverges")]
    assert [one for one in found if one.program not in ("agrees", "races")] == []
    assert len([one for one in found if one.program == "agrees"]) > 15


def test_a_program_for_an_older_release_fails_where_the_suite_diverges() -> None:
    found = list(compared("python@0.5.0", "relay/marks/k*", "relay/tools/re*", "relay/middleware/plugin-names"))
    judged = [one for one in found if one.outcome in ("conforms", "diverges")]
    assert [one for one in judged if one.program != "agrees"] == []
    assert len(judged) > 3


COMPILED = [pytest.param(name, marks=toolchain(name)) for name in ("c", "go", "rust")]
HANDFUL = {
    "c": (
        "relay/marks/key-uuid",
        "relay/in-flight/tool-sanitizers",
        "relay/streams/one-chunk",
        "relay/boundary/outcome-text-of-a-failure",
    ),
    "go": ("relay/marks/key-uuid",),
    "rust": ("relay/marks/key-uuid", "relay/in-flight/tool-sanitizers", "relay/streams/closed-early"),
}
"""Vectors of which the binding breaks some, by adapter: each costs a compilation."""


@pytest.mark.parametrize("adapter", COMPILED)
def test_a_compiled_program_fails_where_the_suite_diverges(adapter: str) -> None:
    found = list(compared(adapter, *HANDFUL[adapter]))
    assert [(one.name, one.text) for one in found if one.program != "agrees"] == []
    assert {one.outcome for one in found} >= {"diverges"}


SAMPLED = int(os.environ.get("BINDPROOF_PROGRAMS", "2"))
"""So many compiled programs of each language are run. Sixty take a minute and more of Go's compiler."""


@pytest.mark.long
@pytest.mark.parametrize("adapter", COMPILED)
def test_a_sample_of_compiled_programs_agrees_with_the_suite(adapter: str) -> None:
    found = list(compared(adapter, *sampled(adapter, SAMPLED)))
    assert [(one.name, one.text) for one in found if one.program not in ("agrees", "races")] == []
    assert "conforms" in {one.outcome for one in found}


def test_a_program_is_red_when_something_else_is_seen(tmp_path: Path) -> None:
    command = resolve("python", required=True, progress=lambda _: None)
    assert isinstance(command, AdapterCommand)
    (program,) = programs("relay/marks/two-in-order", "python")
    turned = program.text.replace('+= [{"name": "m1"}, {"name": "m2"}]', '+= [{"name": "m2"}, {"name": "m1"}]')
    assert turned != program.text
    code, printed = ran(prepared(tmp_path, command), program.file, turned, command)
    assert code == 1
    assert "! expected: s is told" in printed
