"""Objects that others' validators have to refuse: a second validator does, and every form with examples has some."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from bindproof.spec.bundle import bundle
from bindproof.spec.refusals import refusals
from tests.relay import SPEC

Json = Any
BUNDLE = bundle(SPEC, "0.11")
REFUSED = refusals(BUNDLE)


@pytest.mark.long
def test_a_second_validator_refuses_each() -> None:
    registry: Registry[Any] = Registry().with_resource(BUNDLE["$id"], Resource.from_contents(BUNDLE)).crawl()
    asked = {one["form"]: Draft202012Validator({"$ref": one["form"]}, registry=registry) for one in REFUSED}
    assert [one for one in REFUSED if asked[one["form"]].is_valid(one["object"])] == []


def test_every_form_with_examples_refuses_something() -> None:
    with_examples = {form["$id"] for form in BUNDLE["$defs"].values() if form.get("examples")}
    assert {one["form"] for one in REFUSED} == with_examples


@pytest.mark.parametrize(
    ("form", "because", "value"),
    [
        ("writers/pending-mark.json", "name is of another type", {"name": None}),
        ("writers/outcome.json", "member_of_nobody is no member", None),
        ("readers/llm-request.json", "headers is left out", None),
    ],
)
def test_it_is_one_change_away_from_an_example(form: str, because: str, value: Json) -> None:
    found = [one["object"] for one in REFUSED if one["form"].endswith(f"/{form}") and one["because"] == because]
    assert found
    assert value is None or any(value.items() <= one.items() for one in found)


def test_what_takes_everything_refuses_nothing() -> None:
    form = {"$id": "https://bindproof.example/s/1/writers/any.json", "examples": [{"a": 1}, 5]}
    assert refusals({"$id": "https://bindproof.example/s/1/bundle.json", "$defs": {"writers/any.json": form}}) == []
