"""What a person types to have something done again: the one place that turns a request into words.

Enters: a request, and what of it is meant. Leaves: words, or a command that a shell takes as it is. Must not know who
shows it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from bindproof.core.origins import FromFile, FromVector, Generated, Planned, TwinOf, named_by
from bindproof.core.request import RunRequest


def command(words: Iterable[str]) -> str:
    """Return a command of bindproof, quoted for a shell."""
    return shlex.join(["bindproof", *words])


def option(name: str, value: object) -> list[str]:
    """Return the words of an option; a value that looks like one itself is tied to it."""
    text = str(value)
    return [f"{name}={text}"] if text.startswith("-") else [name, text]


def adapter(request: RunRequest, name: str) -> list[str]:
    """Return the words that choose one of a request's adapters."""
    for own, line in request.adapter_commands:
        if own == name:
            return option("--adapter-command", f"{own}={line}")
    return option("--adapter", name)


def again(request: RunRequest, name: str, suite: str, origin: Planned) -> list[str]:
    """Return the words that act one scenario out again, on one adapter, and judge it as the request does."""
    words = [*_subject(suite, origin), *adapter(request, name)]
    words += [word for file in request.dialects for word in option("--dialect", file)]
    if request.edition is not None:
        words += option("--edition", request.edition)
    if request.fault is not None:
        words += option("--fault", request.fault)
    if request.timeout is not None:
        words += option("--timeout", _number(request.timeout))
    if request.expectations is not None:
        words += option("--expectations", request.expectations)
    return words


def program(request: RunRequest, name: str, suite: str, origin: Planned) -> list[str] | None:
    """Return the words that write one scenario as a program of its own; None for one that no vector and no file holds,
    or an adapter that the user has started by a command of their own."""
    scenario = named_by(origin)
    if isinstance(scenario, Generated) or request.fault is not None or name in dict(request.adapter_commands):
        return None
    words = ["program", *list(_subject(suite, origin))[1:], *adapter(request, name)]
    words += option("--edition", request.edition) if request.edition is not None else []
    return [*words, "--twin"] if isinstance(origin, TwinOf) else words


def _subject(suite: str, origin: Planned) -> Iterator[str]:
    """Yield the command and what it is about: a generated scenario is made again of its seed and number."""
    scenario = named_by(origin)
    match scenario:
        case Generated():
            yield from ("fuzz", "--suite", suite)
            yield from option("--draw-for", scenario.draw_for) if scenario.draw_for is not None else []
            yield from ["--guided"] if scenario.guided else []
            yield from option("--seed", scenario.seed)
            yield from ("--first", str(scenario.number), "--examples", "1")
        case FromFile():
            path = f"./{scenario.path}" if scenario.path.startswith("-") else scenario.path
            yield from ("replay", path, "--suite", suite)
        case FromVector():
            yield from ("replay", scenario.id)


def _number(seconds: float) -> str:
    return str(int(seconds)) if seconds == int(seconds) else repr(seconds)
