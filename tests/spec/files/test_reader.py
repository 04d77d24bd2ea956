"""Files as forms: all faults of a file at once, each with its line and what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.spec.files import models
from bindproof.spec.files.divergences import ExpectationsFile
from bindproof.spec.files.form import Form
from bindproof.spec.files.reader import read
from bindproof.spec.problem import Problem

DIALECT = """\
nme = "x"
title = 3
policies = { exception_identity = "yes", x = 1 }
spelling.thing.colour = { own = "a", sides = ["reply", "repply", 3] }
[[error]]
kind = ""
pattern = "(?!x)"
[[error]]
[[withheld]]
family = "a"
arguments = "b"
editions = 3
inexpressible = []
"""

VECTOR = """\
{
  "title": "x", "exercises": "y",
  "scenario": [],
  "defect": {"at": "x", "breaks": "A", "kind": "b"},
  "seconds": -1, "dialect": ["x"],
  "completely_different": null
}
"""

EXPECTATIONS = """\
[[divergence]]
target = "thing"
vectors = []
reason = " "
source = "seen"
requirement = "A"
verdict = "conforms"
[[divergence]]
target = "thing"
vectors = ["*"]
reason = "r"
source = "s"
versions = ["1", ">=2"]
generated = "("
"""


def problems(folder: Path, name: str, text: str, form: type[Form]) -> list[str]:
    (folder / name).write_text(text, encoding="utf-8")
    found: list[Problem] = []
    assert read(folder / name, name, form, found) is None
    return [str(problem) for problem in sorted(found)]


def test_every_fault_of_a_dialect_is_told_with_what_to_write(tmp_path: Path) -> None:
    sides = "one of 'input', 'argument', 'reply', 'helper', 'event'"
    looking = "invalid perl operator: (?!; looking ahead or behind is not allowed, as it may take for ever"
    assert problems(tmp_path, "x.toml", DIALECT, models.DialectFile) == [
        "x.toml:1: `name` is missing; write a text (the dialect's name, which is the file's)",
        "x.toml:1: `nme` is unknown; did you mean `name`?",
        "x.toml:2: `title` is 3; write a text",
        "x.toml:3: `/policies/exception_identity` is 'yes'; write true or false",
        "x.toml:3: `/policies/x` is unknown; there is exception_identity, exceptions_have_classes, "
        "codecs_are_functions, finalizers_fail, percent_encoded_names",
        f"x.toml:4: `/spelling/thing/colour/sides/1` is 'repply'; write {sides} (did you mean 'reply'?)",
        f"x.toml:4: `/spelling/thing/colour/sides/2` is 3; write {sides}",
        "x.toml:6: `/error/0/kind` is empty; a reader has to learn something from it",
        f"x.toml:7: `/error/0/pattern`: '(?!x)' is no regular expression: {looking}",
        "x.toml:8: `/error/1/kind` is missing; write a text (one of the suite's `error_kinds`)",
        "x.toml:8: `/error/1/pattern` is missing; write a text (a regular expression of RE2, which begins with ^)",
        "x.toml:11: `/withheld/0/arguments` is 'b'; write a list, each item a text",
        "x.toml:12: `/withheld/0/editions` is 3; write a list, each item a text",
        "x.toml:13: `/withheld/0/inexpressible` is unknown; there is family, arguments, editions",
    ]


def test_every_fault_of_a_vector_is_told_with_what_to_write(tmp_path: Path) -> None:
    keys = "title, exercises, scenario, editions, dialects, defect, expect, seconds"
    assert problems(tmp_path, "x.json", VECTOR, models.VectorFile) == [
        "x.json:2: `exercises` is 'y'; write a list, each item a text",
        "x.json:3: `scenario` is a list; write an object",
        "x.json:4: `defect`: a defect has either `put` with a value, or `cut`: true",
        "x.json:5: `dialect` is unknown; did you mean `dialects`?",
        "x.json:5: `seconds` is -1; write a number above 0",
        f"x.json:6: `completely_different` is unknown; there is {keys}",
    ]


def test_every_fault_of_expectations_is_told_with_what_to_write(tmp_path: Path) -> None:
    verdicts = "'unsupported', 'inexpressible', 'adapter_error', 'protocol_error', 'crash', 'timeout', 'not_run', "
    assert problems(tmp_path, "x.toml", EXPECTATIONS, ExpectationsFile) == [
        "x.toml:3: `/divergence/0/vectors` is empty; name at least one",
        "x.toml:4: `/divergence/0/reason` is empty; a reader has to learn something from it",
        f"x.toml:7: `/divergence/0/verdict` is 'conforms'; write one of {verdicts}'harness_error'",
        "x.toml:13: `/divergence/1/versions/0`: '1' is no version specifier; write one such as '>=0.9,<0.11'",
        "x.toml:14: `/divergence/1/generated`: '(' is no regular expression: missing ): (",
    ]


@pytest.mark.parametrize("text", ["[]", "3", '"x"', "null"])
def test_a_file_that_is_no_object_is_told(tmp_path: Path, text: str) -> None:
    (said,) = problems(tmp_path, "x.json", text, models.VectorFile)
    assert said.startswith("x.json:1: this file is ")
    assert said.endswith("; write an object")


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    found: list[Problem] = []
    assert read(tmp_path / "none.toml", "none.toml", models.SuiteFile, found) is None
    assert found == [Problem("none.toml", 1, "there is no such file")]


def test_a_file_that_is_in_order_is_read_with_its_lines(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text('name = "a"\ntitle = "b"\n[[error]]\nkind = "c"\npattern = "^d"\n', "utf-8")
    found: list[Problem] = []
    written = read(tmp_path / "x.toml", "x.toml", models.DialectFile, found)
    assert found == []
    assert written is not None
    assert written.value.error[0].pattern == "^d"
    assert written.line("error", 0, "pattern") == 5


def test_an_expectation_may_be_about_what_only_the_reference_speaks_of_in_generated_scenarios_alone(
    tmp_path: Path,
) -> None:
    signs = 'requirement = "REF-000"\nobserved = 7\ngenerated = "x"\nreason = "r"\nsource = "s"\n'
    (tmp_path / "x.toml").write_text(f'[[divergence]]\ntarget = "thing"\n{signs}', "utf-8")
    found: list[Problem] = []
    written = read(tmp_path / "x.toml", "x.toml", ExpectationsFile, found)
    assert (found, written and written.value.divergence[0].vectors) == ([], ())
