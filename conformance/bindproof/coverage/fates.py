"""Holds what a package offers against a surface file and the vectors: what of it is judged, by which vector and rule.

Enters: names, a surface file, vectors. Leaves: a `Part` for each name, and what the file says that is not so. Must not
know how names are read, nor a suite.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.spec.models import Vector

if TYPE_CHECKING:
    from bindproof.spec.files.surface import FunctionTable, ParameterTable, SurfaceFile

Fate = Literal["judged", "unset", "apart", "missing"]
"""What becomes of a name: a vector that is acted out sets it, and a rule judges it there; no scenario sets it yet; it
is of another subject, or cannot be set; nobody says anything of it."""

FATES: tuple[Fate, ...] = ("judged", "unset", "apart", "missing")

FAMILY = "{family}"
KINDS = {"call": "llm", "helper": "llm.request", "start": "scope"}
"""The kind of a step that states none."""

NOTHING: tuple[Json, ...] = (None, False, 0, "", "none")


class Part(Struct, frozen=True):
    """A name of a package and its fate. requirement, vector: who judges it, where. reason: why nobody does."""

    name: str
    fate: Fate
    requirement: str = ""
    vector: str = ""
    reason: str = ""


class Done(Struct, frozen=True):
    """A step of a vector. facts: what `where` may ask of it."""

    vector: Vector
    step: Json
    facts: Mapping[str, str]

    def sets(self, field: str) -> bool:
        """Tell whether the step says something of a member, given as a path; the empty one every step says."""
        value = self.step
        for key in filter(None, field.split("/")):
            value = value.get(key) if isinstance(value, dict) else None
        return not any(value is one or (type(value) is type(one) and value == one) for one in NOTHING)


class Table(Struct, frozen=True, dict=True):
    """A surface file, the vectors that its adapter acted out, and the requirements that were judged in each."""

    file: SurfaceFile
    vectors: Sequence[Vector]
    judged: Mapping[str, Collection[str]]

    @cached_property
    def steps(self) -> dict[str, list[Done]]:
        """What the vectors do, by the kind of step."""
        found: dict[str, list[Done]] = {}
        for vector in self.vectors:
            for done in _done(vector):
                found.setdefault(done.step["step"], []).append(done)
        return found

    @cached_property
    def exercised(self) -> dict[str, str]:
        """A vector that exercises each requirement, and in which it was judged."""
        return {
            rule: vector.id
            for vector in reversed(self.vectors)
            for rule in vector.exercises
            if rule in self.judged[vector.id]
        }

    def part(self, name: str) -> Part:
        """Return what becomes of a name."""
        found = self._parameter(name) or self._member(name)
        if found is not None and found.fate == "judged":
            return found
        fates: tuple[tuple[Fate, Sequence[Json]], ...] = (("unset", self.file.unset), ("apart", self.file.apart))
        for fate, entries in fates:
            for entry in entries:
                if _matches(name, entry.names):
                    return Part(name, fate, reason=entry.reason)
        return found or Part(name, "missing", reason="the surface file says nothing of it")

    def _parameter(self, name: str) -> Part | None:
        function, _, parameter = name.partition(":")
        claimed = [
            (called, one, {**called.where, **where, **one.where})
            for called, where in self._called(function)
            for one in self.file.parameter
            if called.step in one.of and _matches(parameter, one.names)
        ]
        for called, one, where in claimed:
            found = self._judging(called, one, where)
            if found is not None:
                return Part(name, "judged", *found)
        if claimed:
            called, one, _ = claimed[0]
            said = f"in no step {called.step} that sets {one.field!r} any of {', '.join(one.requirements)} is judged"
            return Part(name, "missing", reason=said)
        return None

    def _called(self, function: str) -> Iterator[tuple[FunctionTable, dict[str, str]]]:
        for called in self.file.function:
            yield from ((called, where) for where in self._calls(called, function))

    def _calls(self, called: FunctionTable, function: str) -> Iterator[dict[str, str]]:
        """Yield for each way in which a table names a function what has to be so of the step besides."""
        for glob in called.names:
            if FAMILY not in glob:
                if fnmatchcase(function, glob):
                    yield {}
                continue
            for family, words in self.file.families.items():
                if any(fnmatchcase(function, glob.replace(FAMILY, word)) for word in words):
                    yield {"family": family}

    def _judging(self, called: FunctionTable, one: ParameterTable, where: Mapping[str, str]) -> tuple[str, str] | None:
        """Return a rule that judges a parameter, and a vector of it that sets the parameter."""
        for done in self.steps.get(called.step, ()):
            if where.items() <= done.facts.items() and done.sets(one.field):
                for rule in one.requirements:
                    if rule in self.judged[done.vector.id]:
                        return rule, done.vector.id
        return None

    def _member(self, name: str) -> Part | None:
        for entry in self.file.member:
            if _matches(name, entry.names):
                for rule in entry.requirements:
                    if rule in self.exercised:
                        return Part(name, "judged", rule, self.exercised[rule])
                return Part(name, "missing", reason=f"no vector exercises {', '.join(entry.requirements)} here")
        return None

    def stale(self, names: Sequence[str]) -> list[str]:
        """Return the globs of the file that no name matches."""
        functions = sorted({name.partition(":")[0] for name in names})
        members = [
            glob for table in (self.file.member, self.file.unset, self.file.apart) for e in table for glob in e.names
        ]
        found = [glob for glob in members if not any(fnmatchcase(name, glob) for name in names)]
        for called in self.file.function:
            if not any(True for function in functions for _ in self._calls(called, function)):
                found.extend(called.names)
        return found


def _matches(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def _done(vector: Vector) -> Iterator[Done]:
    """Yield every step of a vector, those inside callbacks and plugins too."""
    steps = list(_steps(vector.scenario["steps"], "global"))
    by_id = {step.get("as"): (step, level) for step, level in steps}
    for step, level in steps:
        of, at = by_id.get(step["of"], (step, level)) if "of" in step else (step, level)
        facts = {key: of[key] for key in ("family", "kind", "object") if isinstance(of.get(key), str)}
        facts = {"kind": KINDS.get(of["step"], ""), **facts}
        yield Done(vector, step, {**facts, "level": at, "block": str(bool(of.get("block"))).lower()})


def _steps(value: Json, level: str) -> Iterator[tuple[Json, str]]:
    if isinstance(value, list):
        for one in value:
            yield from _steps(one, level)
    elif isinstance(value, dict):
        if isinstance(value.get("step"), str):
            own = level if value.get("scope", "global") == "global" else "scope"
            yield value, own
            level = "plugin" if value["step"] == "install" else level
        for one in value.values():
            yield from _steps(one, level)
