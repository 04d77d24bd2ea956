"""A suite as plain JSON, for runners in languages that have no Python.

Enters: a Spec with its suite, editions and dialects that are wanted. Leaves: files in a folder:

| file | holds |
|-|-|
| `index.json` | editions with their releases, dialects with the patterns of their errors, the files of vectors |
| `requirements.json` | every requirement: level, editions, dialects, statement, explanation, sources |
| `schemas/<edition>.json` | the bundle of the edition |
| `vectors/<id>.json` | a vector's `runs`: settings, the scenario to send to an adapter, what may be seen of it |
| `must-fail/<edition>/<dialect>.json` | logs with a planted fault, none of which a runner may take |
| `must-refuse/<edition>.json` | objects that the bundle's forms refuse |

Scenarios, predictions and logs are in the dialect's own spelling, so a runner translates nothing. Settings in which a
run is the same share it. Patterns are in ECMAScript's syntax. It judges nothing but its own must-fail logs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from bindproof.core.errors import UsageError
from bindproof.core.model import Json, Plan, copied
from bindproof.core.origins import TwinOf
from bindproof.judge import judge
from bindproof.runner.plans import plans_of
from bindproof.runner.setting import Setting
from bindproof.spec import Vector, settings, vectors
from bindproof.spec.bundle import bundle
from bindproof.spec.editions import editions_in
from bindproof.spec.models import Requirement, Spec
from bindproof.spec.refusals import refusals
from bindproof.suites import ObservationError, Prepared, Suite, reference_of

SEED = 1
"""Of the runs that the reference allows, the one in which faults are planted."""


def export(
    spec: Spec,
    suite: Suite,
    folder: Path,
    *,
    editions: Sequence[str] = (),
    dialects: Sequence[str] = (),
    wanted: Sequence[str] = ("*",),
) -> list[Path]:
    """Write a suite into a folder and return the files. Raises UsageError where nothing is left to write.

    editions, dialects: those that are wanted, none for all. wanted: globs over the ids of vectors.
    """
    if spec.reference is None:
        raise UsageError(f"suite {spec.name} has no reference, so nothing predicts its vectors")
    chosen = [
        (edition, dialect)
        for edition, dialect in settings(spec)
        if edition in (editions or spec.edition_names) and dialect in (dialects or spec.dialects)
    ]
    found = [one for one in vectors(spec) if any(fnmatchcase(one.id, glob) for glob in wanted)]
    if not chosen or not found:
        raise UsageError(
            "nothing to export: no setting or no vector is left; `bindproof spec list` shows what there is"
        )
    writer = _Writer(folder)
    names = []
    failing: dict[tuple[str, str], dict[str, Json]] = {setting: {} for setting in chosen}
    for vector in found:
        runs = _runs(spec, suite, vector, chosen, failing)
        if runs:
            names.append(vector.id)
            writer.write(
                f"vectors/{vector.id.partition('/')[2]}.json",
                {"id": vector.id, "title": vector.title, "exercises": list(vector.exercises), "runs": runs},
            )
    for (edition, dialect), logs in failing.items():
        writer.write(f"must-fail/{edition}/{dialect}.json", list(logs.values()))
    for edition in dict.fromkeys(edition for edition, _ in chosen):
        schemas = bundle(spec, edition)
        writer.write(f"schemas/{edition}.json", schemas)
        writer.write(f"must-refuse/{edition}.json", refusals(schemas))
    writer.write("requirements.json", [_requirement(one) for one in spec.requirements.values()])
    writer.write("index.json", _index(spec, names))
    return writer.paths


class _Writer:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.paths: list[Path] = []

    def write(self, name: str, value: Json) -> None:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value, ensure_ascii=False) + "\n", encoding="utf-8")
        self.paths.append(path)


def _index(spec: Spec, names: Iterable[str]) -> Json:
    return {
        "suite": spec.name,
        "title": spec.title,
        "editions": [
            {"name": one.name, "state": one.state, "releases": {key: list(v) for key, v in one.releases.items()}}
            for one in spec.editions
        ],
        "dialects": {
            name: {
                "title": one.title,
                "errors": [
                    {
                        "kind": error.kind,
                        "pattern": error.pattern.replace("(?s:.*)", r"[\s\S]*"),
                        "editions": list(
                            editions_in(error.editions, spec.edition_names) if error.editions else spec.edition_names
                        ),
                    }
                    for error in one.error
                ],
            }
            for name, one in spec.dialects.items()
        },
        "vectors": list(names),
    }


def _requirement(one: Requirement) -> Json:
    return {
        "id": one.id,
        "title": one.title,
        "level": one.level,
        "editions": list(one.in_editions),
        "dialects": list(one.dialects),
        "statement": one.statement,
        "explanation": one.explanation,
        "untestable": one.untestable,
        "sources": [{"document": source.document, "place": source.place} for source in one.sources],
        "chapter": one.file.rpartition("/")[2],
    }


def _runs(
    spec: Spec,
    suite: Suite,
    vector: Vector,
    chosen: Sequence[tuple[str, str]],
    failing: dict[tuple[str, str], dict[str, Json]],
) -> list[Json]:
    """Return what a vector asks in each setting; twins come before their negatives, as `of: twin`."""
    found: dict[str, Json] = {}
    for edition, dialect in chosen:
        if not vector.runs_in(edition, dialect):
            continue
        plans = plans_of(suite, vector)
        for number, plan in enumerate(plans):
            prepared: Any = suite.prepare(plan.scenario, edition, dialect)
            if "inexpressible" in prepared.prediction:
                continue
            run = {
                "of": "twin" if number < len(plans) - 1 else "vector",
                "scenario": prepared.spelled,
                "raised": sorted(_raised(plan.scenario)),
                "lanes": prepared.prediction["lanes"],
                "after": prepared.prediction["after"],
            }
            found.setdefault(json.dumps(run, sort_keys=True), {"settings": [], **run})["settings"].append(
                f"{edition}/{dialect}"
            )
            _plant(spec, suite, vector.id, plan, prepared, (edition, dialect), failing[edition, dialect])
    return list(found.values())


def _raised(value: Json) -> set[str]:
    """Return the texts that callbacks of a scenario raise."""
    if isinstance(value, dict):
        own = {str(value["text"])} if value.get("op") == "raise" and "text" in value else set()
        return own.union(*(_raised(item) for item in value.values()))
    return set().union(*(_raised(item) for item in value)) if isinstance(value, list) else set()


def _plant(
    spec: Spec,
    suite: Suite,
    vector: str,
    plan: Plan,
    prepared: Prepared,
    setting: tuple[str, str],
    logs: dict[str, Json],
) -> None:
    """Add the log of each fault that no earlier vector could spoil, where it breaks what it names."""
    missing = [fault for name, fault in suite.faults.items() if name not in logs]
    if not missing or isinstance(plan.origin, TwinOf):
        return
    edition, dialect = setting
    plain = spec.dialects[dialect].as_json()
    reference = reference_of(spec)
    log = copied(reference.resolve(copied(prepared.prediction), SEED, plain, prepared.spelled))
    checks = Setting(spec, suite, edition, dialect, (), None).checks()
    for fault in missing:
        spoiled = fault.plant(plan.scenario, log, plain, edition)
        if spoiled is None:
            continue
        try:
            judged = judge(prepared, spoiled, checks, suite.lanes(plan.scenario))
        except ObservationError:
            continue
        broken = sorted(one.requirement for one in judged if not one.holds)
        if set(broken) & set(fault.breaks):
            said = {"fault": fault.name, "title": fault.title, "breaks": broken}
            logs[fault.name] = {**said, "vector": vector, "log": spoiled}
