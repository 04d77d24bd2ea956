"""What `bindproof evolve` answers on the catalogue, beside other tools, and what its answers cost.

`python -m benchmarks.evolution` prints the table; it installs the other tools, of fixed releases, into a temporary
folder. `--part cost` prints ratios of times, and times, on this machine.

Enters: the catalogue in `tests/evolve/catalogue/`. Leaves: tables on stdout.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec
from jsonschema_rs import canonicalize

from bindproof.evolve.answers import Answer
from bindproof.evolve.compare import Comparison
from bindproof.evolve.flat import flat
from bindproof.evolve.keywords import DRAFT_2020
from bindproof.evolve.proof import canonical_form, covers
from bindproof.evolve.schemas import Schema, Schemas
from bindproof.evolve.validators import Reader
from tests.evolve.decisions import Case, cases
from tests.evolve.schemas_of import comparison, side, word

Json = Any
Answers = dict[str, list[tuple[str, float]]]
"""By tool: an answer and its seconds for each decision."""

PYTHON_TOOLS = ("jsonsubschema==0.0.8", "jsoncompat==0.3.1")
NODE_TOOLS = ("json-schema-diff@1.0.0", "json-schema-diff-validator@0.4.2")

REPEATS = 5
"""Times that each decision is taken, of which the median counts."""

PROGRAMS = Path(__file__).parent / "programs"


def decisions() -> list[tuple[Json, Json, str]]:
    """Pairs of a writer's and a reader's schema, with the expected answer, where values decide it.

    Left out is what is decided by meaning, such as defaults: no other tool speaks of it.
    """
    decided: list[Case] = [case for case in cases() if case.file != "meaning"]
    both = [
        pair
        for case in decided
        for pair in ((case.old, case.new, case.old_to_new), (case.new, case.old, case.new_to_old))
    ]
    return [pair for pair in both if pair[2] != "undecidable"]


def ours(pairs: list[tuple[Json, Json, str]]) -> Answers:
    """What bindproof answers, and what the subset check answers without any of its search."""
    told: Answers = defaultdict(list)
    for writer, reader, _ in pairs:
        started = time.perf_counter()
        asked = comparison(writer, reader)
        answer = word(asked.answer(len(asked) - 1, "old_to_new"))
        told["bindproof"].append((answer.replace("undecidable", "undecided"), time.perf_counter() - started))
        started = time.perf_counter()
        proved = subset(side(s=writer), side(s=reader))
        said = {True: "safe", False: "breaking", None: "undecided"}[proved]
        told["jsonschema-rs `covers`"].append((said, time.perf_counter() - started))
    return told


def subset(writer: dict[str, Schema], reader: dict[str, Schema]) -> bool | None:
    """The subset check alone, on whole schemas."""
    narrow, wide = flat(writer, ("s.json", ())), flat(reader, ("s.json", ()))
    return None if narrow is None or wide is None else covers(wide, narrow)


def theirs(pairs: list[tuple[Json, Json, str]]) -> Answers:
    """What the other tools answer."""
    lines = "".join(json.dumps([writer, reader]) + "\n" for writer, reader, _ in pairs)
    told: Answers = defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "python")], check=True)
        python = str(folder / "python" / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "-q", *PYTHON_TOOLS], check=True)
        subprocess.run(["npm", "install", "--silent", "--ignore-scripts", "--prefix", name, *NODE_TOOLS], check=True)
        for command in ([python, str(PROGRAMS / "subset_tools.py")], ["node", str(PROGRAMS / "diff_tools.cjs")]):
            ended = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, cwd=folder)
            for line in ended.stdout.splitlines():
                for tool, (answer, seconds) in json.loads(line).items():
                    told[tool].append((answer, seconds))
    return told


def table(pairs: list[tuple[Json, Json, str]], told: Answers) -> Iterator[str]:
    """The lines of the table."""
    yield f"{len(pairs)} decisions, {Counter(expected for *_, expected in pairs)}"
    yield "| tool | right | wrong | of these called safe | undecided | median ms |"
    yield "|-|-|-|-|-|-|"
    for tool, answers in told.items():
        seen = Counter(
            "right" if answer == expected else "undecided" if answer == "undecided" else f"wrong {answer}"
            for (answer, _), (*_, expected) in zip(answers, pairs, strict=True)
        )
        wrong = seen["wrong safe"] + seen["wrong breaking"]
        cost = median(seconds for _, seconds in answers) * 1000
        row = (seen["right"], wrong, seen["wrong safe"], seen["undecided"], f"{cost:.1f}")
        yield f"| {tool} | {' | '.join(map(str, row))} |"


def _wide(count: int, changes: int) -> tuple[Json, Json]:
    """A schema of `count` properties, and one in which `changes` of them are narrowed."""
    old = {f"p{number}": {"type": ["string", "null"]} for number in range(count)}
    new = {name: {"type": "string"} if number < changes else item for number, (name, item) in enumerate(old.items())}
    return tuple({"type": "object", "properties": item, "required": ["p0"]} for item in (old, new))  # type: ignore


def _lines(schema: Json) -> int:
    return len(json.dumps(schema, indent=1).splitlines())


def _small() -> tuple[Json, Json]:
    """Schemas of 54 lines, in which every one of 20 properties differs."""
    old: Json = {f"p{number}": {"type": "string"} for number in range(13)} | {f"p{n}": True for n in range(13, 20)}
    new: Json = {name: {"maxLength": 9} if item is True else {"type": ["string", "null"]} for name, item in old.items()}
    return tuple({"type": "object", "properties": item, "required": ["p0"]} for item in (old, new))  # type: ignore


def _union(count: int) -> tuple[Json, Json]:
    """A union of `count` tagged objects, in the last of which a member takes less."""

    def branch(number: int, kind: Json) -> Json:
        return {"type": "object", "properties": {"t": {"const": f"k{number}"}, "v": {"type": kind}}, "required": ["t"]}

    old = [branch(number, ["string", "integer"]) for number in range(count)]
    return {"oneOf": old}, {"oneOf": [*old[:-1], branch(count - 1, "string")]}


def _seconds(act: Callable[[], object]) -> float:
    """Return the processor time that something takes, so that others on the machine count for nothing."""
    started = time.process_time()
    act()
    return time.process_time() - started


def _answered(asked: Comparison) -> None:
    for number in range(len(asked)):
        asked.decision(number)


class Cost(NamedTuple):
    """What one decision takes, in seconds of the processor."""

    grade: str
    reading: float
    library: float
    """The calls of jsonschema-rs alone, on parsed JSON: two canonical forms, and whether one covers the other."""
    ours: float
    """From schemas that are read to the answer, with everything that is found out on the way."""
    validators: float
    """Two validators begun with for each side, and the witness held against them; nothing where there is none."""


def decision_cost(writer: Json, reader: Json) -> Cost:
    """Take the times of one decision, which knows nothing of any other."""
    canonical = [partial(canonicalize, item, draft=DRAFT_2020, offline=True) for item in (writer, reader)]
    old, new = ({name: Schema(one.root, one.draft) for name, one in side(s=item).items()} for item in (writer, reader))
    times: list[tuple[float, float, float, float]] = []
    witness = _decided(old, new).witness
    for _ in range(REPEATS):
        reading = _seconds(lambda: (side(s=writer), side(s=reader)))
        library = _seconds(lambda: _covered(*canonical))
        canonical_form.cache_clear()
        answered = _seconds(lambda: _decided(old, new))
        held = 0.0 if witness is msgspec.UNSET else _seconds(lambda: _held(old, new, witness))
        times.append((reading, library, answered, held))
    return Cost(_decided(old, new).grade, *(median(column) for column in zip(*times, strict=True)))


def _decided(old: Schemas, new: Schemas) -> Answer:
    asked = Comparison(old, new)
    return asked.answer(len(asked) - 1, "old_to_new")


def _held(old: Schemas, new: Schemas, witness: Json) -> None:
    """Hold a witness against both validators of both sides, which is the least that a witness can cost."""
    for side_of in (old, new):
        Reader(side_of, ("s.json", ()), formats=True).takes(witness)


def _covered(narrow: Callable[[], Any], wide: Callable[[], Any]) -> None:
    with suppress(ValueError):  # what it cannot say is UNKNOWN for both
        wide().covers(narrow())


def small_catalogue() -> list[tuple[Json, Json]]:
    """The writers and readers of 86 decisions, which are the first 43 pairs on objects and values."""
    chosen = [case for case in cases() if case.file in {"objects", "values"}][:43]
    return [pair for case in chosen for pair in ((case.old, case.new), (case.new, case.old))]


def ratios() -> Iterator[str]:
    """What the decisions of the small catalogue cost beside the proofs of jsonschema-rs.

    A proof stands beside a proof: answers that have a witness are told apart, as the library has none and its NO is not
    one. Both begin with the same reading, which finds the faults of a schema and what its references mean. What stood
    here before divided both directions, with a witness, by one proof whose canonical forms had been kept.
    """
    costs = [decision_cost(*pair) for pair in small_catalogue()]
    for title, some in (
        ("a proof", [cost for cost in costs if cost.grade == "PROVED"]),
        ("a witness", [cost for cost in costs if cost.grade == "WITNESS"]),
        ("nothing", [cost for cost in costs if cost.grade == "UNKNOWN"]),
        ("any of these", costs),
    ):
        if not some:
            continue
        reading, library, ours, held = (sum(times) for times in zip(*(cost[1:] for cost in some), strict=True))
        whole = (reading + ours) / (reading + library)
        yield (
            f"{len(some)} decisions with {title}: read {reading * 1000:.1f} ms, answered {ours * 1000:.1f} ms, "
            f"of these the validators of witnesses {held * 1000:.1f} ms, the library alone {library * 1000:.1f} ms; "
            f"ratio {whole:.2f}, {ours / library:.1f} where nothing is read"
        )


def cost() -> Iterator[str]:
    """What answers cost: ratios, and seconds of the processor."""
    yield from ratios()
    for changes in (5, 10, 20, 40):
        asked = comparison(*_wide(50, changes))
        yield f"{changes} differences in 50 properties: {_seconds(partial(_answered, asked)):.3f} s"
    asked = comparison(*_small())
    took = _seconds(partial(_answered, asked))
    yield f"{len(asked) - 1} differences in {_lines(_small()[0])} lines: {took:.3f} s"
    for count in (10, 20, 40, 100, 200):
        asked = comparison(*_union(count))
        took = _seconds(partial(_answered, asked))
        grade = asked.decision(0).new_to_old.grade
        yield f"one difference in a union of {count}: {took:.3f} s, {grade}"


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description="What `bindproof evolve` answers and costs, beside other tools.")
    parser.add_argument("--part", choices=("table", "cost"), default="table")
    if parser.parse_args().part == "cost":
        for line in cost():
            print(line)
        return
    pairs = decisions()
    for line in table(pairs, {**ours(pairs), **theirs(pairs)}):
        print(line)


if __name__ == "__main__":
    main()
