"""The published bundles in ajv, from npm, without a network once it is installed."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from bindproof.spec.bundle import bundle_file
from tests.relay import SPEC
from tests.repo.sources import ROOT

pytestmark = pytest.mark.binding

PACKAGES = ("ajv@8.20.0", "ajv-formats@3.0.1")

EVERY = """
import { readFileSync } from "node:fs"
import Ajv from "ajv/dist/2020.js"
import formats from "ajv-formats"

for (const file of process.argv.slice(2)) {
  const ajv = new Ajv.default({ strict: true, allowUnionTypes: true })
  formats.default(ajv)
  const bundle = JSON.parse(readFileSync(file, "utf8"))
  ajv.addSchema(bundle)
  for (const schema of Object.values(bundle.$defs))
    for (const example of schema.examples ?? []) {
      const valid = ajv.getSchema(schema.$id)
      console.log(JSON.stringify([schema.$id, valid(example), valid(null), valid({ ...example, bogus: 1 })]))
    }
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("ajv")
    words = ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", *PACKAGES]
    subprocess.run(words, cwd=there, check=True)
    return there


def test_examples_of_every_edition_satisfy_their_forms(folder: Path) -> None:
    (folder / "every.mjs").write_text(EVERY, encoding="utf-8")
    files = [str(bundle_file(SPEC, edition)) for edition in SPEC.edition_names]
    done = subprocess.run(["node", "every.mjs", *files], cwd=folder, capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert {name.split("/")[4] for name, *_ in found} == set(SPEC.edition_names)
    assert all(valid and not nothing for _, valid, nothing, _ in found)
    assert not any(
        more for name, _, _, more in found if name.endswith(("writers/outcome.json", "writers/tool-outcome.json"))
    )


def test_the_program_of_the_page_says_what_it_says(folder: Path) -> None:
    page = (ROOT / "docs" / "schemas.md").read_text(encoding="utf-8")
    program = re.search(r"```js\n(.*?)```", page, re.DOTALL)
    assert program
    (folder / "page.mjs").write_text(program[1], encoding="utf-8")
    (folder / "0.10.json").write_bytes(bundle_file(SPEC, "0.10").read_bytes())
    done = subprocess.run(["node", "page.mjs"], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["true", "false"]
