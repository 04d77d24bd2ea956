"""The page of boundaries: which adapter judges each that the contract names, on what, and what cannot be judged there.

`python docs/site/boundaries.py` judges what can be had here, keeps the result in `boundaries.json` and writes
`docs/boundaries.md`; `--page` writes the page alone, of what is kept. An adapter that takes a checkout of the user's
is judged where the variable that names it is set. Enters: a run, the manifests, the suite. Leaves: the two files. Which
boundaries there are, `spec/relay/sources.toml` says: a test holds the rows against it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from bindproof.cli import main as bindproof
from bindproof.core.model import REFERENCE_REQUIREMENT
from bindproof.core.paths import data_root
from bindproof.report.digest import STATUSES
from bindproof.results import VerdictLine, read
from bindproof.results.fold import EXIT_NOTHING_JUDGED, EXIT_OK
from bindproof.spec import holds_in, load
from bindproof.spec.models import Spec
from bindproof.suites.relay.targets.go_upstream_target import CHECKOUT
from bindproof.targets.manifest import Manifest, known

Json = Any

KEPT: Final = Path(__file__).with_name("boundaries.json")
PAGE: Final = Path(__file__).parents[1] / "boundaries.md"

TABLE: Final = "Boundary contracts"
"""The table of seed-000 whose paragraphs are the boundaries."""

BOUNDARIES: Final[tuple[tuple[str, int, tuple[str, ...], str], ...]] = (
    ("Native plugins (ABI)", 1, ("native", "native-c", "native-node"), ""),
    ("Workers (`grpc-v1`)", 2, ("worker-raw", "worker-c", "worker-node", "worker"), ""),
    ("C library", 3, ("c",), ""),
    ("Go", 4, ("go", "go-upstream"), ""),
    ("Python", 5, ("python",), ""),
    ("Node.js", 6, ("node",), ""),
    ("WebAssembly", 6, ("wasm",), "a release that has the contract: the one that there is is of before it"),
    ("Rust crate", 7, ("rust",), "the SDK of workers in Rust has no adapter"),
)
"""Each boundary, its paragraph in the table, the adapters that judge it, and what is not judged of it at all."""

RELEASES: Final = {"python": ("0.4.0", "0.5.0", ""), "worker-raw": ("0.6.0", ""), "worker": ("0.6.0", "")}
"""What is tried of an adapter; "" is the default release, which is all of the others."""

WIDTH: Final = 118
"""Of a line of the page that is no row."""

JUDGED: Final = ("held", "known", "broken")
"""The statuses of a requirement that was put to the test."""


def main(words: list[str]) -> int:
    """Judge and keep, unless the page alone is asked for, and write the page; return the exit code of the run."""
    parser = argparse.ArgumentParser(description="Judge every boundary that can be had here, and write its page.")
    parser.add_argument("--page", action="store_true", help="judge nothing: write the page of what is kept")
    if not parser.parse_args(words).page:
        with tempfile.TemporaryDirectory() as name:
            summary, log = Path(name) / "summary.json", Path(name) / "run.jsonl"
            names = [name for name in tried() if can_be_had(name)]
            each = [word for name in names for word in ("--adapter", name)]
            code = bindproof(["run", "--suite", "relay", *each, "--summary", str(summary), "--results", str(log)])
            if code not in (EXIT_OK, EXIT_NOTHING_JUDGED):
                return code
            found = kept(json.loads(summary.read_text(encoding="utf-8")), verdicts(log))
            if not found["targets"].keys() >= set(names):
                return EXIT_NOTHING_JUDGED  # whom it lacks, the run has told
            KEPT.write_text(written(found), encoding="utf-8")
    PAGE.write_text(page(json.loads(KEPT.read_text(encoding="utf-8"))), encoding="utf-8")
    return EXIT_OK


def tried() -> list[str]:
    """Return what the run judges: every adapter of a row with its releases."""
    names = [name for _, _, adapters, _ in BOUNDARIES for name in adapters]
    return [f"{name}@{release}" if release else name for name in names for release in RELEASES.get(name, ("",))]


def can_be_had(name: str) -> bool:
    """Return whether a run can have it: one that takes a checkout of the user's is left out where none is named."""
    return manifest(name.partition("@")[0]).get.source != "go-checkout" or CHECKOUT in os.environ


def manifest(name: str) -> Manifest:
    """Return the manifest of an adapter of a row; raises StopIteration where there is none."""
    return next(one for one in known() if one.name == name)


def verdicts(log: Path) -> Iterator[VerdictLine]:
    """Yield the verdicts of a log."""
    yield from (line for line in read(log) if isinstance(line, VerdictLine))


def kept(summary: Json, lines: Iterable[VerdictLine]) -> Json:
    """Return what is kept of a run: of each target its requirements by status, and why scenarios were not acted out."""
    why: dict[str, Counter[str]] = {}
    for line in lines:
        if line.outcome in ("unsupported", "inexpressible"):
            why.setdefault(line.adapter, Counter())[line.reason or ""] += 1
    targets = {}
    for one in summary["targets"]:
        if one["state"] != "ready":
            continue
        name = one["name"]
        rules = [row for row in summary["requirements"] if row["id"] != REFERENCE_REQUIREMENT]
        status = {row["id"]: row["status"][name] for row in rules if name in row["status"]}
        targets[name] = {
            "target": one["target"],
            "version": one["version"],
            "edition": one["editions"][0],
            "status": {word: sorted(key for key, is_ in status.items() if is_ == word) for word in STATUSES},
            "why": dict(sorted(why.get(name, Counter()).items(), key=lambda pair: (-pair[1], pair[0]))),
        }
    return {"bindproof": summary["bindproof"], "on": summary["started"][:10], "targets": targets}


def written(found: Json) -> str:
    """Return the file's text: a line for each target."""
    lines = ",\n".join(f'  "{name}": {json.dumps(one)}' for name, one in found["targets"].items())
    head = "".join(f' "{key}": {json.dumps(found[key])},\n' for key in ("bindproof", "on"))
    return f'{{\n{head} "targets": {{\n{lines}\n }}\n}}\n'


def page(found: Json) -> str:
    """Return the page's text."""
    spec = load(data_root(), "relay")
    rows = [line for boundary in BOUNDARIES for line in _rows(boundary, found, spec)]
    parts = [line for boundary in BOUNDARIES for line in _unjudged(boundary, found, spec)]
    return "\n".join([*_HEAD.format(on=found["on"]).splitlines(), *rows, "", *parts]).rstrip() + "\n"


_HEAD = """\
# The boundaries of Relay

The contract of LLM request outcomes names the boundaries that it holds at, in the table *Boundary contracts* of its
document. Each has a row here, with what judges it and on which releases. `python docs/site/boundaries.py` wrote this
page, of a run of {on}; what stands in no row was not judged.

| boundary | adapter | version | edition | in force | judged | known divergences | not judged |
|-|-|-|-|-:|-:|-:|-:|"""


def _rows(boundary: tuple[str, int, tuple[str, ...], str], found: Json, spec: Spec) -> Iterator[str]:
    title, _, adapters, _ = boundary
    if not adapters:
        yield f"| {title} | none | | | | | | all of it |"
    for adapter in adapters:
        runs = list(_runs(adapter, found))
        if not runs:
            yield f"| {title} | `{adapter}` | not tried here | | | | | |"
        for one in runs:
            force = len(in_force(spec, one["edition"], manifest(adapter).dialect))
            judged = sum(len(one["status"].get(word, ())) for word in JUDGED)
            known_ = len(one["status"].get("known", ()))
            counts = f"{force} | {judged} | {known_} | {force - judged}"
            yield f"| {title} | `{adapter}` | {one['target']} {one['version']} | {one['edition']} | {counts} |"


def in_force(spec: Spec, edition: str, dialect: str) -> list[str]:
    """Return the requirements that hold in an edition for a dialect."""
    return [rule.id for rule in spec.requirements.values() if holds_in(rule, edition, dialect)]


def _runs(adapter: str, found: Json) -> Iterator[Json]:
    yield from (one for name, one in found["targets"].items() if name.partition("@")[0] == adapter)


def _unjudged(boundary: tuple[str, int, tuple[str, ...], str], found: Json, spec: Spec) -> Iterator[str]:
    """Yield what cannot be judged at a boundary, and why."""
    title, _, adapters, lacking = boundary
    yield f"## {title}"
    yield ""
    if lacking:
        yield f"- Not judged at all: {lacking}."
    for adapter in adapters:
        runs = list(_runs(adapter, found))
        if not runs:
            yield f"- `{adapter}`: not tried here: it takes a checkout of the user's."
        for one in runs:
            yield from _of_run(adapter, one, spec)
    yield ""


def _of_run(adapter: str, one: Json, spec: Spec) -> Iterator[str]:
    name = f"`{adapter}`, {one['target']} {one['version']}"
    left = {word: ids for word, ids in one["status"].items() if word not in JUDGED and ids}
    told = {rule for ids in one["status"].values() for rule in ids}
    newer = [rule for rule in in_force(spec, one["edition"], manifest(adapter).dialect) if rule not in told]
    if newer:
        left["newer than the run"] = newer
    if not left:
        yield f"- {name}: every requirement in force was judged."
        return
    yield f"- {name}:"
    force = in_force(spec, one["edition"], manifest(adapter).dialect)
    for word, ids in left.items():
        yield _item(f"{word}: {', '.join(_briefly(ids, force))}")
    for reason, count in one["why"].items():
        yield _item(f"{count} scenario{'s' * (count > 1)} not acted out: {reason}")


def _briefly(ids: Sequence[str], force: Sequence[str]) -> Iterator[str]:
    """Yield requirements, and chapters of which it is all that is in force."""
    chapters = dict.fromkeys(name.partition("-")[0] for name in ids)
    for chapter in chapters:
        mine, whole = ([name for name in names if name.startswith(f"{chapter}-")] for names in (ids, force))
        yield from [f"all {len(mine)} of {chapter}"] if len(mine) > 1 and {*mine} >= {*whole} else mine


def _item(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
