"""Values that JSON lacks, by the table that the SDKs of all languages run; and what a function's record is."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from bindproof_adapter import UNDEFINED, Function, Unsupported, meant, spelled
from tests.repo.sources import ROOT

Json = Any

TABLE = json.loads((ROOT / "adapters/sdk/cases/spelling/values.json").read_text("utf-8"))
NATURAL: dict[str, Any] = {
    "undefined": UNDEFINED,
    "no number": math.nan,
    "infinity": math.inf,
    "negative infinity": -math.inf,
    "the largest safe integer": 2**53 - 1,
    "past it": 2**53 + 1,
    "far below its negative": -123456789012345678901234567890,
    "a lone surrogate": "a\ud83d",
    "a pair of surrogates": "\U0001f600",
    "a function": len,
    "an object that looks like one": {"$none": True},
    "an object within another": {"$none": True, "in": ({"$float": math.nan},)},
}


def test_each_case_has_its_value_here_and_a_reader_in_every_sdk() -> None:
    assert {case["name"] for case in TABLE["cases"]} == NATURAL.keys()
    for reader in ("node/spelling.test.mjs", "go/spelling_test.go", "rust/src/spelling.rs"):
        assert "cases/spelling/values.json" in (ROOT / "adapters/sdk" / reader).read_text("utf-8")


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: str(case["name"]))
def test_a_value_is_spelled_and_meant(case: Json) -> None:
    assert spelled(NATURAL[case["name"]]) == case["spelled"]
    assert spelled(meant(case["spelled"])) == case["spelled"]


def test_what_is_meant_is_the_value() -> None:
    assert meant({"$integer": "9007199254740993"}) == 2**53 + 1
    assert meant({"$utf16": [97, 0xD83D]}) == "a\ud83d"
    assert meant([{"$none": True}]) == [UNDEFINED]
    assert meant({"$function": True})(1) is UNDEFINED


@pytest.mark.parametrize("told", TABLE["meaningless"], ids=json.dumps)
def test_what_means_nothing_is_refused(told: Json) -> None:
    with pytest.raises(ValueError, match="means nothing"):
        meant(told)


def test_there_is_no_spelling_of_an_object_of_python() -> None:
    with pytest.raises(TypeError, match="no spelling of a object"):
        spelled([object()])
    with pytest.raises(TypeError, match="a key that is no text"):
        spelled({1: "a", "1": "b"})


def ran(call: Callable[[Json], Any]) -> Json:
    return Function("mine", "1", "sums", "python", call).run("sums", {"n": 0})["log"]


def test_a_functions_record_is_its_value_or_its_error() -> None:
    assert ran(lambda given: [given["n"], math.inf]) == [{"fact": "result", "value": [0, {"$float": "Infinity"}]}]
    error = {"type": "KeyError", "message": "'m'"}
    assert ran(lambda given: given["m"]) == [{"fact": "result", "error": error}]


def test_what_the_adapter_cannot_do_is_no_error_of_the_binding() -> None:
    def call(given: Json) -> Any:
        raise Unsupported("sums", "not yet")

    with pytest.raises(Unsupported):
        ran(call)
