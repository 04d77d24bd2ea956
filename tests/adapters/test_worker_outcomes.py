"""Which of the bytes of a step a program can say with a worker's package: never others in their place."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from bindproof.core.paths import adapters_root
from tests.loose import module_at

Json = Any

STEP: Json = {
    "result": "outcome",
    "schema": "nemo.relay.LlmRequestInterceptOutcome@2",
    "outcome": None,
    "message": "",
    "how": "once",
}


@pytest.fixture(scope="module")
def outcomes() -> ModuleType:
    """The module, which is no part of a package."""
    return module_at(adapters_root() / "worker" / "outcomes.py")


@pytest.mark.parametrize(
    "text",
    [
        '{"request":3}',
        '{"request": {"headers": []}, "annotated_request": 1}',
        '{"request":{},"pending_marks":[{"name":1}]}',
    ],
)
def test_values_of_the_wrong_type_are_handed_to_the_package(outcomes: ModuleType, text: str) -> None:
    assert outcomes.stated(STEP | {"outcome": text}) == json.loads(text)


def test_a_step_without_an_outcome_has_none(outcomes: ModuleType) -> None:
    assert outcomes.stated(STEP) is None
    assert outcomes.stated(STEP | {"result": "error", "message": "boom-1!"}) is None


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": " {}"},
        {"outcome": {"text": '{"request":{}}', "bytes": "", "pad": 9, "end": ""}},
        {"outcome": {"text": '{"request":"', "bytes": "ff", "pad": 0, "end": '"}'}},
        {"outcome": '{"request":"\\ud800"}'},
        {"outcome": '{"request":1,"request":2}'},
        {"outcome": '{"request":{"content":{"a":1,"a":1}}}'},
        {"outcome": '{"request":NaN}'},
        {"outcome": '{"request":1e999}'},
        {"outcome": '{"request":'},
        {"outcome": "[]"},
        {"outcome": "{}"},
        {"outcome": '{"request":1,"x-own":1}'},
        {"outcome": '{"request":1,"pending_marks":null}'},
        {"outcome": '{"request":1,"pending_marks":[{}]}'},
        {"schema": "nemo.relay.LlmRequestInterceptOutcome@1"},
        {"result": "nothing"},
        {"how": "twice"},
    ],
)
def test_what_no_value_comes_to_is_beyond_the_package(outcomes: ModuleType, change: Json) -> None:
    with pytest.raises(outcomes.BeyondSdkError):
        outcomes.stated(STEP | change)
