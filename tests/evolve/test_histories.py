"""Released schemas of others: the figures of the page are what is found, and a validator on the raw files agrees.

They are not kept here; check-jsonschema (Apache-2.0) carries them, and its releases of two times are compared.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from bindproof.evolve.answers import DIRECTIONS
from bindproof.evolve.compare import Comparison
from bindproof.evolve.schemas import Schemas, read_schemas
from bindproof.evolve.spelling import spelled_as
from bindproof.spec.files.document import parse
from tests.conftest import REPOSITORY
from tests.evolve.schemas_of import Json

pytestmark = pytest.mark.binding

EARLIER = "0.33.0"
SHA256 = "03b17105321c91915b2fdfa47a6821f8c4f9e45bb37b9433752bb6a938f42a2f"
"""Of the wheel of that release."""

INSIDE = "check_jsonschema/builtin_schemas/vendor/"


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """The earlier release, which is not installed."""
    folder = tmp_path_factory.mktemp("release")
    wanted = folder / "wanted.txt"
    wanted.write_text(f"check-jsonschema=={EARLIER} --hash=sha256:{SHA256}\n", encoding="utf-8")
    words = ["-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "--require-hashes"]
    subprocess.run([sys.executable, *words, "-d", str(folder), "-r", str(wanted)], check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as release:
        yield release


def both(earlier: zipfile.ZipFile, name: str) -> tuple[bytes, bytes]:
    now = files("check_jsonschema").joinpath("builtin_schemas", "vendor", name)
    return earlier.read(INSIDE + name), Path(str(now)).read_bytes()


def schemas(text: bytes, name: str) -> Schemas:
    return read_schemas({name: parse(text, name)})


def takes(text: bytes, value: Json) -> bool:
    """What a validator says on the file as it came; Compose writes its draft's address as no validator knows it."""
    schema = json.loads(text)
    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft7Validator)
    return bool(kind(schema, format_checker=kind.FORMAT_CHECKER).is_valid(value))


@pytest.mark.parametrize(("title", "name"), [("Compose", "compose-spec.json")])
def test_the_figures_and_witnesses_of_a_history(title: str, name: str, earlier: zipfile.ZipFile) -> None:
    old, new = both(earlier, name)
    now = schemas(new, name)
    asked = Comparison(spelled_as(schemas(old, name), now), now)
    each = [asked.decision(number) for number in range(len(asked) - 1)]
    answers = [decision.answer(way) for decision in each for way in DIRECTIONS]
    breaking = sum(any(decision.answer(way).breaks for way in DIRECTIONS) for decision in each)
    unknown = sum(answer.grade == "UNKNOWN" for answer in answers)
    page = (REPOSITORY / "docs" / "evolution.md").read_text(encoding="utf-8")
    assert f"| {title} | {EARLIER} → 0.39.0 | {len(each)} | {breaking} | {unknown} |" in page
    together = asked.decision(len(asked) - 1)
    for answer, writer, reader in ((together.old_to_new, old, new), (together.new_to_old, new, old)):
        assert answer.grade == "WITNESS"
        assert takes(writer, answer.witness)
        assert not takes(reader, answer.witness)
