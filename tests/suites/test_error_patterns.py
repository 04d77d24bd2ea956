"""A dialect's patterns are those that its file may hold: RE2's, found in linear time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from bindproof.spec import ErrorPattern
from bindproof.spec.editions import editions_in
from bindproof.spec.error_patterns import error_patterns
from bindproof.suites import load as load_suite
from tests.relay import NEWEST, SPEC, call

Json = Any


def kind(pattern: str, message: str) -> str:
    """The kind of an error with this message, in a dialect that has this pattern alone."""
    dialect = msgspec.structs.replace(SPEC.dialects["wire"], error=(ErrorPattern("guardrail_rejected", pattern),))
    suite = load_suite(replace(SPEC, dialects={**SPEC.dialects, "wire": dialect}))
    prepared = suite.prepare(suite.complete({"steps": [call()]}), NEWEST, "wire")
    error = {"type": "E", "message": message, "code": None, "same_as": None}
    (record, _), _ = prepared.observe([{"fact": "done", "step": "c", "error": error}, {"fact": "settled"}])
    found: str = record["error"]["kind"]
    return found


@pytest.mark.parametrize(
    ("pattern", "message", "found"),
    [
        ("^rejected: .*$", "rejected: no", "guardrail_rejected"),
        ("^rejected: .*$", "it was rejected: no", "unknown"),
        ("no$", "rejected: no\n", "unknown"),
        (r"^code \d$", "code 7", "guardrail_rejected"),
        (r"^code \d$", "code ٧", "unknown"),
    ],
)
def test_a_pattern_means_what_the_spec_says_it_means(pattern: str, message: str, found: str) -> None:
    assert kind(pattern, message) == found


def test_a_pattern_is_found_in_linear_time() -> None:
    """Python's own engine would take 2 to the power of 40 steps here."""
    assert kind("^(a|aa|a)+$", "a" * 40 + "!") == "unknown"


WITH_LAYERS = [
    (name, error)
    for name, dialect in SPEC.dialects.items()
    for error in dialect.error
    if error.example is not None and error.example.startswith("internal error: ")
]


@pytest.mark.parametrize(("dialect", "error"), WITH_LAYERS)
def test_a_message_that_has_passed_more_layers_is_of_the_same_kind(dialect: str, error: ErrorPattern) -> None:
    said = error.editions or SPEC.dialects[dialect].editions
    edition = editions_in(said, SPEC.edition_names)[-1] if said else NEWEST
    patterns = error_patterns(SPEC, dialect, edition)

    for layers in range(3):
        message = "internal error: " * layers + str(error.example)
        assert [kind for kind, pattern in patterns if pattern.search(message)][:1] == [error.kind]
