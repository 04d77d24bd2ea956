"""Known divergences: which verdicts an expectation names, and which expectations did not occur.

Enters: expectations, verdicts as they come. Leaves: the expectation of each failure, and stale ones. Must not know
processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from bindproof.core.errors import UsageError
from bindproof.core.model import REFERENCE_REQUIREMENT, Judgement, Verdict
from bindproof.core.origins import Origin, TwinOf, vector_of
from bindproof.core.patterns import compile_pattern
from bindproof.results import StaleLine
from bindproof.runner.excused_failures import excuses, json_text, shows
from bindproof.spec import Divergence, is_about, load_expectations, names_vector, shipped_expectations
from bindproof.spec.models import Spec

_LOSSES = frozenset({"crash", "timeout"})
"""Outcomes by which a process is lost."""

_UNSEEN = frozenset({"not_run", "harness_error"})
"""Outcomes that say nothing of what the adapter would have done."""


def name_of(divergence: Divergence) -> str:
    """Return what an expectation is called in logs and reports."""
    places = ", ".join(divergence.vectors) or f"scenarios with {divergence.generated}"
    return f"{divergence.target} {divergence.requirement or divergence.verdict} on {places}"


def known_divergences(spec: Spec, own: str | None, known: frozenset[str]) -> list[Divergence]:
    """Return the shipped expectations of one suite, and those of the user's own file that speak of it.

    own: that file, `none` for no expectation at all. known: the requirements of all suites. Raises UsageError or
    SpecError for a file that is not there or is no such file.
    """
    if own == "none":
        return []
    shipped = load_expectations(spec, shipped_expectations(spec))
    if own is None:
        return shipped
    file = Path(own).absolute()
    if not file.is_file():
        raise UsageError(f"--expectations {own}: there is no such file")
    here = {None, REFERENCE_REQUIREMENT, *spec.requirements}
    written = load_expectations(spec, [file], known=known)
    return [*shipped, *(divergence for divergence in written if divergence.requirement in here)]


class Expectations:
    """The expectations that speak of one target and version, and what occurred of them."""

    def __init__(self, divergences: Iterable[Divergence], target: str, version: str) -> None:
        self._known = [one for one in divergences if is_about(one, target, version)]
        self._killing = [one for one in self._known if one.verdict in _LOSSES]
        self._occurred: set[tuple[int, str]] = set()
        self._missed: list[tuple[int, str]] = []

    def kills(self, origin: Origin) -> bool:
        """Tell whether a scenario is a vector that is known to end its process, or to keep it."""
        vector = vector_of(origin) if self._killing else None
        return vector is not None and any(names_vector(one, vector) for one in self._killing)

    def of_outcome(self, verdict: Verdict) -> str | None:
        """Return the expectation that names a verdict which is no judgement, if one does."""
        return next((name_of(d) for _, d in self._about(verdict) if d.verdict == verdict.outcome), None)

    def of_failures(self, verdict: Verdict) -> dict[str, str]:
        """Return requirement → expectation for each broken requirement of which every failure is excused."""
        failing = [judgement for judgement in verdict.judgements if not judgement.holds]
        known = self._known_of(verdict) if failing else []
        found = {one.requirement: excuses(known, one) for one in failing}
        return {name: name_of(known) for name, (known, left) in found.items() if known is not None and not left}

    def unexcused(self, verdict: Verdict) -> list[Judgement]:
        """Return the failures that no expectation excuses, as judgements of the requirements that they break."""
        failing = [judgement for judgement in verdict.judgements if not judgement.holds]
        known = self._known_of(verdict) if failing else []
        left = [Judgement(one.requirement, excuses(known, one)[1]) for one in failing]
        return [one for one in left if not one.holds]

    def _known_of(self, verdict: Verdict) -> list[Divergence]:
        return [divergence for _, divergence in self._about(verdict)]

    def of_twin(self, twin: Verdict) -> str | None:
        """Return the expectation that explains why a negative is not judged: the one that names its twin's verdict."""
        if twin.outcome != "diverges":
            return self.of_outcome(twin)
        named = self.of_failures(twin)
        return named[twin.broken[0]] if all(name in named for name in twin.broken) else None

    def see(self, verdict: Verdict) -> None:
        """Note what occurred and what did not on a vector that ran: no other scenario has to show anything."""
        if vector_of(verdict.plan.origin) is None:
            return
        for index, divergence in self._about(verdict):
            if divergence.verdict is not None:
                happened = divergence.verdict == verdict.outcome
                if not happened and verdict.outcome in _UNSEEN:
                    continue
            elif verdict.outcome in ("conforms", "diverges"):
                happened = any(shows(divergence, judgement) for judgement in verdict.judgements)
            else:
                continue
            key = (index, verdict.plan.id)
            if happened:
                self._occurred.add(key)
            elif divergence.sometimes is None and not isinstance(verdict.plan.origin, TwinOf):
                self._missed.append(key)

    def stale(self, adapter: str) -> Iterator[StaleLine]:
        """Yield a line for each expectation that some of its vectors did not show."""
        for index, divergence in enumerate(self._known):
            missed = tuple(sorted(plan for number, plan in self._missed if number == index))
            if missed:
                yield StaleLine(
                    expectation=name_of(divergence),
                    adapter=adapter,
                    requirement=str(divergence.requirement or divergence.verdict),
                    vectors=missed,
                    reason=divergence.reason,
                    source=divergence.place,
                )

    def _about(self, verdict: Verdict) -> Iterator[tuple[int, Divergence]]:
        """Yield those that name the vector, or that say what a scenario has that is none, with their numbers."""
        vector = vector_of(verdict.plan.origin)
        if vector is not None:
            yield from ((at, one) for at, one in enumerate(self._known) if names_vector(one, vector))
        elif any(one.generated is not None for one in self._known):
            text = json_text(verdict.plan.scenario)
            yield from ((at, one) for at, one in enumerate(self._known) if _covers_text(one, text))


def _covers_text(divergence: Divergence, text: str) -> bool:
    """Tell whether it covers a scenario that is no vector, by the scenario's JSON text."""
    if not divergence.generated or not compile_pattern(divergence.generated).search(text):
        return False
    without = divergence.generated_without
    return without is None or not compile_pattern(without).search(text)
