"""How many single faults in an observation are named by the rule that speaks of them.

Enters: lawful logs of vectors and of generated scenarios. Leaves: for each kind of change the share that breaks a named
rule, that the reference alone finds, and that passes; and what the last two are, by class.

A class is the fact and the place in the record: `event:start llm/data`, `enter llm.request/given/request`. What a class
needs is a rule, or a word why there is none; so the list is the work that is left.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import bindproof_reference.relay as reference
from bindproof.core.model import REFERENCE_REQUIREMENT, Json, copied
from bindproof.core.paths import data_root
from bindproof.judge import judge
from bindproof.spec import holds_in, load, vectors
from bindproof.suites import ObservationError, Prepared
from bindproof.suites import load as load_suite
from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay.scenario.complete import all_steps

SPEC = load(data_root(), "relay")
SUITE = load_suite(SPEC)
FOREIGN = "0fa117ed-0000-7000-8000-000000000000"

Change = Callable[[list[Json], random.Random, "About"], "tuple[list[Json], str] | None"]
"""Takes a log, and gives it changed in one place with the class of the change; None where there is nothing to change.

It may change the log that it is given.
"""


@dataclass(frozen=True)
class About:
    """Tells of a record of one scenario's logs: the lane that it is in, and what it is about, in a word or two."""

    lane: Callable[[Json], str]
    sort: Callable[[Json], str]


def about(full: Json) -> About:
    """Return what tells of a scenario's records: steps by what they do, callbacks by their family or their part."""
    steps = {step["as"]: step for step in all_steps(full)}
    own = {name: str(step.get("family", step["step"])) for name, step in steps.items()}
    kinds = {name: str(step.get("kind") or "") for name, step in steps.items()}

    def sort(record: Json) -> str:
        fact = str(record["fact"])
        if fact == "event":
            event = record["event"]
            return f"event:{event.get('scope_category') or 'mark'} {event.get('category') or '-'}"
        name, _, part = str(record.get("callback") or record.get("step")).partition(".")
        of = own.get(name, "")
        if "callback" not in record:
            return f"{fact} {of} {kinds.get(name, '')}".strip()
        return f"{fact} {part} of {kinds.get(name) or of}" if part else f"{fact} {of}"

    return About(SUITE.lanes(full), sort)


def leaves(value: Json, at: tuple[Json, ...] = ()) -> Iterator[tuple[Json, ...]]:
    """Yield the places of all that is neither an object nor a list with something in it."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not value or not isinstance(value, dict | list):
        yield at
    for key, item in inside:
        yield from leaves(item, (*at, key))


def drop(log: list[Json], source: random.Random, of: About) -> tuple[list[Json], str] | None:
    """Lose a record."""
    at = source.randrange(len(log) - 1)
    record = log.pop(at)
    return log, of.sort(record)


def double(log: list[Json], source: random.Random, of: About) -> tuple[list[Json], str] | None:
    """Tell a record twice."""
    at = source.randrange(len(log) - 1)
    log.insert(at, copied(log[at]))
    return log, of.sort(log[at])


def swap(log: list[Json], source: random.Random, of: About) -> tuple[list[Json], str] | None:
    """Exchange two unlike neighbours of one lane."""
    lanes: dict[str, list[int]] = defaultdict(list)
    for index, record in enumerate(log[:-1]):
        lanes[of.lane(record)].append(index)
    pairs = [(a, b) for places in lanes.values() for a, b in pairwise(places) if log[a] != log[b]]
    if not pairs:
        return None
    a, b = source.choice(pairs)
    log[a], log[b] = log[b], log[a]
    return log, f"{of.sort(log[b])} / {of.sort(log[a])}"


def leaf(log: list[Json], source: random.Random, of: About) -> tuple[list[Json], str] | None:
    """Replace one value inside a record."""
    at = source.randrange(len(log) - 1)
    places = [place for place in leaves(log[at]) if place and place[0] not in ("fact", "callback", "k", "step")]
    places = [place for place in places if place != ("subscriber",) and place[-1] not in ("uuid", "timestamp")]
    if not places:
        return None
    place = source.choice(places)
    inside = log[at]
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = "changed" if inside[place[-1]] != "changed" else 1
    return log, f"{of.sort(log[at])}/{'/'.join(str(key) for key in place[:3])}"


def identity(log: list[Json], source: random.Random, of: About) -> tuple[list[Json], str] | None:
    """Give an event another uuid, parent or root."""
    events = [record["event"] for record in log if record["fact"] == "event"]
    if not events:
        return None
    event = source.choice(events)
    key = source.choice([key for key in ("uuid", "parent_uuid", "propagation_root_uuid") if key in event])
    event[key] = FOREIGN
    return log, f"{event.get('scope_category') or 'mark'} {event.get('category') or '-'}/{key}"


def time(log: list[Json], source: random.Random, of: About) -> tuple[list[Json], str] | None:
    """Move the time of an event by a microsecond."""
    events = [record["event"] for record in log if record["fact"] == "event"]
    if not events:
        return None
    event = source.choice(events)
    whole, fraction = event["timestamp"][:20], event["timestamp"][20:29]
    moved = int(fraction) + source.choice([-1000, 1000])
    if not 0 <= moved < 1_000_000_000:
        return None
    event["timestamp"] = f"{whole}{moved:09d}+00:00"
    return log, f"{event.get('scope_category') or 'mark'} {event.get('category') or '-'}/timestamp"


def other_value(log: list[Json], source: random.Random, of: About) -> tuple[list[Json], str] | None:
    """Give a callback what another one was given."""
    entries = [record for record in log if record["fact"] == "enter"]
    pairs = [
        (a, b) for a in entries for b in entries if a["given"] != b["given"] and a["given"].keys() == b["given"].keys()
    ]
    if not pairs:
        return None
    a, b = source.choice(pairs)
    a["given"] = copied(b["given"])
    return log, f"{of.sort(a)}/given"


CHANGES: dict[str, Change] = {
    "drop": drop,
    "double": double,
    "swap": swap,
    "leaf": leaf,
    "identity": identity,
    "time": time,
    "other value": other_value,
}


UNSPOKEN = {
    r"time: mark -|time: .* llm/": "when a chunk is told of, and the times of streams beside it, no statement says",
    r"identity: .*/propagation_root_uuid": "the root: of calls outside scopes (LIF-014) and starts of scopes (LIF-020)",
    r"identity: mark -/parent_uuid|identity: .* guardrail": "the parent outside any scope is said of calls alone",
    r"swap: done .* / done open|swap: .*wait|resume": "which of two steps comes back first when a latch is opened",
    r"swap: event:start .* / event:start|swap: event:(end|mark) .* / event:": "the order of what is in flight",
    r"(leave|refused) .*/(raised|reply)|answer .*/(value|error)": "what the adapter's own callbacks hand over",
    r"(drop|double|swap): .*(over|chunk|finalizer|collector|llm.stream)": "how far a stream that is closed was read",
    r"(drop|double|swap): (done|leave|enter) (subscriber|current|install|mark|end|start)": "steps inside callbacks",
    r"leaf: .*/error/": "the words of errors",
}
"""What no statement speaks of: classes that the reference alone finds, with what it is about."""


def is_spoken_of(name: str) -> bool:
    """Tell whether a statement speaks of what was changed."""
    return not any(re.search(pattern, name) for pattern in UNSPOKEN)


def scenarios(edition: str, dialect: str, examples: int) -> Iterator[tuple[Prepared, Json]]:
    """Yield what the dialect can say: the vectors, then generated scenarios."""
    found = [vector.scenario for vector in vectors(SPEC) if vector.runs_in(edition, dialect) and vector.defect is None]
    written = (SUITE.complete(scenario) for scenario in found)
    drawn = (SUITE.generate(SeededChoices(seed), dialect) for seed in range(examples))
    for full in (*written, *drawn):
        prepared = SUITE.prepare(full, edition, dialect)
        if "inexpressible" not in prepared.prediction and full["steps"][0]["step"] != "raw":
            yield prepared, full


def measure(edition: str, dialect: str, examples: int, each: int, seed: int, shown: str) -> dict[str, Any]:
    """Change each log in so many places, one at a time, and count what is said of it."""
    source = random.Random(seed)
    rules = SPEC.requirements
    checks = {name: check for name, check in SUITE.checks.items() if holds_in(rules[name], edition, dialect)}
    counts: dict[str, Counter[str]] = {name: Counter() for name in CHANGES}
    classes: dict[str, Counter[str]] = {"reference": Counter(), "passed": Counter()}
    plain = SPEC.dialects[dialect].as_json()
    for number, (prepared, full) in enumerate(scenarios(edition, dialect, examples)):
        of = about(full)
        log = json.loads(json.dumps(reference.resolve(prepared.prediction, number, plain)))
        for _ in range(each):
            name = source.choice(list(CHANGES))
            changed = CHANGES[name](copied(log), source, of)
            if changed is None or changed[0] == log:
                continue
            said = verdict(prepared, changed[0], checks, of.lane)
            counts[name][said] += 1
            if said in classes:
                classes[said][f"{name}: {changed[1]}"] += 1
                if shown and shown in f"{name}: {changed[1]}":
                    show(f"{said} {name}: {changed[1]}", full, log, changed[0])
    return {"counts": counts, "classes": classes}


def show(said: str, full: Json, log: list[Json], changed: list[Json]) -> None:
    """Print one change with its scenario."""
    print(said, json.dumps(SUITE.brief(full)))
    for mark, rows in (
        ("-", [row for row in log if row not in changed]),
        ("+", [row for row in changed if row not in log]),
    ):
        for row in rows:
            print("  ", mark, json.dumps(row))


def verdict(prepared: Prepared, log: list[Json], checks: dict[str, Any], lane_of: Callable[[Json], str]) -> str:
    """Return who finds fault with a log: a rule by name, the reference alone, its form; or that it passed."""
    try:
        broken = {one.requirement for one in judge(prepared, log, checks, lane_of) if not one.holds}
    except ObservationError:
        return "form"
    if not broken:
        return "passed"
    return "reference" if broken == {REFERENCE_REQUIREMENT} else "named"


def main() -> None:
    """Print the shares, and the classes that no rule names."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--edition", default=SPEC.newest.name)
    words.add_argument("--dialect", default="python")
    words.add_argument("--examples", type=int, default=500, help="generated scenarios beside the vectors")
    words.add_argument("--each", type=int, default=10, help="changes of each log")
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--classes", type=int, default=40, help="how many classes to show")
    words.add_argument("--show", default="", help="print each change whose class has these words, with its scenario")
    chosen = words.parse_args()
    found = measure(chosen.edition, chosen.dialect, chosen.examples, chosen.each, chosen.seed, chosen.show)
    total: Counter[str] = sum(found["counts"].values(), Counter())
    print(f"{'change':12} {'all':>7} {'named':>7} {'reference':>10} {'form':>6} {'passed':>7}")
    for name, count in [*found["counts"].items(), ("all", total)]:
        whole = sum(count.values()) or 1
        shares = [f"{count[said] / whole:.1%}" for said in ("named", "reference", "form", "passed")]
        print(f"{name:12} {sum(count.values()):7} {shares[0]:>7} {shares[1]:>10} {shares[2]:>6} {shares[3]:>7}")
    missed = sum(count for name, count in found["classes"]["reference"].items() if is_spoken_of(name))
    named = total["named"] + total["form"]
    print(f"\nof what a statement speaks of, {named / (named + missed):.1%} is named or refused; by no statement:")
    for pattern, reason in UNSPOKEN.items():
        count = sum(c for name, c in found["classes"]["reference"].items() if re.search(pattern, name))
        print(f"{count:7} {reason}")
    for said, what in (("reference", "what the reference alone finds"), ("passed", "what passes")):
        print(f"\n{what}")
        for name, count in found["classes"][said].most_common(chosen.classes):
            print(f"{count:7} {name}")


if __name__ == "__main__":
    main()
