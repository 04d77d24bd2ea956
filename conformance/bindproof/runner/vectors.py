"""A run's scenarios: those of the chosen vectors and files.

Enters: what is read of each suite. Leaves: the plans of each adapter, all known before the first is sent. Must not know
how they are judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from bindproof.core.errors import SuiteError
from bindproof.core.model import Plan
from bindproof.drive import HardEnd
from bindproof.results import AdapterLine, Line
from bindproof.runner.inputs import Inputs
from bindproof.runner.plans import plans_of
from bindproof.runner.setting import Setting
from bindproof.spec import SpecError, Vector
from bindproof.suites import Suite
from bindproof.suites.mistakes import telling_mistakes


class VectorSource:
    """The vectors of every suite that an adapter speaks, in the order of their ids."""

    open_ended = False

    def __init__(self, inputs: Mapping[str, Inputs]) -> None:
        self._inputs = inputs
        self._plans: dict[str, list[Plan]] = {}
        self._of_vectors: dict[tuple[str, str], list[Plan]] = {}
        self.mistakes: list[SuiteError] = []
        self.end = HardEnd()  # never: every vector has its own time

    def prepare(self) -> None:
        """Complete the scenarios; a broken one, or a broken suite, is told of once an adapter is to act it out."""
        for one in self._inputs.values():
            for vector in one.vectors:
                with suppress(SpecError, SuiteError):
                    self._plans_of(one.suite, vector)

    def open(self, adapter: str, found: Sequence[Setting]) -> list[int]:
        """Choose the plans of each setting, and count them; raises SpecError for a broken scenario."""
        each = [self._chosen(one) for one in found]
        self._plans[adapter] = [plan for chosen in each for plan in chosen]
        return [len(chosen) for chosen in each]

    def _chosen(self, setting: Setting) -> list[Plan]:
        """Return the plans of a setting: none of a vector that a mistake in the suite's code lets nobody complete."""
        chosen: list[Plan] = []
        for vector in self._inputs[setting.spec.name].vectors:
            if vector.runs_in(setting.edition, setting.dialect):
                try:
                    chosen += self._plans_of(setting.suite, vector)
                except SuiteError as error:
                    self.mistakes.append(error)
        return chosen

    def _plans_of(self, suite: Suite, vector: Vector) -> list[Plan]:
        """Return a vector's plans, made once for all adapters."""
        key = suite.name, vector.own or vector.id
        if key not in self._of_vectors:
            with telling_mistakes():
                self._of_vectors[key] = plans_of(suite, vector)
        return self._of_vectors[key]

    def plans(self, adapter: str) -> Iterator[Plan]:
        """Yield the plans of an adapter."""
        yield from self._plans[adapter]

    def withdraw(self, adapter: str, suite: str) -> None:
        """Nothing is withdrawn without an end."""

    def give_up(self, adapter: str) -> None:
        """Nothing changes: what is not judged is counted all the same."""

    def closing(self, adapters: Iterable[AdapterLine]) -> Iterator[Line]:
        """Yield nothing: all was known before."""
        return iter(())
