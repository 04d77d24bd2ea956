"""What an error says decides its kind, and nothing else: neither that a call was cancelled nor whose words they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bindproof.cli import main
from tests.relay import NEWEST, SUB, broken, call, intercept, judged, lawful, prepare
from tests.seen.conftest import scenario_file

Json = Any

DESCRIBED = {
    "python": "internal error: ScriptedError: {}",
    "node": "internal error: {}",
}
"""How the end of a failed call describes what a provider raised, by the binding that says so."""

TEXTS = ["boom-cancelled-17!", "it was cancelled 18!"]


def raising(text: str, **more: Json) -> Json:
    """A call whose provider raises this."""
    return call(provider=[{"op": "raise", "text": text}], **more)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("kind", ["llm", "tool"])
@pytest.mark.parametrize("dialect", DESCRIBED)
def test_error_that_says_cancelled_of_a_call_that_was_not_conforms(dialect: str, kind: str, text: str) -> None:
    prepared = prepare(SUB, raising(text, kind=kind), dialect=dialect)
    log = lawful(prepared, 0, dialect)
    (end,) = [record["event"] for record in log if record.get("event", {}).get("scope_category") == "end"]
    end["metadata"] = {
        "error.type": "internal_error",
        "exception.type": "ScriptedError",
        "otel.status_code": "ERROR",
        "otel.status_description": DESCRIBED[dialect].format(text),
    }
    (failed,) = [record["error"] for record in log if "error" in record]
    failed["type"] = "ScriptedError"
    assert broken(judged(prepared, log, NEWEST, dialect)) == {}


@pytest.mark.binding
@pytest.mark.parametrize("adapter", ["python", "node"])
def test_error_that_says_cancelled_of_a_real_package_conforms(
    adapter: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = scenario_file(tmp_path, SUB, raising("boom-cancelled-17!"))
    code = main(["replay", str(file), "--suite", "relay", "--adapter", adapter])
    assert code == 0, capsys.readouterr().out


BOOM = "boom-1!"
WORDED = [
    f"guardrail rejected: {BOOM}",
    f"already exists: {BOOM} already exists",
    f"invalid argument: LLM request intercept '{BOOM}' changed request.content while a request codec is active",
]
"""What a binding says of something else, with the provider's own text inside."""


def failing(message: str, dialect: str, *steps: Json) -> set[str]:
    """What is broken where the caller of `c` is given an error with this message."""
    prepared = prepare(SUB, *steps, dialect=dialect)
    log = lawful(prepared, 0, dialect)
    (done,) = [record for record in log if record["fact"] == "done" and record["step"] == "c"]
    done["error"]["message"] = message
    return set(broken(judged(prepared, log, NEWEST, dialect)))


@pytest.mark.long
@pytest.mark.parametrize("dialect", ["c", "go", "node", "rust"])
@pytest.mark.parametrize("message", WORDED)
@pytest.mark.parametrize("kind", ["llm", "tool", "llm_stream"])
def test_error_of_another_kind_around_what_a_provider_raised_is_found(kind: str, message: str, dialect: str) -> None:
    assert failing(message, dialect, raising(BOOM, kind=kind)) != set()


@pytest.mark.parametrize("dialect", ["c", "go", "node", "rust"])
@pytest.mark.parametrize("message", WORDED)
def test_error_of_another_kind_around_what_an_intercept_raised_breaks_its_rule(message: str, dialect: str) -> None:
    assert "OUT-007" in failing(message, dialect, intercept({"op": "raise", "text": BOOM}), call())
