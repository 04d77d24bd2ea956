"""Who keeps what today: judges every binding that can be had here, and keeps the status of each requirement.

`python docs/site/kept_by.py` writes `kept_by.json` anew; `python docs/site/kept_by.py RUN.jsonl` takes a log of all of
them; `python docs/site/kept_by.py --suite NAME` judges one suite, and leaves the rows of others as they are. Enters: a
run of all, or of one suite. Leaves: the file from which the pages of the spec say it. Must not know how a page says it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from bindproof.cli import main as bindproof
from bindproof.core.model import REFERENCE_REQUIREMENT
from bindproof.results.fold import EXIT_NOTHING_JUDGED, EXIT_OK

FILE = Path(__file__).with_name("kept_by.json")

OF_A_CHAPTER = ("native", "native-c", "native-node", "worker-raw", "worker-c", "worker-node", "worker")
"""Those that act out one chapter of `relay`: that they have no words for all others is not told at each."""

ADAPTERS = (
    *("python", "node", "c", "go", "rust", "wasm", *OF_A_CHAPTER),
    *("llm-stack", "codex", "tagged-1", "afk", "reference"),
)
"""What cannot be had is left out."""


def main(words: list[str]) -> int:
    """Judge, or take logs, and write the file; return the exit code of what was judged where that is no success."""
    given = _read(words)
    suite, logs = given.suite, given.logs
    with tempfile.TemporaryDirectory() as name:
        document = Path(name) / "summary.json"
        if logs:
            code = bindproof(["report", *logs, "--report", "badge", "--summary", str(document)])
        elif suite is not None:
            code = bindproof(["run", "--suite", suite, "--summary", str(document)])
        else:
            each = [word for adapter in ADAPTERS for word in ("--adapter", adapter)]
            code = bindproof(["run", *each, "--summary", str(document)])
        if code not in (EXIT_OK, EXIT_NOTHING_JUDGED):
            return code
        summary = json.loads(document.read_text(encoding="utf-8"))
    before = json.loads(FILE.read_text(encoding="utf-8"))
    kept = _of(summary) if suite is None else renewed(before, summary, suite)
    for name in sorted(before["targets"].keys() - kept["targets"].keys()):
        sys.stderr.write(f"{FILE.name} has no rows of {name} any more, which could not be had\n")
    FILE.write_text(_text(kept), encoding="utf-8")
    return EXIT_OK


def _read(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Judge every binding that can be had here, and write kept_by.json.")
    parser.add_argument("--suite", help="judge this suite alone, and leave the rows of the others as they are")
    parser.add_argument("logs", nargs="*", metavar="RUN.jsonl", help="judge nothing: take these result logs")
    given = parser.parse_args(words)
    if given.suite and given.logs:
        parser.error("--suite judges; a log is one of a run that was")
    return given


def written(summary: dict[str, Any]) -> str:
    """Return the file's text, of what `bindproof report --summary` says: a line for each target and requirement."""
    return _text(_of(summary))


def renewed(kept: dict[str, Any], summary: dict[str, Any], suite: str) -> dict[str, Any]:
    """Return what is kept with the rows of one suite as a later run of it has them, and the day of that."""
    found = _of(summary)
    targets = {
        **kept["targets"],
        **{name: one for name, one in found["targets"].items() if name not in kept["targets"]},
    }
    rows = {
        requirement: {name: row[name] for name in targets if name in row}
        for requirement, row in found["requirements"].items()
        if requirement != REFERENCE_REQUIREMENT  # which is of all suites
    }
    later = {**kept.get("later", {}), suite: found["on"]}
    return {**kept, "later": later, "targets": targets, "requirements": {**kept["requirements"], **rows}}


def _of(summary: dict[str, Any]) -> dict[str, Any]:
    ready = [one for one in summary["targets"] if one["state"] == "ready"]
    targets = {one["name"]: {key: one[key] for key in ("target", "version", "editions")} for one in ready}
    rows = {
        one["id"]: {name: one["status"][name] for name in targets if _is_told(name, one["status"].get(name))}
        for one in summary["requirements"]
    }
    head = {"bindproof": summary["bindproof"], "on": summary["started"][:10]}
    return {**head, "targets": targets, "requirements": {name: row for name, row in rows.items() if row}}


def _is_told(adapter: str, status: str | None) -> bool:
    return status is not None and not (adapter in OF_A_CHAPTER and status == "inexpressible")


def _text(kept: dict[str, Any]) -> str:
    parts = [f' "{key}": {json.dumps(kept[key])}' for key in ("bindproof", "on", "later") if key in kept]
    parts += [_lines(key, kept[key]) for key in ("targets", "requirements")]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(key: str, each: dict[str, Any]) -> str:
    inner = ",\n".join(f'  "{name}": {json.dumps(value)}' for name, value in each.items())
    return f' "{key}": {{\n{inner}\n }}'


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
