"""Which suites and vectors a request is about, and what is said of one that names what is nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bindproof.core.errors import UsageError
from bindproof.core.request import RunRequest
from bindproof.runner.inputs import chosen_vectors, read_inputs
from tests.relay import SPEC, VECTORS, call

pytestmark = pytest.mark.long

Json = Any


def chosen(**asked: Json) -> list[str]:
    return [vector.id for vector in read_inputs(RunRequest(suite="relay", **asked))["relay"].vectors]


def test_every_vector_of_the_spec_is_chosen_without_a_choice() -> None:
    assert chosen() == [one.id for one in VECTORS]


def test_globs_choose_vectors_and_requirements_those_that_exercise_them() -> None:
    found = chosen_vectors(SPEC, ("relay/marks/*", "relay/dialects/undefined"), ())
    assert {one.id.rsplit("/", 1)[0] for one in found} == {"relay/marks", "relay/dialects"}
    assert len([one for one in found if one.id.startswith("relay/dialects")]) == 1
    assert all("MRK-002" in one.exercises for one in chosen_vectors(SPEC, (), ("MRK-002",)))
    both = chosen_vectors(SPEC, ("relay/marks/*",), ("DLC-*", "MRK-012"))
    assert both
    assert all(one.id.startswith("relay/marks/") for one in both)
    assert {name for one in both for name in one.exercises} >= {"MRK-012"}


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        (
            {"vectors": ("relay/marks/*", "relay/nothing/*")},
            "--vector 'relay/nothing/*' matches no vector; `bindproof spec list --vectors`",
        ),
        ({"requirements": ("MRK-*", "XYZ-*")}, "--requirement 'XYZ-*' matches no requirement; `bindproof spec list`"),
        ({"edition": "0.1"}, "--edition '0.1': suite relay has 0."),
        ({"fault": "none_such"}, "--fault 'none_such' is no planted fault; `bindproof spec list --faults` shows them"),
        ({"fault": "swap_mark"}, "--fault 'swap_mark' is no planted fault; did you mean swap_marks"),
        ({"fault": "OUT-002"}, "--fault 'OUT-002' is no planted fault; did you mean invent_annotation"),
    ],
)
def test_what_no_suite_has_is_an_error(asked: Json, what: str) -> None:
    with pytest.raises(UsageError) as caught:
        chosen(**asked)
    assert what in str(caught.value)


def test_an_unknown_suite_is_told_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"--suite 'rely': there is .*relay"):
        read_inputs(RunRequest(suite="rely"))


def test_a_file_outside_the_spec_is_a_vector_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_bytes(msgspec.json.encode({"title": "t", "exercises": [], "scenario": {"steps": [call()]}}))
    assert chosen(files=(str(file),)) == ["file/mine.json"]
