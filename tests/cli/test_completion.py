"""What a shell is given completes the words of every command."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from bindproof.cli import main
from bindproof.cli.completion import SHELLS


@pytest.mark.long
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_reads_it(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert all(word in out for word in ("report", "--junit", "expectations"))
    if shutil.which(shell) is not None:
        script = tmp_path / "script"
        script.write_text(out, encoding="utf-8")
        subprocess.run([shell, "-n", str(script)], check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="unavailable: no bash")
def test_bash_completes_a_command_and_an_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "bindproof.bash"
    script.write_text(capsys.readouterr().out, encoding="utf-8")

    def completed(*words: str) -> list[str]:
        line = " ".join(f"'{word}'" for word in ("bindproof", *words))
        ask = (
            f"source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words)}; "
            "f=$(complete -p bindproof | sed -E 's/.*-F ([^ ]+).*/\\1/'); $f; printf '%s\\n' \"${COMPREPLY[@]}\""
        )
        return subprocess.run(["bash", "-c", ask], check=True, capture_output=True, text=True).stdout.split()

    assert "report" in completed("rep")
    assert "--junit" in completed("report", "--ju")
