"""What is read of each suite before any adapter starts: its spec, code, vectors and expectations.

Enters: the request. Leaves: the Inputs of each suite that it asks for, or a UsageError that says what no suite has.
Must not know adapters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.core.model import REFERENCE_REQUIREMENT
from bindproof.core.origins import FromFile, name_of
from bindproof.core.request import RunRequest
from bindproof.runner.faults import fault_of, names_of
from bindproof.runner.known_divergences import known_divergences
from bindproof.runner.sharding import part_of
from bindproof.spec import (
    Vector,
    installed,
    read_vector,
    suite_roots,
    vector_paths,
    vectors,
)
from bindproof.spec.models import Divergence, Spec
from bindproof.spec.own_dialects import with_dialects
from bindproof.suites import Fault, Suite, provider

T = TypeVar("T")
Provided = TypeVar("Provided", bound=Callable[[], Suite])


class Inputs(Struct, frozen=True, dict=True):
    """What is read of one suite."""

    spec: Spec
    provider: Callable[[], Suite]
    """Loads its code, which is not needed before an adapter is ready."""
    vectors: list[Vector]
    expectations: list[Divergence]
    fault: Fault | None

    @cached_property
    def suite(self) -> Suite:
        """The suite's code, loaded when it is first asked for."""
        return self.provider()


def read_inputs(request: RunRequest) -> dict[str, Inputs]:
    """Read the suites that a request is about, by name.

    A suite that lacks what the request names (an edition, a fault, a vector, a requirement) is left out. Raises
    UsageError for what no suite has, SpecError for what cannot be read.
    """
    if request.dialects and request.suite is None:
        raise UsageError(f"--dialect {request.dialects[0]} is of one suite: say which by --suite")
    specs = {name: with_dialects(installed(name), request.dialects) for name in _asked(request)}
    specs = narrowed("edition", request.edition, specs, lambda spec: spec.edition_names)
    if request.campaign is not None:
        specs = narrowed("draw-for", request.campaign.draw_for, specs, lambda spec: spec.dialects)
    suites = {name: cache(provider(spec)) for name, spec in specs.items()}
    for fault in names_of(request.fault):
        suites = _with_fault(fault, suites)
    files = [(path, _suite_of(Path(path), specs, suites)) for path in request.files]
    _hold_globs("vector", request.vectors, [name for spec in specs.values() for name in vector_paths(spec)])
    _hold_globs("requirement", request.requirements, _ids(specs.values()))
    found = {name: _vectors_of(request, specs[name], files) for name in suites}
    known = frozenset(requirement for spec in specs.values() for requirement in spec.requirements)
    return {
        name: Inputs(
            specs[name],
            suite,
            part_of(found[name], request.shard),
            known_divergences(specs[name], request.expectations, known),
            fault_of(suite(), request.fault) if request.fault is not None else None,
        )
        for name, suite in suites.items()
        if found[name] or not any(found.values())
    }


def means_file(subject: str) -> bool:
    """Tell whether what is asked for is a file, there or not, and no vector's id."""
    return subject.endswith(".json") or subject.startswith((".", "/")) or Path(subject).is_file()


def _vectors_of(request: RunRequest, spec: Spec, files: Sequence[tuple[str, str]]) -> list[Vector]:
    """Return the vectors of one suite that are asked for. files: each with the suite that it is for."""
    if request.campaign is not None:
        return []
    if files:
        return [_own_vector(spec, path) for path, owner in files if owner == spec.name]
    return chosen_vectors(spec, request.vectors, request.requirements)


def _own_vector(spec: Spec, path: str) -> Vector:
    return msgspec.structs.replace(read_vector(spec, Path(path), name_of(FromFile(path))), own=path)


def chosen_vectors(spec: Spec, globs: Sequence[str], requirements: Sequence[str]) -> list[Vector]:
    """Return the vectors of one suite that match one of each kind of globs, where there are any."""
    found = vectors(spec)
    return [vector for vector in found if _matches(globs, [vector.id]) and _matches(requirements, vector.exercises)]


def narrowed(option: str, wanted: str | None, there: dict[str, T], names: Callable[[T], Iterable[str]]) -> dict[str, T]:
    """Return the suites that have what is wanted; raises UsageError, with what each has, where none has it."""
    found = {name: one for name, one in there.items() if wanted is None or wanted in names(one)}
    if not found:
        has = "; ".join(f"suite {name} has {', '.join(names(one)) or 'none'}" for name, one in there.items())
        raise UsageError(f"--{option} {wanted!r}: {has}")
    return found


def _with_fault(fault: str, suites: dict[str, Provided]) -> dict[str, Provided]:
    """Return the suites that have a planted fault; where none has it, say which may be meant, as by what it breaks."""
    found = {name: suite for name, suite in suites.items() if fault in suite().faults}
    if not found:
        known = {name: one.breaks for suite in suites.values() for name, one in suite().faults.items()}
        near = [name for name, breaks in known.items() if fault in breaks] or get_close_matches(fault, known, n=3)
        hint = f"did you mean {', '.join(near)}? " if near else ""
        raise UsageError(f"--fault {fault!r} is no planted fault; {hint}`bindproof spec list --faults` shows them")
    return found


def _asked(request: RunRequest) -> list[str]:
    known = list(suite_roots())
    if request.suite is not None and request.suite not in known:
        raise UsageError(f"--suite {request.suite!r}: there is {', '.join(known)}")
    return [name for name in known if request.suite in (None, name)]


def _hold_globs(what: str, globs: Sequence[str], names: Sequence[str]) -> None:
    option = " --vectors" if what == "vector" else ""
    for glob in globs:
        if not _matches([glob], names):
            raise UsageError(f"--{what} {glob!r} matches no {what}; `bindproof spec list{option}` shows them")


def _matches(globs: Sequence[str], names: Iterable[str]) -> bool:
    return not globs or any(name == glob or fnmatchcase(name, glob) for name in names for glob in globs)


def _ids(specs: Iterable[Spec]) -> list[str]:
    """Return the requirements that a vector may exercise."""
    return [REFERENCE_REQUIREMENT, *(name for spec in specs for name in spec.requirements)]


def _suite_of(file: Path, specs: Mapping[str, Spec], suites: Mapping[str, Callable[[], Suite]]) -> str:
    """Return the suite that a vector in a file is for: by what it exercises, else by whose language its scenario is.

    Raises SpecError for a file that holds no vector, UsageError where several suites would do.
    """
    if len(suites) == 1:
        return next(iter(suites))
    vector = read_vector(next(iter(specs.values())), file, file.name)
    own = [name for name in suites if any(one in specs[name].requirements for one in vector.exercises)]
    refusals = {} if own else {name: _refusal(suite(), vector) for name, suite in suites.items()}
    own = own or [name for name, refusal in refusals.items() if refusal is None]
    if len(own) > 1:
        raise UsageError(f"{file}: which suite is this scenario for? {' and '.join(own)} would do; say --suite NAME")
    if not own:
        reasons = "".join(f"\n  {name}: {refusal}" for name, refusal in refusals.items())
        raise UsageError(f"{file}:1: not a scenario of any suite:{reasons}\nmend it; --suite NAME says whose it is")
    return own[0]


def _refusal(suite: Suite, vector: Vector) -> str | None:
    """Return why a vector's scenario is not in a suite's language, None where it is."""
    try:
        suite.complete(vector.scenario)
    except ValueError as error:
        return str(error)
    return None
