"""The schemas as others use them: one file for each edition, which validators of others take without a network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from check_jsonschema.cli.main_command import main as check_jsonschema
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from bindproof.spec import load
from bindproof.spec.bundle import bundle, bundle_file
from tests.relay import SPEC

Json = Any
EDITIONS = SPEC.edition_names
ALONE = "common.json"
"""Holds definitions alone: nothing is of its form."""


def kept(edition: str) -> Json:
    return json.loads(bundle_file(SPEC, edition).read_text(encoding="utf-8"))


def asked(edition: str, form: str) -> Draft202012Validator:
    """What a user of plain jsonschema has of a form, with that one file."""
    whole = kept(edition)
    registry: Registry[Any] = Registry().with_resource(whole["$id"], Resource.from_contents(whole)).crawl()
    address = whole["$id"].replace("bundle.json", form)
    return Draft202012Validator(
        {"$ref": address}, registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER
    )


def examples(edition: str) -> Iterator[tuple[str, Json]]:
    for form, schema in kept(edition)["$defs"].items():
        yield from ((form, example) for example in schema.get("examples", ()))


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_kept_is_what_is_written(edition: str) -> None:
    assert kept(edition) == bundle(SPEC, edition), "write them again: bindproof spec bundle relay"


@pytest.mark.long
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_form_has_examples_and_they_satisfy_it_in_plain_jsonschema(edition: str) -> None:
    without = [form for form, schema in kept(edition)["$defs"].items() if not schema.get("examples")]
    assert {form.rpartition("/")[2] for form in without} == {ALONE}
    for form, example in examples(edition):
        asked(edition, form).validate(example)


@pytest.mark.long
@pytest.mark.parametrize("edition", EDITIONS)
def test_examples_satisfy_their_form_in_check_jsonschema(edition: str, tmp_path: Path) -> None:
    (tmp_path / "bundle.json").write_bytes(bundle_file(SPEC, edition).read_bytes())
    of_forms: dict[str, list[str]] = {}
    for number, (form, example) in enumerate(examples(edition)):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(example), encoding="utf-8")
        of_forms.setdefault(form, []).append(str(file))
    for form, files in of_forms.items():
        schema = tmp_path / "schema.json"
        schema.write_text(json.dumps({"$ref": f"bundle.json#/$defs/{form.replace('/', '~1')}"}), encoding="utf-8")
        done = CliRunner().invoke(check_jsonschema, ["--schemafile", str(schema), *files])
        assert done.exit_code == 0, done.output
    wrong = [file for form, files in of_forms.items() if form == "writers/llm-request.json" for file in files[:1]]
    done = CliRunner().invoke(check_jsonschema, ["--schemafile", str(tmp_path / "bundle.json"), *wrong])
    assert done.exit_code == 1, done.output


@pytest.mark.long
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_third_validator_says_the_same_of_what_an_example_lacks_or_has_too_much(edition: str) -> None:
    whole = kept(edition)
    registry = jsonschema_rs.Registry([(whole["$id"], whole)])
    for form, example in examples(edition):
        other = jsonschema_rs.validator_for({"$ref": whole["$id"].replace("bundle.json", form)}, registry=registry)
        one = asked(edition, form)
        for changed in ({**example, "bogus": 1}, *({k: v for k, v in example.items() if k != key} for key in example)):
            assert one.is_valid(changed) == other.is_valid(changed), (form, changed)


EVENT: Json = {
    "atof_version": "0.1", "kind": "scope", "scope_category": "start", "category": "llm", "name": "gpt",
    "uuid": "0192f0c4-7d1e-7a31-8c42-4c8b9a5f6d21", "parent_uuid": None, "propagation_root_uuid": None,
    "timestamp": "2026-03-01T12:34:56Z", "attributes": [], "category_profile": None, "data": None,
    "data_schema": None, "metadata": None,
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(
    ("changed", "writers", "readers"),
    [
        ({}, True, True),
        ({"category": "planner"}, False, True),
        ({"atof_version": "0.7"}, False, True),
        ({"atof_version": "1.0"}, False, False),
        ({"later": 1}, False, True),
        ({"scope_category": "middle"}, False, False),
        ({"timestamp": 1767225600123456}, False, True),
        ({"timestamp": "2026-99-99T99:99:99+99:99"}, False, False),
        ({"timestamp": "2026-02-30T12:00:00Z"}, False, False),
        ({"timestamp": "2025-02-29T12:00:00Z"}, False, False),
        ({"timestamp": "2026-03-01T12:34:56"}, False, False),
    ],
    ids=str,
)
def test_writers_are_held_to_the_contract_and_readers_are_as_open_as_the_event_format(
    changed: Json, writers: bool, readers: bool
) -> None:
    event = EVENT | changed
    assert asked("0.10", "writers/scope-event.json").is_valid(event) is writers
    assert asked("0.10", "readers/scope-event.json").is_valid(event) is readers
    assert asked("0.10", "bundle.json").is_valid(event) is readers


def test_a_reader_needs_no_more_of_an_event_than_the_event_format_does() -> None:
    optional = ("category_profile", "data", "data_schema", "metadata", "propagation_root_uuid")
    event = {key: value for key, value in EVENT.items() if key not in optional}
    assert asked("0.10", "readers/scope-event.json").is_valid(event)
    assert not asked("0.10", "writers/scope-event.json").is_valid(event)


@pytest.mark.parametrize(
    ("form", "value", "valid"),
    [
        ("writers/pending-mark.json", {"name": "m", "category_profile": {"subtype": "s", "own": 1}}, True),
        ("writers/pending-mark.json", {"name": "m", "categoryProfile": {}}, False),
        ("node/reply/pending-mark.json", {"name": "m", "categoryProfile": {}, "dataSchema": None}, True),
        ("node/reply/pending-mark.json", {"name": "m", "category_profile": {}}, False),
        ("node/reply/tool-outcome.json", {"result": 1, "pendingMarks": [{"name": "m", "categoryProfile": {}}]}, True),
        ("node/reply/tool-outcome.json", {"result": 1, "pendingMarks": [{"name": "m", "category_profile": 1}]}, False),
        ("node/reply/tool-outcome.json", {"result": 1, "pending_marks": []}, False),
        ("node/reply/event-fields.json", {"categoryProfile": None}, True),
        ("node/reply/event-fields.json", {"category_profile": None}, False),
        ("node/argument/outcome.json", {"request": {"headers": {}, "content": 1}, "annotated": {"messages": 1}}, False),
        ("writers/tool-result.json", {"result": None}, True),
        ("writers/tool-result.json", {"result": None, "pending_marks": []}, False),
        ("writers/tool-result.json", {}, False),
        ("writers/llm-request.json", {"headers": {}, "content": 1, "more": 1}, False),
        ("writers/annotated-request.json", {"messages": [], "more": 1}, True),
    ],
    ids=str,
)
def test_a_form_takes_what_its_side_spells_and_no_other(form: str, value: Json, valid: bool) -> None:
    assert asked("0.10", form).is_valid(value) is valid


def test_a_dialect_without_a_spelling_of_its_own_has_no_forms_and_node_has_none_before_it_was_seen() -> None:
    assert {form.partition("/")[0] for form in kept("0.10")["$defs"]} == {"writers", "readers", "node"}
    assert {form.partition("/")[0] for form in kept("0.8")["$defs"]} == {"writers", "readers"}


def test_a_suite_that_says_nothing_of_readers_has_a_bundle_that_takes_nothing_as_it_is(repository: Path) -> None:
    found = bundle(load(repository, "interceptors"), "0.7")
    assert not Draft202012Validator(found).is_valid({"headers": {}})
