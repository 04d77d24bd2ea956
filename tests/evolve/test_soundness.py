"""An answer is never wrong, however odd the schemas: it is held against values that no part of it has seen."""

from __future__ import annotations

import json
from random import Random

import jsonschema
import pytest

from bindproof.evolve.answers import Answer
from bindproof.spec.problem import SpecError
from tests.evolve.drawn_schemas import Json, changed, drawn_schema, drawn_values
from tests.evolve.schemas_of import together

pytestmark = pytest.mark.long

DRAFTS = ("http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema")


def refuted(answer: Answer, old: Json, new: Json, values: list[Json]) -> Json:
    """A value that shows a `safe` or a witness to be wrong, as one more validator says; None where there is none."""
    kinds = [jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator) for schema in (old, new)]
    takes, reads = (kind(schema).is_valid for kind, schema in zip(kinds, (old, new), strict=True))
    if answer.grade == "WITNESS":
        return None if takes(answer.witness) and not reads(answer.witness) else [answer.witness]
    if answer.breaks is False:
        return next(([value] for value in values if takes(value) and not reads(value)), None)
    return None


def wrong(seed: int) -> list[str]:
    """What is wrong with the answers about the schemas of a seed."""
    random = Random(seed)
    old = drawn_schema(random)
    new = changed(random, changed(random, old) if random.random() < 0.4 else old)
    return refuted_answers(old, new, drawn_values(random, 150))


def wrong_between_drafts(seed: int) -> list[str]:
    """The same, where one side is of draft-07 and the other of 2020-12, with keywords that mean something in one."""
    random = Random(seed)
    old = drawn_schema(random)
    if random.random() < 0.5:
        old |= {"dependencies": {random.choice("ab"): random.choice((["b"], {"minProperties": 2}, False))}}
    new = changed(random, old) if random.random() < 0.5 else old
    there, here = random.sample(DRAFTS, 2)
    return refuted_answers({"$schema": there, **old}, {"$schema": here, **new}, drawn_values(random, 150))


def refuted_answers(old: Json, new: Json, values: list[Json]) -> list[str]:
    try:
        found = together(old, new, tries=40)
        pairs = ((found.old_to_new, old, new), (found.new_to_old, new, old))
        refutations = [(answer, refuted(answer, writer, reader, values)) for answer, writer, reader in pairs]
    except (SpecError, RecursionError):  # a schema that nothing can satisfy or ask, such as one that is its own part
        return []
    return [f"{answer} by {value}: {json.dumps([old, new])}" for answer, value in refutations if value is not None]


@pytest.mark.parametrize("share", range(4))
def test_no_answer_about_drawn_schemas_is_refuted(share: int) -> None:
    assert [text for seed in range(share * 15, share * 15 + 15) for text in wrong(seed)] == []


@pytest.mark.long
@pytest.mark.parametrize("share", range(10))
def test_no_answer_about_many_drawn_schemas_is_refuted(share: int) -> None:
    assert [text for seed in range(10_000 + share * 300, 10_300 + share * 300) for text in wrong(seed)] == []


@pytest.mark.parametrize("share", range(4))
def test_no_answer_between_drafts_is_refuted(share: int) -> None:
    assert [text for seed in range(share * 15, share * 15 + 15) for text in wrong_between_drafts(seed)] == []


@pytest.mark.long
@pytest.mark.parametrize("share", range(10))
def test_no_answer_between_drafts_about_many_drawn_schemas_is_refuted(share: int) -> None:
    assert [
        text for seed in range(10_000 + share * 300, 10_300 + share * 300) for text in wrong_between_drafts(seed)
    ] == []
