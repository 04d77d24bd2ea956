"""Single faults in a copy of the real packages for Python and Node: each is named by a rule that speaks of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.core.errors import UsageError
from bindproof.mutants import Bench, Fault, bench, sample

pytestmark = pytest.mark.binding

NAMED = {
    "guardrails.register_tool_sanitize_response:* priority is negated": "MID-002",
    "intercepts.deregister_tool_request:* the answer is reversed": "MID-006",
    "scope_local.deregister_mark_sanitize:* not called, and true answered": "MID-007",
    "scope_local.register_llm_execution:* register_llm_execution is not called": "MID-004",
    "scope_local.register_llm_request:* break_chain is dropped": "OUT-006",
    "scope_local.register_llm_sanitize_request:* priority is ignored": "MID-002",
    "scope_local.register_tool_request:* break_chain is always set": "MID-004",
    "guardrails.deregister_llm_sanitize_response:* not called, and true answered": "MID-007",
    "llm.call:* handle is not passed on": "LIF-018",
    "llm.call:* model_name is not passed on": "LIF-012",
    "llm.call:* the answer is dropped": "EVT-040",
    "llm.call_end:* annotated_response is not passed on": "EVT-039",
    "llm.call_end:* response is dropped": "EVT-036",
    "llm.execute:* attributes is not passed on": "EVT-038",
    "runtime_registrations.deregister_conditional_middleware_guardrail:* the answer is reversed": "GAT-004",
    "runtime_registrations.register_conditional_middleware_guardrail:* registration_name is another": "GAT-001",
    "scope.metric:* metric is not called": "MTR-002",
    "scope.pop:* timestamp is not passed on": "EVT-037",
    "subscribers.deregister:* not called, and true answered": "MID-007",
    "scope.scope:* handle is not passed on": "LIF-018",
    "scope.scope:* input is not passed on": "EVT-005",
    "tools.call:* data and metadata are exchanged": "LIF-028",
    "tools.call:* handle is not passed on": "LIF-018",
    "typed.llm_execute:* response_codec is not passed on": "AUT-015",
    "typed.llm_stream_execute:* data is not passed on": "EVT-032",
    "typed.tool_execute:* tool_call_id is not passed on": "TOL-017",
}
"""Fault → a rule that names it."""


NAMED_OF_NODE = {
    "index.LlmStream.next:* the answer is dropped": "STR-005",
    "index.OpenAIChatCodec.decode:* the answer is dropped": "AUT-012",
    "index.deregisterMarkSanitizeGuardrail:* the answer is reversed": "MID-006",
    "index.popScope:* timestamp is not passed on": "EVT-037",
    "index.registerConditionalMiddlewareGuardrail:* registrationName is another": "GAT-001",
    "index.scopeRegisterToolRequestIntercept:* breakChain is dropped": "MID-013",
    "index.toolCall:* handle is not passed on": "LIF-018",
    "index.toolCall:* the answer is dropped": "EVT-040",
    "index.toolCall:* toolCallId is not passed on": "TOL-017",
    "typed.typedLlmStreamExecute:* options is not passed on": "AUT-005",
}
"""The same of the Node package, of which each takes a second or two."""

SAMPLE, SEED = 20, 19
"""So many faults of each of the two packages are drawn, by this seed."""

ENOUGH = 0.95
"""So large a part of them a rule has to name."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The bench of the Python package; its one run without a fault is shared by all."""
    return bench("python", Path(tmp_path_factory.mktemp("copy")), lambda _: None)


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The bench of the Node package, as that of Python."""
    return bench("node", Path(tmp_path_factory.mktemp("copy")), lambda _: None)


@pytest.mark.parametrize(("glob", "rule"), NAMED.items())
def test_a_fault_is_named_by_the_rule_that_speaks_of_it(python: Bench, glob: str, rule: str) -> None:
    trial = python.trial(the_fault(python, glob))

    assert trial.outcome == "named"
    assert rule in trial.requirements


@pytest.mark.parametrize(("glob", "rule"), NAMED_OF_NODE.items())
def test_a_fault_of_what_node_exports_is_named_by_the_rule_that_speaks_of_it(node: Bench, glob: str, rule: str) -> None:
    trial = node.trial(the_fault(node, glob))

    assert trial.outcome == "named"
    assert rule in trial.requirements


@pytest.mark.parametrize("adapter", ["python", "node"])
def test_nearly_all_of_a_drawn_sample_are_named(adapter: str, request: pytest.FixtureRequest) -> None:
    bench: Bench = request.getfixturevalue(adapter)

    trials = [bench.trial(fault) for fault in sample(bench.tellable, SAMPLE, SEED)]

    assert len(trials) == SAMPLE
    assert [trial for trial in trials if not trial.good] == [], "neither named, nor is there a reason"
    unnamed = [trial.fault.name for trial in trials if trial.outcome != "named"]
    assert len(unnamed) <= (1 - ENOUGH) * SAMPLE, unnamed


def test_what_diverges_now_and_then_without_a_fault_names_none(node: Bench) -> None:
    trial = node.trial(the_fault(node, "index.OpenAIChatCodec.encode:* encode is called twice"))

    assert trial.outcome == "green"
    assert trial.good
    assert trial.acted > 10


def the_fault(bench: Bench, glob: str) -> Fault:
    function, _, words = glob.partition(":* ")
    (fault,) = [one for one in bench.faults if one.function == function and f" {one.of.fault}".endswith(f" {words}")]
    return fault


def test_an_adapter_whose_package_has_no_layer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"names no \[layer\]"):
        bench("reference", tmp_path, lambda _: None)
