"""Runs the commands that build: the one place of this package that starts programs.

Enters: a command. Leaves: its output, or an explanation of its failure. Must not know what it is for.
"""

from __future__ import annotations

import shlex
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
    import subprocess  # only builds need it; start-up does not pay for it

    shown = shlex.join(command)
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
        raise Unmet(f"`{shown}` cannot be started: {error}", remedy) from None
    output = ended.stdout.decode("utf-8", "replace").strip()
    if ended.returncode != 0:
        tail = "\n".join(output.splitlines()[-TAIL_LINES:]) or "(it printed nothing)"
        raise Unmet(f"`{shown}` failed with exit status {ended.returncode}:\n{tail}", remedy)
    return output
