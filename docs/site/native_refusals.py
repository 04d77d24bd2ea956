"""The page of manifests that a host of native plugins refuses, and what each host says of them.

`python docs/site/native_refusals.py` has every host come to a plugin as the vectors with a step `load` state it, keeps
what was said in `native_refusals.json` and writes `docs/native-refusals.md`; `--page` writes the page alone. Enters:
the hosts. Leaves: the two files; exit 1 where a host took what no host takes.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from bindproof.core.model import AdapterCommand
from bindproof.core.paths import data_root
from bindproof.drive import Answer, Job, drive
from bindproof.runner.plans import with_defect
from bindproof.spec import Vector, load, vectors
from bindproof.suites import load as load_suite
from bindproof.targets import resolve

Json = Any

KEPT: Final = Path(__file__).with_name("native_refusals.json")
PAGE: Final = Path(__file__).parents[1] / "native-refusals.md"

HOSTS: Final = {
    "native@0.9.4": "Python 0.9.4",
    "native@0.10.4": "Python 0.10.4",
    "native@0.11.0rc3": "Python 0.11.0rc3",
    "native-c@0.10.4": "C library 0.10.4",
    "native-node@0.9.2": "Node 0.9.2",
}
"""What stands for a host among adapters, and on the page."""

WIDTH: Final = 118

HIDDEN: Final = ((r"\S+/w\w{5,8}/", "FOLDER/"), (r"\b[0-9a-f]{64}\b", "DIGEST"), (r"\s+", " "))
"""What differs from run to run, and what stands in its place."""


def main(words: Sequence[str]) -> int:
    """Ask every host and keep what was said, unless the page alone is asked for; write the page."""
    if words != ["--page"]:
        KEPT.write_text(written([row for host in HOSTS for row in asked(host)]), encoding="utf-8")
    rows = json.loads(KEPT.read_text(encoding="utf-8"))["refusals"]
    PAGE.write_text(page(rows), encoding="utf-8")
    return 1 if any(row["said"] is None for row in rows) else 0


def negatives() -> dict[str, Vector]:
    """Return the vectors of manifests, whose plugins no host takes."""
    spec = load(data_root(), "relay")
    return {vector.id: vector for vector in vectors(spec, "relay/native/load-*") if vector.defect}


def asked(host: str) -> Iterator[Json]:
    """Yield what a host says of each; a plugin that is taken has no text."""
    command = resolve(host, required=True, progress=lambda text: None)
    if not isinstance(command, AdapterCommand):
        raise SystemExit(f"{host} cannot be had: {command.reason}")
    logs = dict(_logs(command))
    for name in negatives():
        error = next(record.get("error") for record in logs[name] if record["fact"] == "done")
        yield {"host": host, "vector": name, "said": plain(error["message"]) if error else None}


def _logs(command: AdapterCommand) -> Iterator[tuple[str, list[Json]]]:
    suite = load_suite(load(data_root(), "relay"))
    each = {name: with_defect(suite.complete(one.scenario), one.defect) for name, one in negatives().items()}
    jobs = (Job(name, "relay", json.dumps({"suite": "relay", "scenario": run}).encode()) for name, run in each.items())
    for event in drive([(command, lambda _: jobs)]):
        if isinstance(event, Answer):
            yield event.job.id, event.payload["log"]


def plain(text: str) -> str:
    """Return an error's text without what differs from run to run: folders and digests."""
    for pattern, instead in HIDDEN:
        text = re.sub(pattern, instead, text)
    return text.strip()


def written(rows: Sequence[Json]) -> str:
    """Return the text of the file that is kept: a line for each vector and host."""
    return '{\n "refusals": [\n' + ",\n".join(f"  {json.dumps(row)}" for row in rows) + "\n ]\n}\n"


def page(rows: Sequence[Json]) -> str:
    """Return the page of what was said."""
    each = negatives()
    texts = list(
        dict.fromkeys(row["said"] for row in sorted(rows, key=lambda row: [*each].index(row["vector"])) if row["said"])
    )
    said = {(row["vector"], row["host"]): row["said"] for row in rows}
    parts = [HEAD, f"| {' | '.join(('what is said of the plugin', *HOSTS.values()))} |", f"|{'-|' * (len(HOSTS) + 1)}"]
    for name, vector in each.items():
        cells = (said[name, host] for host in HOSTS)
        numbers = [f"refused: {texts.index(text) + 1}" if text else "taken" for text in cells]
        parts.append(f"| {vector.title} | {' | '.join(numbers)} |")
    parts += ["", "## What hosts said", "", *(_item(number, text) for number, text in enumerate(texts, 1))]
    return "\n".join(parts) + "\n"


def _item(number: int, text: str) -> str:
    return textwrap.fill(
        f"`{text}`", WIDTH, initial_indent=f"{number}. ", subsequent_indent="   ", break_on_hyphens=False
    )


HEAD: Final = """# What hosts say of native plugins that they refuse

Each host was shown a plugin as the vectors `relay/native/load-*` have it: one thing that its manifest, its host's
policy, its table of functions or its registration comes to is not as a host takes it. What is refused is refused when
it is loaded, and the next call goes on without the plugin, as NAT-008 to NAT-013, NAT-016 and NAT-017 have it. `python
docs/site/native_refusals.py` wrote this page. What a host says is its own: no requirement speaks of the words.
"""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
