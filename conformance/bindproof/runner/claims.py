"""Whether what a vector claims is so: each is acted out on the reference, and what it says is held against that.

Enters: a spec, its suite, the reference that suite.toml names. Leaves: Problems, each at its line. Must not know
adapters.

| a vector claims | that is so where, in every setting in which it runs |
|-|-|
| `exercises` | the check of the rule has something to judge, wherever the rule holds |
| `defect.kind` | an error of the kind is seen, and in its twin less often |
| `defect.breaks` | what a binding would show that takes the defect (`Gullible`) breaks the rule |
| that the contract allows it | what the reference does breaks nothing |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bindproof.core.model import Defect, Json, Judgement, Plan
from bindproof.judge import UnreadableError, judge
from bindproof.runner.kept_claims import KeptClaims
from bindproof.runner.plans import plans_of
from bindproof.runner.setting import Checks, Setting
from bindproof.spec import Problem, Spec, SpecError, Vector, holds_in, settings, vectors
from bindproof.spec.files.folder import relative
from bindproof.spec.files.reader import Written
from bindproof.spec.vectors import written_vector
from bindproof.suites import Gullible, ObservationError, Prepared, Suite, reference_of
from bindproof.suites.mistakes import with_place
from bindproof.suites.runs import Resolve, acted_out

if TYPE_CHECKING:
    from bindproof.spec.files.models import VectorFile

ALL_BELOW: Final = 2_000
"""So many vectors in settings are all acted out; of more, each in few settings (see `Claims.few`)."""

SEED: Final = 1
"""Which of the lawful runs the reference shows."""

Place = tuple[str | int, ...]
Wrong = tuple[str, Place]
"""What is wrong, in words, and the keys that lead to it in the vector's file."""


class Rules(Struct, frozen=True):
    """What is judged in one setting."""

    setting: Setting
    checks: Checks
    dialect: Json


class Acted(Struct, frozen=True):
    """A scenario as the reference acted it out in one setting."""

    plan: Plan
    prepared: Prepared
    log: list[Json]


class Claims:
    """The claims of a suite's vectors.

    everywhere: try each vector in every setting, however many there are; else that is done of small suites only.
    """

    def __init__(self, spec: Spec, suite: Suite, *, everywhere: bool = False) -> None:
        self._spec, self._suite = spec, suite
        self._resolve: Resolve | None = reference_of(spec).resolve if spec.reference else None
        self._rules = [_rules(spec, suite, *one) for one in reversed(settings(spec))]
        self._vectors = list(vectors(spec))
        places = sum(one.runs_in(*_named(rules)) for one in self._vectors for rules in self._rules)
        self.few = not everywhere and places > ALL_BELOW
        """Of each vector the newest setting that can say it is tried, and for rules that do not hold there the newest
        in which they do. That it can be acted out is tried in the newest edition of each dialect."""

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong with each vector, in the order of their ids: at most once for each claim.

        One whose claims were found to be so in an earlier start is not tried again while nothing has changed.
        """
        known = KeptClaims(self._spec, self._suite, few=self.few)
        try:
            for vector in self._vectors:
                if known.are_so(vector):
                    continue
                found = self._problems_of(vector)
                yield from found
                if not found:
                    known.add(vector)
        finally:
            known.keep()

    def _problems_of(self, vector: Vector) -> Sequence[Problem]:
        file = written_vector(self._spec, self._spec.root / vector.file)
        try:
            return [file.problem(text, *place) for text, place in self._of_vector(vector, file)]
        except SpecError as error:
            return error.problems

    def _of_vector(self, vector: Vector, file: Written[VectorFile]) -> Iterator[Wrong]:
        found: dict[Place, list[str]] = {}
        proved: set[str] = set()
        tried: set[str] = set()
        acted_somewhere = self._resolve is None
        plans = plans_of(self._suite, vector)
        for rules in self._rules:
            if not vector.runs_in(*_named(rules)):
                continue
            named = {name for name, _ in _claimed(vector) if _is_judged(name, vector, rules)}
            enough = self.few and acted_somewhere and named <= proved
            if enough and rules.setting.dialect in tried:
                continue
            tried.add(rules.setting.dialect)
            prepared = self._prepared(plans, rules, file)
            if prepared is None or enough:
                continue
            acted_somewhere = True
            for text, place in self._wrong(vector, plans, prepared, rules):
                found.setdefault(place, []).append(f"{text} (edition {rules.setting.edition}, {rules.setting.dialect})")
            proved |= named
        if self._resolve is None:
            yield from self._without_reference(vector)
        if not acted_somewhere:
            yield "no dialect in which it runs can express it; nobody would ever act it out", ("scenario",)
        else:
            yield from self._without_force(vector, proved)
        for place, texts in found.items():
            yield texts[0] + (f", and so in {len(texts) - 1} more settings" if texts[1:] else ""), place

    def _prepared(self, plans: Sequence[Plan], rules: Rules, file: Written[VectorFile]) -> list[Prepared] | None:
        """Return the scenarios made ready, None where the dialect cannot express them or there is no reference."""
        try:
            found = [self._suite.prepare(plan.scenario, *_named(rules)) for plan in plans]
        except ValueError as error:
            why = f"its scenario cannot be acted out: {with_place(error)}"
            raise SpecError([file.problem(why, "scenario")]) from error
        said = self._resolve is not None and all("inexpressible" not in one.prediction for one in found)
        return found if said else None

    def _without_reference(self, vector: Vector) -> Iterator[Wrong]:
        """Where there is no reference, a rule is judged by what a vector expects, or by a check."""
        for at, name in enumerate(vector.exercises):
            if vector.expect is None and name in self._spec.requirements and name not in self._suite.checks:
                yield f"nothing judges {name} in it: say what it expects, or write a check", ("exercises", at)

    def _without_force(self, vector: Vector, proved: set[str]) -> Iterator[Wrong]:
        for name, place in _claimed(vector):
            if self._resolve and name in self._spec.requirements and name not in proved:
                instead = "leave it out" if place[0] == "exercises" else "name one that is"
                yield f"{name} is in force in no setting in which it runs; {instead}", place

    def _wrong(
        self, vector: Vector, plans: Sequence[Plan], prepared: Sequence[Prepared], rules: Rules
    ) -> Iterator[Wrong]:
        acted = [Acted(plan, one, self._lawful(one, rules)) for plan, one in zip(plans, prepared, strict=True)]
        judged: dict[str, Judgement] = {}
        for one in acted:
            judged = {found.requirement: found for found in self._judged(one, one.log, rules)}
            for name in (name for name, found in judged.items() if not found.holds):
                text = f"what the reference does breaks {name}: {judged[name].failures[0].text}; mend one of the two"
                yield text, ("scenario",)
        for at, name in enumerate(vector.exercises):
            if name in rules.checks and name not in judged:
                text = f"it does not exercise {name}: the rule's check finds nothing to judge in it"
                yield text, ("exercises", at)
        if vector.defect is not None:
            yield from self._defect(vector.defect, acted[0], acted[1], rules)

    def _lawful(self, prepared: Prepared, rules: Rules) -> list[Json]:
        return [] if self._resolve is None else acted_out(self._resolve, prepared, SEED, rules.dialect)

    def _judged(self, one: Acted, log: list[Json], rules: Rules) -> tuple[Judgement, ...]:
        lane_of, expected = self._suite.lanes(one.plan.scenario), rules.setting.expected(one.plan)
        return judge(one.prepared, log, rules.checks, lane_of, expected)

    def _defect(self, defect: Defect, twin: Acted, negative: Acted, rules: Rules) -> Iterator[Wrong]:
        with_it, without_it = (_kinds(one.prepared.observe(one.log)[0]) for one in (negative, twin))
        if with_it.count(defect.kind) <= without_it.count(defect.kind):
            seen = f"the errors with it are {', '.join(sorted(set(with_it)))}" if with_it else "nothing is refused"
            yield f"the defect is not refused by an error of kind {defect.kind!r}: {seen}", ("defect", "kind")
        if defect.breaks in rules.checks:
            broken = self._broken_by_taking(twin, negative, rules)
            if defect.breaks not in broken:
                names = ", ".join(sorted(broken)) or "nothing"
                text = f"the defect does not break {defect.breaks}: a binding that took it would break {names}"
                yield text, ("defect", "breaks")

    def _broken_by_taking(self, twin: Acted, negative: Acted, rules: Rules) -> set[str]:
        """Return the requirements that a binding breaks which takes the defect and goes on as the twin does."""
        own = negative.prepared
        log = own.taking(twin.log, negative.log) if isinstance(own, Gullible) else twin.log
        try:
            return {one.requirement for one in self._judged(negative, log, rules) if not one.holds}
        except (ObservationError, UnreadableError):
            return set()


def provided_problems(spec: Spec, suite: Suite) -> Iterator[Problem]:
    """Yield what the suite's code does not provide, though `suite_api.Suite` has it."""
    file = relative(spec.root, spec.folder / "suite.toml")
    wanted = sorted(name for name in vars(Suite) if not name.startswith("_"))
    for name in (name for name in wanted if not hasattr(suite, name)):
        yield Problem(file, 1, f"the suite's code has no `{name}`; bindproof.suite_api.Suite says what it is for")
    if hasattr(suite, "smoke") and not suite.smoke:
        text = "`smoke` of the suite's code is empty: give the authors of adapters a first step"
        yield Problem(file, 1, text)


def _rules(spec: Spec, suite: Suite, edition: str, dialect: str) -> Rules:
    setting = Setting(spec, suite, edition, dialect, (), None)
    return Rules(setting, setting.checks(), spec.dialects[dialect].as_json())


def _is_judged(name: str, vector: Vector, rules: Rules) -> bool:
    """Tell whether there is something that judges a requirement in a vector, where it holds."""
    spec, (edition, dialect) = rules.setting.spec, _named(rules)
    by_expect = vector.expect is not None and name in spec.requirements
    return name in rules.checks or (by_expect and holds_in(spec.requirements[name], edition, dialect))


def _claimed(vector: Vector) -> Iterator[tuple[str, Place]]:
    """Yield the rules that a vector says something of, with the places where it does."""
    yield from ((name, ("exercises", at)) for at, name in enumerate(vector.exercises))
    if vector.defect is not None:
        yield vector.defect.breaks, ("defect", "breaks")


def _named(rules: Rules) -> tuple[str, str]:
    return rules.setting.edition, rules.setting.dialect


def _kinds(value: Json) -> list[str]:
    """Return the kind of each error in a log: of a member `error` the kind, or what it is where it is a text."""
    if isinstance(value, list):
        return [kind for one in value for kind in _kinds(one)]
    if not isinstance(value, dict):
        return []
    error = value.get("error")
    own = error.get("kind") if isinstance(error, dict) else error
    inner = [kind for one in value.values() for kind in _kinds(one)]
    return [own, *inner] if isinstance(own, str) else inner
