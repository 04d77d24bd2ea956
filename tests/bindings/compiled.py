"""Programs of scenarios in compiled languages, built on the real library."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from bindproof.core.model import AdapterCommand
from bindproof.suites.relay.targets import go_target
from bindproof.suites.relay.targets.c_library import LIBRARY, library
from bindproof.targets.terms import Terms

SECONDS = 300

COMPILED = (".c", ".go")
"""What a source file ends in that has to be built."""


class NotCompiledError(Exception):
    """A program that the compiler does not take; the message is what it says."""


def built(path: Path, command: AdapterCommand) -> Path:
    """Return the executable of a source file; raises NotCompiledError.

    command: the adapter of the release that it is for.
    """
    assert command.version is not None
    made = path.with_suffix("")
    found = library(command.version, Terms(lambda _: None))
    words = ["go", "build", "-o", str(made), str(path)]
    if path.suffix == ".c":
        where = found.folder
        words = ["cc", f"-I{where}", str(path), "-o", str(made), f"-L{where}", f"-l{LIBRARY}", f"-Wl,-rpath,{where}"]
        words += ["-pthread", "-Wall", "-Werror", "-Wno-unused"]
    _build(words, path.parent, go_target.settings(found))
    return made


def _build(words: Sequence[str], folder: Path, env: Mapping[str, str]) -> None:
    done = subprocess.run(
        words, cwd=folder, env=dict(env), capture_output=True, text=True, timeout=SECONDS, check=False
    )  # fmt: skip
    if done.returncode:
        raise NotCompiledError(done.stdout + done.stderr)
