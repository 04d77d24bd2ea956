"""What is said of each change of lawful logs.

Enters: an edition, a dialect, which scenarios, how many changes of each. Leaves: counts.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from multiprocessing import get_context
from typing import Any

from msgspec import Struct, field

import bindproof_reference.relay as reference
from benchmarks.attribution.changes import KINDS, Place, changed
from benchmarks.attribution.words import Words
from bindproof.core.model import REFERENCE_REQUIREMENT, Json
from bindproof.core.paths import data_root
from bindproof.judge import UnreadableError, judge
from bindproof.spec import holds_in, load, vectors
from bindproof.suites import ObservationError, Prepared
from bindproof.suites import load as load_suite
from bindproof.suites.choices import SeededChoices

SPEC = load(data_root(), "relay")
SUITE = load_suite(SPEC)

NAMED, REFERENCE, REFUSED, PASSED = "named", "reference", "refused", "passed"
SAID = (NAMED, REFERENCE, REFUSED, PASSED)
"""A rule is broken by name; the reference alone finds something; no adapter can record that; nothing is found."""

KEPT = 3
"""So many examples of a class are kept."""


class Asked(Struct, frozen=True):
    """What is measured. each: how many changes of each log are drawn, of these kinds; 0 for all that there are."""

    edition: str
    dialect: str
    generated: int
    each: int
    seed: int
    kinds: tuple[str, ...] = tuple(KINDS)


class Example(Struct, frozen=True):
    """One change: the scenario as one would write it, what is gone of its log, what has come."""

    scenario: Json
    gone: list[Json]
    come: list[Json]


class Found(Struct):
    """counts: kind of change → what is said → how often. classes: what is said → class → how often."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: {kind: Counter() for kind in KINDS})
    classes: dict[str, Counter[str]] = field(default_factory=lambda: {REFERENCE: Counter(), PASSED: Counter()})
    examples: dict[tuple[str, str], list[Example]] = field(default_factory=dict)
    logs: int = 0

    def add(self, other: Found) -> None:
        """Take in what was found elsewhere."""
        self.logs += other.logs
        for kind, count in other.counts.items():
            self.counts[kind].update(count)
        for said, classes in other.classes.items():
            self.classes[said].update(classes)
        for key, examples in other.examples.items():
            self.examples[key] = (self.examples.get(key, []) + examples)[:KEPT]


def scenarios(asked: Asked) -> Iterator[tuple[int, Json]]:
    """Yield what the dialect can be asked, complete, each with its number: the vectors, then generated scenarios."""
    own = [one for one in vectors(SPEC) if one.runs_in(asked.edition, asked.dialect) and one.defect is None]
    for number, vector in enumerate(own):
        yield number, SUITE.complete(vector.scenario)
    for number in range(asked.generated):
        seed = asked.seed * 1_000_000 + number
        yield len(own) + number, SUITE.generate(SeededChoices(seed), asked.dialect)


def measure(asked: Asked, processes: int) -> Found:
    """Change each log, one place at a time, and count what is said; the same whatever the number of processes."""
    whole = Found()
    with get_context("fork").Pool(processes) as pool:
        for part in pool.starmap(measure_part, [(asked, at, processes) for at in range(processes)]):
            whole.add(part)
    return whole


def measure_part(asked: Asked, part: int, parts: int) -> Found:
    """Measure each so-many-th scenario, the first ones from `part` on."""
    found = Found()
    rules = SPEC.requirements
    checks = {
        name: check for name, check in SUITE.checks.items() if holds_in(rules[name], asked.edition, asked.dialect)
    }
    for number, full in islice(scenarios(asked), part, None, parts):
        prepared = SUITE.prepare(full, asked.edition, asked.dialect)
        if not {"inexpressible", "open"} & prepared.prediction.keys() and full["steps"][0]["step"] != "raw":
            _measure_one(asked, number, prepared, full, checks, found)
    return found


def _measure_one(
    asked: Asked, number: int, prepared: Prepared, full: Json, checks: dict[str, Any], found: Found
) -> None:
    lane_of = SUITE.lanes(full)
    dialect = SPEC.dialects[asked.dialect].as_json()
    log = json.loads(json.dumps(reference.resolve(prepared.prediction, number, dialect)))
    words = Words(full, log, prepared.observe(log)[1])
    found.logs += 1
    for kind, place in _places(asked, number, log, lane_of):
        other = changed(log, KINDS[kind], place)
        if other == log:
            continue
        said = verdict(prepared, other, checks, lane_of)
        found.counts[kind][said] += 1
        if said in found.classes:
            name = words.of(kind, place)
            found.classes[said][name] += 1
            examples = found.examples.setdefault((said, name), [])
            if len(examples) < KEPT:
                gone = [row for row in log if row not in other] or [log[at] for at in place[:2] if isinstance(at, int)]
                examples.append(Example(SUITE.brief(full), gone, [row for row in other if row not in log]))


def _places(asked: Asked, number: int, log: list[Json], lane_of: Any) -> Iterator[tuple[str, Place]]:
    """Yield where a log is changed, with the kind of change: everywhere, or as drawn by seed and number."""
    if not asked.each:
        yield from ((kind, place) for kind in asked.kinds for place in KINDS[kind].places(log, lane_of))
        return
    source = random.Random(f"{asked.seed} {number}")
    all_of = {kind: list(KINDS[kind].places(log, lane_of)) for kind in asked.kinds}
    for _ in range(asked.each):
        kind = source.choice(asked.kinds)
        if all_of[kind]:
            yield kind, source.choice(all_of[kind])


def verdict(prepared: Prepared, log: list[Json], checks: dict[str, Any], lane_of: Any) -> str:
    """Return who finds fault with a log: one of SAID."""
    try:
        broken = {one.requirement for one in judge(prepared, log, checks, lane_of) if not one.holds}
    except ObservationError:
        return REFUSED
    except UnreadableError:  # it is wrong, and no rule says so
        return REFERENCE
    if not broken:
        return PASSED
    return REFERENCE if broken == {REFERENCE_REQUIREMENT} else NAMED
