"""Schemas for editors: as the reader has it, and named by every file that they are for."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import jsonschema_rs
import pytest

from bindproof.spec.files import models
from bindproof.spec.files.divergences import ExpectationsFile
from bindproof.spec.files.editors import editor_schema
from bindproof.spec.files.form import Form
from bindproof.spec.files.reader import read
from bindproof.spec.files.surface import SurfaceFile
from bindproof.spec.problem import Problem
from bindproof.targets.manifest_form import ManifestFile
from tests.conftest import REPOSITORY

UPDATE = "BINDPROOF_UPDATE"
"""The variable that has the schemas written anew."""

FOLDER = REPOSITORY / "spec" / "editors"

FORMS: dict[str, type[Form]] = {
    "adapter": ManifestFile,
    "changes": models.ChangesFile,
    "dialect": models.DialectFile,
    "expectations": ExpectationsFile,
    "sources": models.SourcesFile,
    "suite": models.SuiteFile,
    "surface": SurfaceFile,
    "vector": models.VectorFile,
}

FILES = {
    "adapters/*/adapter.toml": "adapter",
    "spec/*/changes/*.toml": "changes",
    "spec/*/dialects/*.toml": "dialect",
    "spec/*/expectations/*.toml": "expectations",
    "spec/*/sources.toml": "sources",
    "spec/*/suite.toml": "suite",
    "spec/*/surfaces/*.toml": "surface",
}

EVERY = [(path, kind) for glob, kind in FILES.items() for path in sorted(REPOSITORY.glob(glob))]


@pytest.mark.parametrize("kind", FORMS)
def test_the_shipped_schema_is_that_of_the_reader(kind: str) -> None:
    text = json.dumps(editor_schema(FORMS[kind]), indent=2, ensure_ascii=False) + "\n"
    path = FOLDER / f"{kind}.schema.json"
    if os.environ.get(UPDATE):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"{UPDATE}=1 has it written anew"


def test_every_schema_that_is_shipped_has_a_form() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == [f"{kind}.schema.json" for kind in FORMS]


def test_every_toml_file_of_the_spec_is_of_some_kind() -> None:
    assert {path for path, _ in EVERY} == {
        *REPOSITORY.glob("spec/**/*.toml"),
        *REPOSITORY.glob("adapters/*/adapter.toml"),
    }


@pytest.mark.long
@pytest.mark.parametrize(("path", "kind"), EVERY, ids=lambda value: getattr(value, "stem", value))
def test_a_file_names_its_schema_and_satisfies_it(path: Path, kind: str) -> None:
    first, _, text = path.read_text(encoding="utf-8").partition("\n")
    word, _, place = first.partition(" ")
    assert word == "#:schema"
    schema = (path.parent / place).resolve()
    assert schema == FOLDER / f"{kind}.schema.json"
    jsonschema_rs.validate(json.loads(schema.read_text(encoding="utf-8")), tomllib.loads(text))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("dialect", 'name = "x"\ntitle = "y"\nspeling = {}\n'),
        ("dialect", 'name = "x"\n'),
        ("dialect", 'name = "x"\ntitle = " "\n'),
        ("dialect", 'name = "x"\ntitle = "y"\npolicies = { exception_identity = 1 }\n'),
        ("suite", 'name = "x"\ntitle = "y"\nerror_kinds = []\nedition = []\n'),
        ("suite", 'name = "x"\ntitle = "y"\nerror_kinds = []\nedition = [{ name = "1", state = "opened" }]\n'),
        ("adapter", 'name = "x"\n[get]\nsource = "pypi"\n'),
    ],
)
def test_what_the_reader_refuses_an_editor_marks(kind: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    found: list[Problem] = []
    assert read(tmp_path / "x.toml", "x.toml", FORMS[kind], found) is None
    schema = json.loads((FOLDER / f"{kind}.schema.json").read_text(encoding="utf-8"))
    assert not jsonschema_rs.is_valid(schema, tomllib.loads(text))
