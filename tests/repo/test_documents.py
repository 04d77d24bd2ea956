"""Documents keep their word: paths exist, commands parse, README and the machine that checks it run the same line."""

from __future__ import annotations

import configparser
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bindproof.cli import parser
from bindproof.core.paths import data_root
from bindproof.spec import load, load_expectations
from tests.repo.sources import ROOT, fenced, files, text

TOP = (
    "spec",
    "conformance",
    "reference_impl",
    "adapters",
    "templates",
    "tests",
    "docs",
    "benchmarks",
    "changelog.d",
    ".ci",
)
DOCUMENTS = [path for path in files() if path.suffix == ".md"]


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "SECURITY.md"])
def test_paths_in_a_document_exist(name: str) -> None:
    document = (ROOT / name).read_text(encoding="utf-8")
    wrong = []
    for quoted in re.findall(r"`([^`\s]+)`", document):
        path, _, test = quoted.partition("::")
        if not path.startswith(tuple(f"{top}/" for top in TOP)) or "<" in path or "{" in path:
            continue
        found = list(ROOT.glob(path.rstrip("/")))
        if not found or (test and f"def {test}(" not in found[0].read_text(encoding="utf-8")):
            wrong.append(quoted)
    assert not wrong, f"{name} names what is not there: {', '.join(wrong)}"


@pytest.mark.long
@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_relative_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", text(document))
    missing = [target for target in targets if not (ROOT / document.parent / target).exists()]
    assert not missing, f"{document} links to {', '.join(missing)}"


def test_readme_has_one_test_command_and_ci_runs_it() -> None:
    """.ci/run takes the line out of README; here we see that there is exactly one, and that it is tox, all of it."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    extraction = next(line for line in script.splitlines() if line.startswith("command="))
    printed = subprocess.run(
        ["sh", "-c", f'{extraction}; printf %s "$command"'], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert printed
    assert printed in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "\n" not in printed
    assert re.search(r"bin/tox -p all -o$", printed)


def test_tox_runs_what_checks_this_repository() -> None:
    tox = configparser.ConfigParser()
    tox.read(ROOT / "tox.ini", encoding="utf-8")
    environments = [name.strip() for name in tox["tox"]["env_list"].split(",")]
    assert environments == ["lint", "tests"]
    assert '-m "long or not long"' in tox["testenv:tests"]["commands"], "no test is left out"


def test_the_expectation_in_readme_is_one(tmp_path: Path) -> None:
    (block,) = (block for language, block in fenced(text(Path("README.md"))) if language == "toml")
    (tmp_path / "mine.toml").write_text(block, encoding="utf-8")
    (divergence,) = load_expectations(load(data_root(), "relay"), [tmp_path / "mine.toml"])
    assert divergence.requirement == "MRK-002"


def commands_in_documents() -> Iterator[str]:
    for document in DOCUMENTS:
        for language, block in fenced(text(document)):
            if language not in {"", "sh", "console", "shell", "bash"}:
                continue
            for line in block.splitlines():
                command = re.search(r"(?:^|/|\s|\$ )(bindproof(?: .*)?)$", line.partition("  #")[0])
                if command and "..." not in line and "…" not in line and "<" not in line:
                    yield command[1].partition("&&")[0].partition("|")[0].strip()


@pytest.mark.long
@pytest.mark.parametrize("command", sorted(set(commands_in_documents())))
def test_commands_in_documents_are_understood(command: str) -> None:
    words = shlex.split(command)[1:]
    assert words in ([], ["--help"], ["--version"]) or parser().parse_args(words)


def test_every_fragment_says_something_and_how_to_migrate() -> None:
    """That it is named as one, towncrier sees."""
    for path in (ROOT / "changelog.d").glob("*.*.md"):
        words = path.read_text(encoding="utf-8")
        assert words.strip(), f"{path.name} is empty"
        if path.name.endswith((".breaking.md", ".spec.md")):
            assert "\n## Migration\n" in words, f"{path.name} tells nobody how to migrate"
