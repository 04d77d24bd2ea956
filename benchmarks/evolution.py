"""What `bindproof evolve` answers on the catalogue, beside other tools, and what its answers cost.

`python -m benchmarks.evolution` prints the table; it installs the other tools, of fixed releases, into a temporary
folder. `--part cost` prints ratios of times, measured in pairs on this machine.

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
from pathlib import Path
from statistics import median
from typing import Any

from bindproof.evolve.compare import Comparison
from bindproof.evolve.flat import flat
from bindproof.evolve.proof import covers
from bindproof.evolve.schemas import Schema
from tests.evolve.decisions import Case, cases
from tests.evolve.schemas_of import comparison, side, word

Json = Any
Answers = dict[str, list[tuple[str, float]]]
"""By tool: an answer and its seconds for each decision."""

PYTHON_TOOLS = ("jsonsubschema==0.0.8", "jsoncompat==0.3.1")
NODE_TOOLS = ("json-schema-diff@1.0.0", "json-schema-diff-validator@0.4.2")

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
        answer = word(asked.decision(len(asked) - 1).old_to_new)
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
    """Small schemas, in which every one of 22 properties differs."""
    old: Json = {f"p{number}": {"type": ["string", "null"]} for number in range(8)}
    old |= {f"p{number}": True for number in range(8, 22)}
    new: Json = {name: ({"type": "string"} if number < 8 else {}) for number, name in enumerate(old)}
    new |= {f"p{number}": {"maxLength": number} for number in range(8, 20)}
    return tuple({"type": "object", "properties": item, "required": ["p0"]} for item in (old, new))  # type: ignore


def _union(count: int) -> tuple[Json, Json]:
    """A union of `count` tagged objects, in the last of which a member takes less."""

    def branch(number: int, kind: Json) -> Json:
        return {"type": "object", "properties": {"t": {"const": f"k{number}"}, "v": {"type": kind}}, "required": ["t"]}

    old = [branch(number, ["string", "integer"]) for number in range(count)]
    return {"oneOf": old}, {"oneOf": [*old[:-1], branch(count - 1, "string")]}


def _seconds(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def _answered(asked: Comparison) -> None:
    for number in range(len(asked)):
        asked.decision(number)


def cost() -> Iterator[str]:
    """What answers cost, as ratios."""
    pairs = [pair for pair in decisions() if subset(side(s=pair[0]), side(s=pair[1])) is True]
    ratios = []
    for writer, reader, _ in pairs:
        asked = comparison(writer, reader)
        whole = _seconds(lambda asked=asked: asked.decision(len(asked) - 1))  # type: ignore[misc]
        alone = _seconds(lambda w=writer, r=reader: subset(side(s=w), side(s=r)))  # type: ignore[misc]
        ratios.append(whole / alone)
    yield f"both directions, with guards ÷ one subset check alone, {len(ratios)} pairs: median {median(ratios):.1f}"
    for changes in (5, 10, 20, 40):
        asked = comparison(*_wide(50, changes))
        yield f"{changes} differences in 50 properties: {_seconds(lambda a=asked: _answered(a)):.2f} s"  # type: ignore
    asked = comparison(*_small())
    took = _seconds(lambda: _answered(asked))
    yield f"{len(asked) - 1} differences in {_lines(_small()[0])} lines: {took:.2f} s"
    for count in (10, 20, 40):
        asked = comparison(*_union(count))
        took = _seconds(lambda a=asked: _answered(a))  # type: ignore[misc]
        grade = asked.decision(0).new_to_old.grade
        yield f"one difference in a union of {count}: {took:.2f} s, {grade}"


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
