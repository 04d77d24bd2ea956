"""A log may come from anywhere, so what it names is data: a program that it would have started, a package or a path is
shown, and has to be given again on the command line, or confirmed.

Enters: what is asked for now, what a log says was. Leaves: nothing, or a UsageError that shows it. Must not know what
the log is read for.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from bindproof.cli.streams import say
from bindproof.core.command_line import option
from bindproof.core.errors import UsageError
from bindproof.core.request import RunRequest
from bindproof.core.visible import visible


def hold_trusted(path: Path, given: RunRequest, logged: RunRequest, confirm: str, *, trusted: bool) -> None:
    """Show what the log would have started and used; raises UsageError unless all of it is given again or confirmed.

    confirm: the command that confirms it.
    """
    again = _reaching_out(given)
    doubtful = [words for words in _reaching_out(logged) if words not in again]
    if not doubtful:
        return
    shown = "".join(f"\n  {visible(shlex.join(words))}" for words in doubtful)
    if trusted:
        say(f"bindproof: trusting {path}, which names{shown}")
        return
    raise UsageError(
        f"{path} names programs to start, packages to get or paths to use:{shown}\n"
        f"Nothing was started. Give each of them again; or, if you trust whoever wrote the log: {confirm}"
    )


def _reaching_out(request: RunRequest) -> list[list[str]]:
    """The options of a request that start a program, get a package of the user's choice, or touch a path."""
    from bindproof.targets.names import is_folder

    found = [option("--adapter-command", f"{name}={line}") for name, line in request.adapter_commands]
    found += [option("--adapter", name) for name in request.adapters if "@" in name or is_folder(name)]
    found += [option("--dialect", file) for file in request.dialects]
    found += [["replay", file] for file in request.files]
    if request.expectations not in (None, "none"):
        found.append(option("--expectations", request.expectations))
    if request.campaign is not None and request.campaign.save is not None:
        found.append(option("--save", request.campaign.save))
    return found
