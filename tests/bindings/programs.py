"""Programs beside the suite: each has to fail exactly where the suite finds a divergence, on the same package.

`python -m tests.bindings.programs --adapter python [GLOB…]` writes and runs the program of every vector, or of those
that match, and says where the two disagree, or there is no program though the suite judges. It exits with 1 then.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand
from bindproof.core.request import RunRequest
from bindproof.results import VerdictLine
from bindproof.runner import execute
from bindproof.runner.inputs import Inputs, read_inputs
from bindproof.runner.plans import plans_of
from bindproof.runner.programs import program_of
from bindproof.spec.models import Divergence, Vector
from bindproof.suites import Program
from bindproof.targets import resolve
from tests.bindings import rust_programs
from tests.bindings.compiled import COMPILED, NotCompiledError, built

SECONDS = 30


class Comparison(Struct, frozen=True):
    """One scenario: what the suite says, and how its program ended."""

    name: str
    outcome: str
    program: str
    """`agrees`, `races` where either may be seen, `none`, or how it exits where it does not agree."""
    text: str = ""


def compared(adapter: str, *globs: str) -> Iterator[Comparison]:
    """Yield how suite and program judge each scenario of the vectors that match."""
    command = resolve(adapter, required=True, progress=lambda _: None)
    assert isinstance(command, AdapterCommand), command
    verdicts = judged(adapter, *globs)
    inputs = read_inputs(RunRequest(suite="relay", vectors=globs))["relay"]
    races = raced(inputs.expectations, adapter)
    vector_of: dict[str, str] = {}
    written: dict[str, Program] = {}
    for vector in inputs.vectors:
        for plan in plans_of(inputs.suite, vector):
            if plan.id not in verdicts:
                continue
            vector_of[plan.id] = vector.id
            try:
                written[plan.id] = program_of(inputs, plan, adapter)
            except UsageError as error:
                yield Comparison(plan.id, verdicts[plan.id], "none", str(error))
    with tempfile.TemporaryDirectory() as folder:
        for name, code, text in _ran_each(written, prepared(Path(folder), command), command):
            outcome, vector_id = verdicts[name], vector_of[name]
            if not _agree(outcome, code):  # a program is alone: what is seen in company only, it does not see
                outcome = judged(adapter, vector_id)[name]
            seen = "agrees" if _agree(outcome, code) else "races" if vector_id in races else f"exits with {code}"
            yield Comparison(name, outcome, seen, text)


def _ran_each(
    written: Mapping[str, Program], place: Path, command: AdapterCommand
) -> Iterator[tuple[str, int | None, str]]:
    """Run the program of each scenario; yield how it exits, and its output. Those in Rust are built together."""
    if not written or not all(program.file.endswith(".rs") for program in written.values()):
        for name, program in written.items():
            yield name, *ran(place, program.file, program.text, command)
        return
    modules = {f"program_{re.sub(r'[^a-z0-9]', '_', name)}": name for name in written}
    made = rust_programs.built({module: written[name].text for module, name in modules.items()}, command)
    for module, name in modules.items():
        yield name, *_done(made[module], place, command)


def sampled(adapter: str, count: int) -> list[str]:
    """Return so many vectors of which there is a program, spread evenly, always the same ones.

    Programs are written for those alone that are looked at: to write every one takes half a minute.
    """
    inputs = read_inputs(RunRequest(suite="relay"))["relay"]
    found: dict[str, None] = {}
    for at in range(count):
        first = len(inputs.vectors) * at // count
        around = [*inputs.vectors[first:], *inputs.vectors[:first]]
        fresh = (one.id for one in around if one.id not in found and _is_written(inputs, one, adapter))
        found |= dict.fromkeys(islice(fresh, 1))
    return list(found)


def _is_written(inputs: Inputs, vector: Vector, adapter: str) -> bool:
    try:
        return all(program_of(inputs, plan, adapter) for plan in plans_of(inputs.suite, vector))
    except UsageError:
        return False


def raced(expectations: Iterable[Divergence], adapter: str) -> set[str]:
    """Return the vectors that a binding is known to break at some times, and not at others."""
    own = [
        one for one in expectations if one.sometimes is not None and Path(one.file).stem == adapter.partition("@")[0]
    ]
    return {vector for one in own for vector in one.vectors}


def judged(adapter: str, *globs: str) -> dict[str, str]:
    """Return what the suite says of each scenario, by its id, where nothing is expected."""
    found: dict[str, str] = {}

    def keep(line: object) -> None:
        if isinstance(line, VerdictLine):
            found[line.plan] = line.outcome

    request = RunRequest(suite="relay", adapters=(adapter,), vectors=globs, expectations="none")
    execute(request, keep, lambda *_: None)
    return found


def _agree(outcome: str, code: int | None) -> bool:
    """Tell whether a program that ended so shows what the suite says; what ends a process ends a program too."""
    wanted = {"conforms": 0, "diverges": 1}.get(outcome)
    return code != 0 if wanted is None else code == wanted


def prepared(folder: Path, command: AdapterCommand) -> Path:
    """Return a folder in which programs find the package."""
    modules = Path(command.cwd) / "node_modules"
    if modules.is_dir():
        (folder / "node_modules").symlink_to(modules)
    return folder


def ran(folder: Path, name: str, text: str, command: AdapterCommand) -> tuple[int | None, str]:
    """Run a program with the adapter's own interpreter; return its exit code, None where it hangs, and its output."""
    path = folder / name
    path.write_text(text)
    if path.suffix in COMPILED:
        try:
            words = [built(path, command)]
        except NotCompiledError as error:
            return None, f"it does not compile: {error}"
    else:
        words = [Path(command.argv[0]), *([Path("-S")] if path.suffix == ".py" else []), path]
    try:
        return _done(words, folder, command)
    finally:
        path.unlink()
        words[-1].unlink(missing_ok=True)


def _done(words: Sequence[str | Path], folder: Path, command: AdapterCommand) -> tuple[int | None, str]:
    """Run a command; return its exit code, None where it hangs, and its output."""
    try:
        done = subprocess.run(
            words, env=dict(command.env), cwd=folder, capture_output=True, text=True, errors="replace",
            timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None, "it hangs"
    return done.returncode, done.stdout + done.stderr


def main() -> int:
    """Compares all that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--adapter", default="python")
    parser.add_argument("--sample", type=int, metavar="N", help="so many vectors, always the same, in place of globs")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("globs", nargs="*")
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    chosen = sampled(args.adapter, args.sample) if args.sample else args.globs
    for one in compared(args.adapter, *chosen):
        counts[f"{one.outcome}, {one.program}"] += 1
        if one.program not in ("agrees", "none") or args.verbose:
            print(f"{one.name}: {one.outcome}, program {one.program}\n{one.text}", flush=True)
        elif one.program == "none" and one.outcome in ("conforms", "diverges"):
            print(f"{one.name}: {one.outcome}, no program: {one.text}", flush=True)
    print("\n".join(f"{count:5} {what}" for what, count in counts.most_common()))
    return int(any("exits" in what or what in ("conforms, none", "diverges, none") for what in counts))


if __name__ == "__main__":
    sys.exit(main())
