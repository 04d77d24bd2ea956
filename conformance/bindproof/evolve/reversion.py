"""Whether vectors notice when one change of an edition is taken back: the mutation test of the spec's own change.

Enters: a suite, two editions that follow one another, vectors. Leaves: whether, and how, they notice. A change of the
rules is taken back in the reference, whose run is judged as ever; one of the schemas in the schemas that the judge has,
which then has to find otherwise.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.core.nesting import objects_in
from bindproof.evolve.difference import ABSENT, Difference
from bindproof.evolve.references import named
from bindproof.judge import judge
from bindproof.runner.plans import plans_of
from bindproof.spec import Vector, holds_in, settings
from bindproof.spec.models import Spec
from bindproof.spec.problem import SpecError
from bindproof.suites import Fault, ObservationError, Prepared, Suite, load, reference_of

SEED: Final = 1
"""Of the runs that the reference allows, the one that is judged."""


def is_rule(one: Difference) -> bool:
    """Tell whether a difference is one of requirements."""
    return one.file.endswith(".md")


class _Scene(Struct, frozen=True):
    """A scenario in one edition and dialect."""

    full: Json
    prepared: Prepared
    edition: str
    dialect: str


class Reversions:
    """One step from an edition to the next, and what notices when a part of it is taken back."""

    def __init__(self, spec: Spec, old: str, new: str) -> None:
        self._spec = spec
        self._old = old
        self._new = new
        self._suite: Suite = load(spec)
        self._dialects = {name: dialect.as_json() for name, dialect in spec.dialects.items()}

    @cached_property
    def _reference(self) -> Any:
        return reference_of(self._spec)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The changes of the reference that can be taken back one by one; none where it is not written so."""
        named = getattr(self._reference, "reversions", None)
        return tuple(named(self._new)) if named else ()

    def notice(self, vector: Vector, one: Difference) -> str | None:
        """Return how a vector notices that a difference is taken back; None where it does not."""
        return self.notice_rule(vector, str(one.place[0])) if is_rule(one) else self.notice_schema(vector, one)

    def notice_rule(self, vector: Vector, requirement: str) -> str | None:
        """Return how a vector notices that a requirement of one of the two editions is not kept; None if it does not.

        The requirement breaks where the reference has its old rule; or, of a requirement that went, where it has its
        new one. Where the reference knows no difference, a planted fault has to break it. The edition's own run has to
        keep it.
        """
        rule = self._spec.requirements[requirement]
        kept = self._new if self._new in rule.in_editions else self._old
        planted = False
        for scene in self._scenes(vector, kept):
            if not holds_in(rule, kept, scene.dialect):
                continue
            if self._breaks(scene, self._run(scene.prepared.prediction, scene), requirement):
                return None
            for name in self.names if kept == self._new else (self._new,):
                if self._is_broken_in(scene, name, requirement):
                    return f"in {name}"
            planted = planted or any(
                self._is_broken_by(scene, fault, requirement) for fault in self._faults(requirement)
            )
        return "by a planted fault" if planted else None

    def notice_schema(self, vector: Vector, one: Difference) -> str | None:
        """Return how a vector notices that the judge has the old part of a schema; None where it does not.

        The edition's own run has to keep it: what breaks a rule as it is shows nothing.
        """
        reverted = self._reverted(one)
        for scene in self._scenes(vector, self._new):
            runs = [("", scene.prepared.prediction)]
            runs += [(name, self._predicted(scene, name)) for name in self.names]
            for name, prediction in runs:
                if "inexpressible" in prediction:
                    continue
                log = self._run(prediction, scene)
                kept = self._broken(self._suite, scene.prepared, scene, log)
                if kept and not name:
                    break
                try:
                    other = reverted.prepare(scene.full, scene.edition, scene.dialect)
                    found = self._broken(reverted, other, scene, log)
                except (LookupError, SpecError):
                    if one.kind != "file added":
                        raise
                    return f"in {name or self._new}, which cannot be judged without it"
                if kept != found:
                    return f"in {name or self._new} with the old part"
        return None

    def objects(self, vector: Vector, edition: str) -> Iterator[Json]:
        """Yield every object in a vector's scenario, and in what the reference does of it in an edition."""
        for scene in islice(self._scenes(vector, edition), 1):
            yield from objects_in([scene.full, self._run(scene.prepared.prediction, scene)])

    def close(self) -> None:
        """Remove the schemas with old parts."""
        for folder, _ in self._parts.values():
            folder.cleanup()

    @cached_property
    def _parts(self) -> dict[str, tuple[tempfile.TemporaryDirectory[str], Suite]]:
        return {}

    def _reverted(self, one: Difference) -> Suite:
        """Return the suite with one part of the new edition's schemas as it was."""
        if one.fingerprint not in self._parts:
            folder = tempfile.TemporaryDirectory()
            self._parts[one.fingerprint] = folder, load(self._with_part(one, Path(folder.name)))
        return self._parts[one.fingerprint][1]

    def _scenes(self, vector: Vector, edition: str) -> Iterator[_Scene]:
        """Yield the vector's scenarios in every dialect in which it runs in an edition."""
        for name, dialect in settings(self._spec):
            if name != edition or not vector.runs_in(name, dialect):
                continue
            for plan in plans_of(self._suite, vector):
                try:
                    prepared = self._suite.prepare(plan.scenario, edition, dialect)
                except ValueError:
                    continue
                if "inexpressible" not in prepared.prediction:
                    yield _Scene(plan.scenario, prepared, edition, dialect)

    def _predicted(self, scene: _Scene, edition: str) -> Json:
        """Return what a reversion predicts; inexpressible is what cannot be acted out under it."""
        try:
            return self._reference.predict(scene.prepared.spelled, edition, self._dialects[scene.dialect])
        except ValueError as error:
            return {"inexpressible": str(error)}

    def _run(self, prediction: Json, scene: _Scene) -> list[Json]:
        arrived = _through_json(prediction)
        dialect, scenario = self._dialects[scene.dialect], scene.prepared.spelled
        log: list[Json] = _through_json(self._reference.resolve(arrived, SEED, dialect, scenario))
        return log

    def _is_broken_in(self, scene: _Scene, edition: str, requirement: str) -> bool:
        """Tell whether a run in another edition, which may be a reversion, breaks a requirement of the scene's."""
        prediction = self._predicted(scene, edition)
        if "inexpressible" in prediction or prediction == scene.prepared.prediction:
            return False
        return self._breaks(scene, self._run(prediction, scene), requirement)

    def _faults(self, requirement: str) -> list[Fault]:
        return [fault for fault in self._suite.faults.values() if requirement in fault.breaks]

    def _is_broken_by(self, scene: _Scene, fault: Fault, requirement: str) -> bool:
        log = self._run(scene.prepared.prediction, scene)
        spoiled = fault.plant(scene.full, log, self._dialects[scene.dialect], scene.edition)
        return spoiled is not None and self._breaks(scene, spoiled, requirement)

    def _breaks(self, scene: _Scene, log: list[Json], requirement: str) -> bool:
        """Tell whether a log breaks one requirement: its check alone is asked, and no other."""
        check = self._suite.checks.get(requirement)
        if check is None:
            return False
        try:
            _, reading = scene.prepared.observe(log)
        except ObservationError:
            return False
        return bool(check(reading))

    def _broken(self, suite: Suite, prepared: Prepared, scene: _Scene, log: list[Json]) -> set[str]:
        rules = self._spec.requirements
        checks = {
            name: check for name, check in suite.checks.items() if holds_in(rules[name], scene.edition, scene.dialect)
        }
        try:
            judged = judge(prepared, log, checks, suite.lanes(scene.full))
        except ObservationError:
            return set()
        return {one.requirement for one in judged if not one.holds}

    def _with_part(self, one: Difference, root: Path) -> Spec:
        """Return the spec with one part of a schema of the new edition as it was in the old one."""
        there = self._spec.folder / "schemas" / self._new
        folder = root / "spec" / self._spec.name / "schemas" / self._new
        shutil.copytree(there, folder)
        path = folder / one.file
        if one.kind == "file added":
            path.unlink()
        else:
            schema = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            path.write_text(json.dumps(_put(schema, one)), encoding="utf-8")
        return replace(self._spec, root=root, kept=None)


def _put(schema: Json, one: Difference) -> Json:
    old = one.old if one.old is ABSENT else named(one.old)
    if not one.place:
        return {**(old or {}), "$id": schema.get("$id", one.file)}
    holder = schema
    for token in one.place[:-1]:
        holder = holder.setdefault(token, {}) if isinstance(holder, dict) else holder[token]
    if old is ABSENT:
        del holder[one.place[-1]]
    else:
        holder[one.place[-1]] = old
    return schema


def _through_json(value: Json) -> Json:
    return json.loads(json.dumps(value))
