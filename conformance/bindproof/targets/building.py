"""Runs the commands that build: the one place of this package that starts programs.

Enters: a command. Leaves: its output, or an explanation of its failure. Must not know what it is for.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from bindproof.targets.environment import for_builds
from bindproof.targets.unmet import Unmet

TAIL_LINES = 15
"""How much of a failed command's output is shown."""


def run(command: Sequence[str], cwd: Path, remedy: str, env: Mapping[str, str] | None = None) -> str:
    """Run `command` in `cwd` and return what it printed. env: the whole environment, else the one that builds get.

    Raises Unmet, saying which command failed and why, with `remedy` for the user.
    """
    status, output = _ran(command, cwd, remedy, env)
    if status != 0:
        tail = "\n".join(output.splitlines()[-TAIL_LINES:]) or "(it printed nothing)"
        raise Unmet(f"`{shlex.join(command)}` failed with exit status {status}:\n{tail}", remedy)
    return output


def told(name: str, words: Sequence[str], absent: Unmet, remedies: Mapping[str, str]) -> str:
    """Return what a program on PATH tells of itself, such as its version.

    Raises `absent` where there is none, and Unmet in one line where it cannot run: with the first of the remedies whose
    key is in what it printed, else that of `absent`.
    """
    found = shutil.which(name)
    if found is None:
        raise absent
    status, output = _ran([found, *words], Path.cwd(), absent.remedy)
    if status != 0:
        remedy = next((one for sign, one in remedies.items() if sign in output), absent.remedy)
        shown = shlex.join([name, *words])
        raise Unmet(f"`{shown}` failed with exit status {status}: {_reason(output)}", remedy)
    return output


def _reason(output: str) -> str:
    """The line that says why: the first that calls itself an error, else the first of all."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return next((line for line in lines if line.startswith("error")), lines[0] if lines else "it printed nothing")


def _ran(command: Sequence[str], cwd: Path, remedy: str, env: Mapping[str, str] | None = None) -> tuple[int, str]:
    import subprocess  # only builds need it; start-up does not pay for it

    try:
        ended = subprocess.run(
            command,
            cwd=cwd,
            env=for_builds() if env is None else env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except OSError as error:
        raise Unmet(f"`{shlex.join(command)}` cannot be started: {error}", remedy) from None
    return ended.returncode, ended.stdout.decode("utf-8", "replace").strip()
