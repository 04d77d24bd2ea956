"""The spec that is shipped: it agrees with itself, and means what the other files of this repository rely on."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bindproof.spec import Spec, edition_of, holds_in, load
from bindproof.spec.check import check
from bindproof.spec.forms import forms
from bindproof.suites.relay.checks import CHECKS


@pytest.fixture(scope="module")
def relay(repository: Path) -> Spec:
    return load(repository, "relay")


@pytest.mark.long
def test_the_spec_agrees_with_itself(repository: Path) -> None:
    assert [str(problem) for problem in check(repository, "relay", CHECKS)] == []


@pytest.mark.parametrize(
    ("target", "version", "edition"),
    [
        ("nemo-relay", "0.9.4", "0.9"),
        ("nemo-relay", "0.10.4", "0.10"),
        ("nemo-relay", "0.11.0rc3", "0.11"),
        ("nemo-relay", "0.8.0rc1", "0.8"),
        ("nemo-relay", "0.5.0", "0.5"),
        ("nemo-relay", "0.4.0", "0.4"),
        ("nemo-relay", "0.3.0", "0.4"),
        ("nemo-relay-wasm", "0.4.0", "0.4"),
        ("nemo-relay-node", "0.9.2", "0.9"),
        ("bindproof_reference", "0.9", "0.9"),
    ],
)
def test_releases_have_their_edition(relay: Spec, target: str, version: str, edition: str) -> None:
    assert edition_of(relay, target, version)[0] == edition


def test_rules_of_one_edition_or_dialect(relay: Spec) -> None:
    exception = relay.requirements["OUT-012"]
    assert holds_in(exception, "0.10", "python")
    assert not holds_in(exception, "0.9", "python")
    assert not holds_in(exception, "0.10", "node")
    assert not holds_in(relay.requirements["DLC-005"], "0.9", "python")
    assert holds_in(relay.requirements["MRK-001"], "0.9", "wire")


MESSAGES = [
    ("python", "content_changed", "invalid argument: LLM request intercept 'i' changed request.content while a request"
     " codec is active; modify annotated_request instead"),
    ("node", "annotation_missing", "invalid argument: LLM request intercept 'a\nb' omitted annotated_request while a"
     " request codec is active"),
    ("python", "codec_failed", "internal error: Codec decode() failed: ValueError: no"),
    ("python", "codec_failed", "internal error: Codec encode() returned unexpected type (expected LlmRequest): no"),
    ("node", "codec_failed", "internal error: JS codec encode callback failed: failed to deserialize LlmRequest"),
    ("python", "outcome_malformed", "internal error: LLM request intercept must return LLMRequestInterceptOutcome: no"),
    ("node", "outcome_malformed", "internal error: invalid JS LLM request intercept outcome: missing field `name`"),
    ("node", "outcome_malformed", "internal error: JavaScript callback returned an unsupported undefined value that"
     " cannot be converted to JSON"),
    ("wire", "content_changed", "content_changed: the intercept i"),
    ("python", None, "internal error: ValueError: Codec decode() failed"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "kind", "message"), MESSAGES)
def test_messages_have_their_kind(relay: Spec, dialect: str, kind: str | None, message: str) -> None:
    kinds = [error.kind for error in relay.dialects[dialect].error if re.search(error.pattern, message)]
    assert kinds == ([] if kind is None else [kind])


REQUEST: dict[str, object] = {"headers": {}, "content": None}
OUTCOMES = [
    ({"request": REQUEST}, True),
    ({"request": REQUEST, "annotated_request": None, "pending_marks": [{"name": ""}]}, True),
    ({"request": REQUEST, "annotated_request": {"messages": [], "other": 1}}, True),
    ({"request": REQUEST, "pending_marks": [{"name": "m", "severity": "warn", "category_profile": {"x": 1}}]}, True),
    ({"request": REQUEST, "optimization_contributions": [{"producer": "p", "kind": "k"}]}, True),
    ({"request": REQUEST, "optimization_contributions": [{"producer": "p"}]}, False),
    ({}, False),
    ({"request": {"headers": {}}}, False),
    ({"request": REQUEST, "annotated_request": "x"}, False),
    ({"request": REQUEST, "pending_marks": None}, False),
    ({"request": REQUEST, "pending_marks": ["m"]}, False),
    ({"request": REQUEST, "pending_marks": [{"name": 1}]}, False),
    ({"request": REQUEST, "pending_marks": [{"name": "m", "uuid": None}]}, False),
    ({"request": REQUEST, "pending_marks": [{"name": "m", "category_profile": {"model_name": 1}}]}, False),
    ({"request": REQUEST, "extra": 1}, False),
]


@pytest.mark.long
@pytest.mark.parametrize("edition", ["0.9", "0.10"])
@pytest.mark.parametrize(("outcome", "valid"), OUTCOMES)
def test_the_schema_of_outcomes(relay: Spec, edition: str, outcome: object, valid: bool) -> None:
    assert forms(relay, edition)["outcome"].accepts(outcome) is valid


def mark_event() -> dict[str, object]:
    uuid = "01a200c8-ad93-7dc1-9f5d-297bc8a0c311"
    empty = dict.fromkeys(("category", "category_profile", "data", "data_schema", "metadata"))
    time = "2026-11-22T01:04:41.364350134+00:00"
    names = {"atof_version": "0.1", "kind": "mark", "name": "m", "uuid": uuid, "timestamp": time}
    return {**empty, **names, "parent_uuid": uuid, "propagation_root_uuid": None}


@pytest.mark.parametrize("edition", ["0.9", "0.10"])
def test_the_schemas_of_events(relay: Spec, edition: str) -> None:
    of = {name: form.accepts for name, form in forms(relay, edition).items()}
    mark = mark_event()
    scope = mark | {"kind": "scope", "scope_category": "start", "category": "llm", "attributes": []}
    assert of["mark-event"](mark)
    assert of["scope-event"](scope)
    for key in mark:
        assert not of["mark-event"]({k: v for k, v in mark.items() if k != key})
    for key in scope:
        assert not of["scope-event"]({k: v for k, v in scope.items() if k != key})
    for key, value in (("attributes", []), ("uuid", "m"), ("parent_uuid", 1), ("timestamp", "2026-11-22T01:04:41")):
        assert not of["mark-event"](mark | {key: value})
    for name, wrong in (("category", None), ("scope_category", "middle"), ("attributes", None), ("more", 1)):
        assert not of["scope-event"](scope | {name: wrong})


@pytest.mark.long
def test_importing_brings_in_nothing_slow(repository: Path) -> None:
    slow = ("jsonschema_rs", "packaging", "pydantic", "re2", "rich", "asyncio", "importlib.metadata")
    code = (
        "import sys; import bindproof.spec, bindproof.spec.check, bindproof.spec.render;"
        f"print([name for name in {slow!r} if name in sys.modules])"
    )
    path = str(repository / "conformance")
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": path}, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
