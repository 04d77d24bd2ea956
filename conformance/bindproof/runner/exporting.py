"""A suite as plain JSON, for runners in languages that have no Python.

Enters: a Spec with its suite, editions and dialects that are wanted. Leaves: files in a folder:

| file | holds |
|-|-|
| `index.json` | editions with their releases, dialects with the patterns of their errors, the files of vectors |
| `requirements.json` | every requirement: level, editions, dialects, statement, explanation, sources |
| `schemas/<edition>.json` | the bundle of the edition |
| `vectors/<id>.json` | a vector's `runs`: settings, the scenario to send to an adapter, what may be seen, plainly too |
| `asked/<edition>/<dialect>.jsonl` | what to send to an adapter: a question for each run, numbered from 1 |
| `must-fail/<edition>/<dialect>.jsonl` | answers to them with a planted fault, none of which a runner may take |
| `must-refuse/<edition>.json` | objects that the bundle's forms refuse |

Scenarios, predictions and logs are in the dialect's own spelling, so a runner translates nothing. Settings in which a
run is the same share it. Patterns are in ECMAScript's syntax. It judges nothing but its own must-fail logs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from bindproof.core.errors import UsageError
from bindproof.core.model import Json, Plan
from bindproof.core.origins import TwinOf
from bindproof.judge import judge
from bindproof.judge.match import allows
from bindproof.protocol.forms import PROTOCOL_VERSION
from bindproof.runner.plain import kinds, plain
from bindproof.runner.plans import plans_of
from bindproof.runner.setting import Setting
from bindproof.spec import Vector, settings, vectors
from bindproof.spec.bundle import bundle
from bindproof.spec.editions import editions_in
from bindproof.spec.models import Dialect, Requirement, Spec
from bindproof.spec.refusals import refusals
from bindproof.suites import ObservationError, Prepared, Suite, reference_of
from bindproof.suites.runs import acted_out

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
    named: list[Json] = []
    failing: dict[tuple[str, str], dict[str, Json]] = {setting: {} for setting in chosen}
    asked: dict[str, list[Json]] = {"/".join(setting): [] for setting in chosen}
    for vector in found:
        runs = _runs(spec, suite, vector, chosen, failing)
        if runs:
            file = f"vectors/{vector.id.partition('/')[2]}.json"
            named.append({"id": vector.id, "file": file})
            for run in runs:
                for setting in run["settings"]:
                    asked[setting].append(run)
            writer.write(
                file, {"id": vector.id, "title": vector.title, "exercises": list(vector.exercises), "runs": runs}
            )
    for setting, of in asked.items():
        writer.lines(f"asked/{setting}.jsonl", _questions(spec.name, of))
    for (edition, dialect), logs in failing.items():
        numbers = {run["name"]: number for number, run in enumerate(asked[f"{edition}/{dialect}"], 1)}
        answers = [{"id": numbers[one["vector"]], **one} for one in logs.values()]
        writer.lines(f"must-fail/{edition}/{dialect}.jsonl", answers)
    for edition in dict.fromkeys(edition for edition, _ in chosen):
        schemas = bundle(spec, edition)
        writer.write(f"schemas/{edition}.json", schemas)
        writer.write(f"must-refuse/{edition}.json", refusals(schemas))
    writer.write("requirements.json", [_requirement(one) for one in spec.requirements.values()])
    writer.write("index.json", _index(spec, named))
    return writer.paths


class _Writer:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.paths: list[Path] = []

    def write(self, name: str, value: Json) -> None:
        self._put(name, json.dumps(value, ensure_ascii=False) + "\n")

    def lines(self, name: str, values: Sequence[Json]) -> None:
        """Write JSON lines, in ASCII, as the harness sends them."""
        self._put(name, "".join(json.dumps(value) + "\n" for value in values))

    def _put(self, name: str, text: str) -> None:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.paths.append(path)


def _questions(suite: str, runs: Sequence[Json]) -> list[Json]:
    """Return the messages of a session that asks for each run."""
    hello = {"protocol_versions": [PROTOCOL_VERSION], "harness": {"name": "bindproof export", "version": "1"}}
    calls: list[tuple[str, Json]] = [
        ("initialize", hello),
        *(("run", {"suite": suite, "scenario": run["scenario"]}) for run in runs),
        ("shutdown", {}),
    ]
    return [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for number, (method, params) in enumerate(calls)
    ]


def _index(spec: Spec, named: list[Json]) -> Json:
    return {
        "suite": spec.name,
        "title": spec.title,
        "editions": [
            {"name": one.name, "state": one.state, "releases": {key: list(v) for key, v in one.releases.items()}}
            for one in spec.editions
        ],
        "dialects": {name: _dialect(spec, one) for name, one in spec.dialects.items()},
        "vectors": named,
    }


def _dialect(spec: Spec, one: Dialect) -> Json:
    errors = [
        (
            error.kind,
            error.pattern.replace("(?s:.*)", r"[\s\S]*"),
            editions_in(error.editions, spec.edition_names) if error.editions else spec.edition_names,
        )
        for error in one.error
    ]
    return {
        "title": one.title,
        "errors": [{"kind": kind, "pattern": pattern, "editions": list(of)} for kind, pattern, of in errors],
        "kinds": {
            edition: kinds([(kind, pattern) for kind, pattern, of in errors if edition in of], spec.error_kinds)
            for edition in spec.edition_names
        },
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
            if "inexpressible" in prepared.prediction or prepared.prediction.get("open"):
                continue  # what nothing is compared with is judged by the checks alone
            twin = number < len(plans) - 1
            run = {
                "name": f"{vector.id}+twin" if twin else vector.id,
                "of": "twin" if twin else "vector",
                "scenario": prepared.spelled,
                "raised": sorted(_raised(plan.scenario) - {""}, key=lambda text: (-len(text), text)),
                "lanes": prepared.prediction["lanes"],
                "after": prepared.prediction["after"],
                "plain": plain(prepared.prediction),
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
    log = acted_out(reference_of(spec).resolve, prepared, SEED, plain)
    checks = Setting(spec, suite, edition, dialect, (), None).checks()
    for fault in missing:
        spoiled = fault.plant(plan.scenario, log, plain, edition)
        if spoiled is None:
            continue
        try:
            lane_of = suite.lanes(plan.scenario)
            judged = judge(prepared, spoiled, checks, lane_of)
            if allows(prepared.prediction, prepared.observe(spoiled)[0], lane_of):
                continue  # how something is spelled, which no prediction says
        except ObservationError:
            continue
        broken = sorted(one.requirement for one in judged if not one.holds)
        if set(broken) & set(fault.breaks):
            said = {"fault": fault.name, "title": fault.title, "breaks": broken}
            logs[fault.name] = {**said, "vector": vector, "result": {"observation": {"log": spoiled}}}
