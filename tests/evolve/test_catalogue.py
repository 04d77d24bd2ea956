"""The catalogue of decisions: nothing is called safe that is not, and nothing breaking that is not."""

from __future__ import annotations

import jsonschema
import pytest

from tests.evolve.decisions import Case, cases
from tests.evolve.schemas_of import together, word

pytestmark = pytest.mark.long

CASES = list(cases())


def test_it_has_as_many_decisions_as_we_say() -> None:
    assert 2 * len(CASES) >= 160
    assert len({(case.file, case.title) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[f"{case.file}: {case.title}" for case in CASES])
def test_a_decision_is_as_a_person_made_it(case: Case) -> None:
    found = together(case.old, case.new)
    for direction, answer, expected in (
        ("old_to_new", found.old_to_new, case.old_to_new),
        ("new_to_old", found.new_to_old, case.new_to_old),
    ):
        assert word(answer) == expected, (direction, answer)


@pytest.mark.parametrize("case", CASES, ids=[f"{case.file}: {case.title}" for case in CASES])
def test_its_schemas_are_valid(case: Case) -> None:
    for schema in (case.old, case.new):
        jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator).check_schema(schema)
