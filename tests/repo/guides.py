"""Guides whose commands a test runs, in order: each ends as the guide says.

Enters: a page of docs/. Leaves: its commands as a shell runs them, and what they printed. How one command of bindproof
is acted out is for the test to say.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.repo.sources import fenced, text
from tests.warm import here

ENDS = re.compile(r"^(bindproof .*)  # exit code (\d+)$", re.MULTILINE)

_FUNCTION = """
{name}() {{
    printf '%s\\n' {name} "$@" > "$ASK"
    read -r code < "$ANSWER"
    return "$code"
}}
"""

Act = Callable[[list[str]], tuple[int, str]]
"""Acts a command out, its name first; returns its exit code and what it printed on stdout and on stderr."""


def blocks(page: Path) -> Iterator[str]:
    """A guide's commands; one that has to fail is held to the exit code that stands beside it."""
    for language, block in fenced(text(page)):
        if language == "sh":
            yield ENDS.sub(r'code=0; \1 || code=$?; [ "$code" = \2 ] || { echo "exit code $code"; exit 9; }', block)


def codes_that_are_told(page: Path) -> int:
    """How many commands have to fail. Raises AssertionError where a code is told of what is no command of ours."""
    shown = [block for language, block in fenced(text(page)) if language == "sh"]
    found = sum(len(ENDS.findall(block)) for block in shown)
    assert found == sum(block.count("# exit code") for block in shown)
    return found


def warm(folder: Path) -> Act:
    """Return what acts commands of bindproof out in a folder, without the time that each start would take."""
    server = here()

    def act(words: list[str]) -> tuple[int, str]:
        ran = server.run(*words[1:], folder=folder)
        return ran.code, ran.out + ran.err

    return act


def acted_out(
    pages: Sequence[Path], folder: Path, own: Path, act: Act, environment: dict[str, str], *commands: str
) -> tuple[int, str]:
    """Run the commands of pages in a folder, one after the other; return the shell's exit code and what they printed.

    own: a folder of ours. commands: programs that `act` acts out, without the time that each start of them would take.
    """
    for name in ("ask", "answer"):
        os.mkfifo(own / name)
    functions = "".join(_FUNCTION.format(name=name) for name in commands)
    script = own / "guide.sh"
    lines = ["set -eux", "trap 'echo > \"$ASK\"' EXIT", functions, *(block for page in pages for block in blocks(page))]
    script.write_text("\n".join(lines), encoding="utf-8")
    environment = {**environment, "ASK": str(own / "ask"), "ANSWER": str(own / "answer")}
    said: list[str] = []
    with (own / "said").open("w") as output:
        shell = subprocess.Popen(["sh", script], cwd=folder, env=environment, stdout=output, stderr=output)
    while words := list(filter(None, (own / "ask").read_text(encoding="utf-8").splitlines())):
        code, printed = act(words)
        said += [f"{words}\n", printed, f"exit code {code}\n"]
        (own / "answer").write_text(f"{code}\n", encoding="utf-8")
    return shell.wait(), "".join([*said, (own / "said").read_text(encoding="utf-8")])
