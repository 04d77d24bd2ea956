"""What is found of scenarios on adapters, as tests need it: by where each comes from, with the text of a failure.

Enters: what the user chose. Leaves: for each adapter and plan its verdict. Must not know pytest's items.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property

import msgspec
import pytest
from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.core.origins import Origin, name_of, named_by
from bindproof.core.request import RunRequest
from bindproof.drive import Failed, Ready, drive
from bindproof.report.digest import Digest
from bindproof.report.printing import console_on
from bindproof.report.verdict import print_verdict
from bindproof.results import AdapterLine, Line, StaleLine, VerdictLine
from bindproof.runner import execute
from bindproof.runner.adapter_commands import commands
from bindproof.runner.inputs import read_inputs
from bindproof.runner.plans import plans
from bindproof.runner.setting import settings
from bindproof.spec import installed
from bindproof.suites import Suite
from bindproof.suites import load as load_suite
from bindproof.targets import AdapterNotKnown, names_one

BATCH = 32
"""So many scenarios are acted out by one process: starting one takes as long as some hundred of them."""

UNNAMED = "adapter"
"""What a command is called that the user gave no name."""

_NAMED = re.compile(r"([A-Za-z][\w.-]*)=(.+)")


def request_of(adapters: Iterable[str], vectors: Sequence[str], expectations: str | None) -> RunRequest:
    """Return the run that the options ask for. adapters: each a command, NAME=CMD, or the name of an adapter."""
    named: list[str] = []
    programs: dict[str, str] = {}
    for text in adapters:
        given = _NAMED.fullmatch(text)
        if names_one(text):
            named.append(text)
            continue
        name, program = (given[1], given[2]) if given else (UNNAMED, text)
        if name in programs:
            raise pytest.UsageError(f"two adapters are called {name!r}; give each a name: NAME=CMD")
        programs[name] = program
    return RunRequest(
        adapters=tuple(named),
        adapter_commands=tuple(programs.items()),
        vectors=tuple(vectors),
        expectations=expectations,
    )


class Listed(Struct, frozen=True):
    """A plan that an adapter is to be judged by."""

    adapter: str
    origin: Origin


def listed(request: RunRequest) -> list[Listed]:
    """Return what a run would judge; starts each adapter once, to be told its version and dialect.

    Raises pytest.UsageError for an adapter that cannot be had, and for what else the user can mend.
    """
    try:
        read = read_inputs(request)
        found: list[Listed] = []
        for command in commands(request, lambda _: None, read):
            if isinstance(command, AdapterLine):
                raise pytest.UsageError(
                    f"{command.name} is unavailable: {command.reason}; to have it: {command.remedy}"
                )
            for event in drive([(command, lambda _: [])]):
                if isinstance(event, Failed):
                    raise pytest.UsageError(f"adapter {command.name} failed: {event.reason}\n{event.stderr}".rstrip())
                if isinstance(event, Ready):
                    spoken, _, mistakes = settings(request, read.values(), event.info)
                    for mistake in mistakes:
                        raise mistake
                    found += [
                        Listed(command.name, plan.origin)
                        for one in spoken
                        for plan in plans(one.suite, read[one.spec.name].vectors, one.edition, one.dialect)
                    ]
    except (UsageError, AdapterNotKnown) as error:
        raise pytest.UsageError(str(error)) from error
    return found


class Found(Struct, frozen=True, dict=True):
    """What was found of one plan."""

    line: VerdictLine
    stale: StaleLine | None
    """An expectation that it should have shown and did not."""
    digest: Digest

    @property
    def expected(self) -> bool:
        """True when an expectation names all that is wrong."""
        line = self.line
        if line.outcome == "diverges":
            return not line.unexpected
        return line.outcome != "conforms" and line.expected_by is not None and not line.demanded

    @property
    def why_expected(self) -> str:
        """The reasons of the expectations that name it."""
        names = dict.fromkeys([self.line.expected_by, *(broken.expected_by for broken in self.line.broken)])
        broken = ", ".join(one.requirement for one in self.line.broken) or self.line.outcome.replace("_", " ")
        return f"{broken}: {' '.join(self.digest.reason_of(name) for name in names if name)}"

    @cached_property
    def text(self) -> str:
        """All that is known of it, as `bindproof replay` shows it."""
        text = io.StringIO()
        suites: dict[str, Suite] = {}
        with suppress(LookupError, UsageError):
            suites[self.line.suite] = load_suite(installed(self.line.suite))
        print_verdict(console_on(text), self.digest, self.line, suites)
        return text.getvalue()


def judged(request: RunRequest) -> dict[Listed, Found]:
    """Perform a run and return what was found; raises UsageError as `execute` does."""
    lines: list[Line] = []
    execute(request, lines.append, lambda _: None)
    digest = Digest.over(lines)
    stale = {(line.adapter, plan): line for line in lines if isinstance(line, StaleLine) for plan in line.vectors}
    return {
        Listed(line.adapter, line.came_from): Found(line, stale.get((line.adapter, line.plan)), digest)
        for line in lines
        if isinstance(line, VerdictLine)
    } | _nothing_said(lines)


def _nothing_said(lines: Iterable[Line]) -> dict[Listed, Found]:
    """Raise for an adapter that was there when the tests were collected, and now says nothing at all."""
    spoke = {line.adapter for line in lines if isinstance(line, VerdictLine)}
    for line in lines:
        if isinstance(line, AdapterLine) and line.state != "ready" and line.name not in spoke:
            raise UsageError(f"adapter {line.name} {line.state}: {line.reason}\n{line.stderr}".rstrip())
    return {}


class Bench:
    """Judges plans when they are asked for, some in advance.

    request: what the user chose. order: all plans that will be asked for, in order, told when the first is.
    """

    def __init__(self, request: RunRequest, order: Callable[[], Sequence[Listed]]) -> None:
        self._request = request
        self._order = order
        self._found: dict[Listed, Found] = {}

    def found(self, wanted: Listed) -> Found:
        """Return what is found of one plan."""
        if wanted not in self._found:
            self._found |= judged(self._batch(wanted))
        return self._found[wanted]

    def _batch(self, wanted: Listed) -> RunRequest:
        order = list(self._order())
        following = [
            name_of(named_by(one.origin))
            for one in order[order.index(wanted) :]
            if one.adapter == wanted.adapter and one not in self._found
        ]
        return msgspec.structs.replace(
            self._request,
            adapters=tuple(name for name in self._request.adapters if name == wanted.adapter),
            adapter_commands=tuple(one for one in self._request.adapter_commands if one[0] == wanted.adapter),
            vectors=tuple(dict.fromkeys(following))[:BATCH],
        )
