"""The adapters of a run: found, built where needed, or unavailable with the reason.

Enters: the request. Leaves: commands to start, and lines of the log for those that are unavailable. Must not know
scenarios.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from msgspec.structs import replace

from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.core.request import RunRequest
from bindproof.results import AdapterLine
from bindproof.targets import command_adapter, default_names, resolve

REFERENCE = "reference"

REFERENCE_TARGET = "bindproof-reference"
"""What the adapter of the references says that it drives."""

PYTHON_PATH = "PYTHONPATH"
"""What says where an adapter in Python imports from."""


def names(request: RunRequest, suites: Collection[str]) -> tuple[str, ...]:
    """Return the names of the adapters of a request, in the order in which they were asked for.

    suites: what is judged; without a name from the user, the default adapters of these. What is asked for twice, word
    for word, is one adapter. Raises UsageError where two adapters have one name: one of them would not be judged.
    """
    asked = dict.fromkeys(_asked(request, suites))
    called: dict[str, str] = {name: f"--adapter {name}" for name in asked}
    for name, line in dict.fromkeys(request.adapter_commands):
        if name in called:
            both = f"`{called[name]}` and `{line}`"
            raise UsageError(f"two adapters are called {name}: {both}; give each --adapter-command a name of its own")
        called[name] = line
    return tuple(called)


def commands(
    request: RunRequest, progress: Callable[[str], None], suites: Collection[str]
) -> Iterator[AdapterCommand | AdapterLine]:
    """Yield each adapter of the request, as `names`: how to start it, or the line that says why it cannot be had.

    Raises UsageError as `names`.
    """
    names(request, suites)
    for name in dict.fromkeys(_asked(request, suites)):
        found = resolve(_in_edition(name, request.edition), required=name in request.adapters, progress=progress)
        if isinstance(found, Unavailable):
            yield AdapterLine(
                name=name,
                state="unavailable",
                required=found.required,
                reason=found.reason,
                remedy=found.remedy,
            )
        else:
            yield replace(found, name=name)
    for name, line in dict.fromkeys(request.adapter_commands):
        yield replace(command_adapter(f"{name}={line}"), required=True)


def one_command(adapter: str, progress: Callable[[str], None], suites: Collection[str]) -> AdapterCommand:
    """Return how the adapter of a name is started; raises UsageError where it cannot be had."""
    found = next(iter(commands(RunRequest(adapters=(adapter,)), progress, suites)))
    if isinstance(found, AdapterLine):
        raise UsageError(f"{adapter} is unavailable: {found.reason}; to have it: {found.remedy}")
    return found


def _asked(request: RunRequest, suites: Collection[str]) -> tuple[str, ...]:
    if request.adapters or request.adapter_commands:
        return request.adapters
    named = bool(request.suite or request.edition or request.requirements or request.vectors or request.files)
    return tuple(default_names(suites, named=named))


def _in_edition(name: str, edition: str | None) -> str:
    """The reference has no release of its own: it follows the edition that the user asks for."""
    if edition is None or name.partition("@")[0] != REFERENCE or ":" in name:
        return name
    return f"{name}:{edition}"


def imported_from(command: AdapterCommand, package: str) -> Path | None:
    """Return the folder from which an adapter imports a Python package; None where its command does not say."""
    path = command.env.get(PYTHON_PATH, "").split(os.pathsep)
    found = (Path(one) / package for one in path if one)
    return next((folder for folder in found if (folder / "__init__.py").exists()), None)
