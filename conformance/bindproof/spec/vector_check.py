"""Whether vectors agree with the suite whose requirements they exercise, and whether each is exercised.

Enters: a Spec. Leaves: Problems, each at its line. Must not know what a scenario means.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bindproof.core.model import REFERENCE_REQUIREMENT, Defect, Json
from bindproof.core.pointer import PointerError, with_value, without
from bindproof.spec.files.reader import Written
from bindproof.spec.models import ALL_DIALECTS, Spec, Vector
from bindproof.spec.problem import Problem, SpecError
from bindproof.spec.vectors import vector_of, vector_paths, written_vector

if TYPE_CHECKING:
    from bindproof.spec.files.models import VectorFile


def vector_problems(spec: Spec) -> Iterator[Problem]:
    """What is wrong with each vector, and the requirements that none exercises."""
    exercised: set[str] = set()
    for name, path in vector_paths(spec).items():
        try:
            file = written_vector(spec, path)
            vector = vector_of(spec, file, name)
        except SpecError as error:
            yield from error.problems
            continue
        exercised.update(vector.exercises, [vector.defect.breaks] if vector.defect else [])
        yield from _words(spec, vector, file)
        yield from _named(spec, vector, file)
        yield from _expect(spec, vector, file)
        if vector.defect is not None:
            yield from _defect(spec, vector.scenario, vector.defect, file)
    for requirement in spec.requirements.values():
        if requirement.id not in exercised and not requirement.untestable and requirement.in_editions:
            text = f"{requirement.id}: no vector exercises it; add one below vectors/ that does"
            yield Problem(requirement.file, requirement.line, text)


def _expect(spec: Spec, vector: Vector, file: Written[VectorFile]) -> Iterator[Problem]:
    """What is wrong with what a vector says of its outcome."""
    kind = vector.expect.error if vector.expect is not None else None
    if kind is not None and kind not in spec.error_kinds:
        text = f"expect.error {kind!r} is no error kind; suite.toml has {', '.join(spec.error_kinds)}"
        yield file.problem(text, "expect", "error")


def _words(spec: Spec, vector: Vector, file: Written[VectorFile]) -> Iterator[Problem]:
    if not vector.exercises:
        yield file.problem("exercises is empty: name the requirements that the vector is for", "exercises")
    for at, name in enumerate(vector.dialects):
        if name not in {*ALL_DIALECTS, *spec.dialects}:
            text = f"there is no dialect {name!r}; write {', '.join(spec.dialects)}, or leave `dialects` out"
            yield file.problem(text, "dialects", at)


def _named(spec: Spec, vector: Vector, file: Written[VectorFile]) -> Iterator[Problem]:
    """What is wrong with the requirements that a vector names."""
    named: list[tuple[str, tuple[str | int, ...]]] = [
        (id_, ("exercises", at)) for at, id_ in enumerate(vector.exercises)
    ]
    if vector.defect is not None:
        named.append((vector.defect.breaks, ("defect", "breaks")))
    for id_, place in named:
        requirement = spec.requirements.get(id_)
        if id_ == REFERENCE_REQUIREMENT and place[0] == "exercises":
            continue
        if requirement is None:
            text = f"{id_} is no requirement of suite {spec.name}; `bindproof spec list` names them"
            yield file.problem(text, *place)
        elif not set(requirement.in_editions) & set(vector.in_editions):
            text = f"{id_} holds in none of the vector's editions ({', '.join(vector.in_editions)})"
            yield file.problem(text, *place)


def _defect(spec: Spec, scenario: Json, defect: Defect, file: Written[VectorFile]) -> Iterator[Problem]:
    if defect.kind not in spec.error_kinds:
        text = f"defect.kind {defect.kind!r} is no error kind; suite.toml has {', '.join(spec.error_kinds)}"
        yield file.problem(text, "defect", "kind")
    try:
        without(scenario, defect.at) if defect.cut else with_value(scenario, defect.at, defect.put)
    except PointerError:
        yield file.problem(f"defect.at {defect.at!r} leads nowhere in the scenario", "defect", "at")
