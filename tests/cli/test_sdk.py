"""Where the SDKs are, as a user asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.cli import main
from bindproof.cli.sdk import LANGUAGES
from bindproof.core.paths import adapters_root

KNOWN = {
    "python": "bindproof_adapter/__init__.py",
    "node": "index.mjs",
    "go": "go.mod",
    "rust": "Cargo.toml",
}


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_folder_has_what_a_program_imports(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sdk", "path", "--language", language]) == 0
    assert (Path(capsys.readouterr().out.strip()) / KNOWN[language]).is_file()


def test_without_a_language_it_is_that_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sdk", "path"]) == 0
    assert capsys.readouterr().out == f"{adapters_root() / 'sdk'}\n"
